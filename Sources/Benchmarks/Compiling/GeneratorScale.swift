import Foundation

/// What making the accessors takes, against what KDE's, GNOME's and Google's generators take for keys of the same types.
enum GeneratorScale {
    private static var own: [ScaleTool] { [.generator, .debugGenerator] }
    private static var peers: [ScaleTool] { [.kconfigCompiler, .glibCompileSchemas, .protoc] }

    /// A tool's whole process, with a number of keys.
    fileprivate struct Run {
        var tool: ScaleTool
        var keyCount: Int
        var folder: URL
        var arguments: [String]
        var costs: [ProcessCost] = []
    }

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let runs = try measure(repeats: report.repeats, in: folder)
        for tool in own {
            for keyCount in tool.keyCounts {
                let run = runs.first { $0.tool.name == tool.name && $0.keyCount == keyCount }
                let comparable = peers.filter { $0.keyCounts.contains(keyCount) }
                for peer in comparable {
                    let peerRun = runs.first { $0.tool.name == peer.name && $0.keyCount == keyCount }
                    report.add(tool, run, keyCount, against: peer, peerRun)
                }
                if comparable.isEmpty { report.add(tool, run, keyCount) }
            }
        }
    }

    private static func measure(repeats: Int, in folder: URL) throws -> [Run] {
        var runs: [Run] = []
        for (index, tool) in (own + peers).enumerated() where tool.path != nil {
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
                // Each makes its files anew: the generator leaves one alone that would not change.
                for output in run.tool.outputs {
                    try? FileManager.default.removeItem(at: run.folder.appending(path: output))
                }
                runs[index].costs.append(try ProcessCost(of: run.tool.foundPath, run.arguments))
            }
        }
        return runs
    }
}

extension BenchmarkReport {
    fileprivate mutating func add(
        _ tool: ScaleTool,
        _ run: GeneratorScale.Run?,
        _ keyCount: Int,
        against peer: ScaleTool? = nil,
        _ peerRun: GeneratorScale.Run? = nil
    ) {
        let figures: [(String, ([ProcessCost]) -> Figure)] = [
            ("", { $0.time(\.wallSeconds) }), (", peak memory", { $0.peakMemory }),
        ]
        for (what, figure) in figures {
            add(
                Row(
                    name: "\(tool.name), \(keyCount.text) keys\(what)",
                    figure: run.map { figure($0.costs) },
                    peer: peer?.name,
                    peerFigure: peerRun.map { figure($0.costs) },
                    remedy: run == nil ? tool.remedy : peer != nil && peerRun == nil ? peer?.remedy : nil
                )
            )
        }
    }
}
