import Foundation

/// What making the accessors takes, against what KDE's, GNOME's and Google's generators take for keys of the same types.
struct GeneratorScale {
    var repeats: Int

    private struct Run {
        var tool: ScaleTool
        var keyCount: Int
        var folder: URL
        var arguments: [String]
        var costs: [ProcessCost] = []
    }

    func run(in folder: URL) throws {
        let tools: [ScaleTool] = [.generator, .debugGenerator, .kconfigCompiler, .glibCompileSchemas, .protoc]
        var runs: [Run] = []
        for (index, tool) in tools.enumerated() where tool.path != nil {
            for keyCount in tool.keyCounts {
                let inputs = folder.appending(path: "\(index)-\(keyCount)")
                try FileManager.default.createDirectory(at: inputs, withIntermediateDirectories: true)
                let arguments = try tool.writeInput(keyCount, inputs)
                runs.append(Run(tool: tool, keyCount: keyCount, folder: inputs, arguments: arguments))
            }
        }
        // In turn, so that a change of the machine's speed meets all.
        for _ in 0..<repeats {
            for index in runs.indices {
                let run = runs[index]
                guard let path = run.tool.path else { continue }
                // Each makes its files anew: the generator leaves one alone that would not change.
                for output in run.tool.outputs {
                    try? FileManager.default.removeItem(at: run.folder.appending(path: output))
                }
                runs[index].costs.append(try ProcessCost(of: path, run.arguments))
            }
        }
        report(runs, missing: tools.filter { $0.path == nil })
    }

    private func report(_ runs: [Run], missing: [ScaleTool]) {
        print("generator-scale: whole processes, median of \(repeats), keys of six types with descriptions")
        let yardstick = runs.filter { $0.tool.name == ScaleTool.kconfigCompiler.name }
        var table = Table("", "keys", "wall, ms", "of kconfig_compiler", "ms per 1,000 keys", "peak MiB")
        for run in runs {
            let seconds = run.costs.median(of: \.wallSeconds)
            let other = yardstick.first { $0.keyCount == run.keyCount }?.costs.median(of: \.wallSeconds)
            table.add(
                run.tool.name,
                run.keyCount.text,
                (seconds * 1000).text(1),
                other.map { (seconds / $0).text(3) } ?? "-",
                (seconds * 1e6 / Double(run.keyCount)).text(2),
                run.costs.median(of: \.peakMebibytes).text(0)
            )
        }
        table.print()
        for tool in missing {
            print("  \(tool.name.trimmingPrefix(while: { $0 == " " })): not there; \(tool.remedy)")
        }
    }
}
