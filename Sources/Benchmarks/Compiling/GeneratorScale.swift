import Foundation

/// The cost of generating accessors, compared with KDE's, GNOME's and Google's generators on the same keys.
enum GeneratorScale {
    private static var own: [ScaleTool] { [.generator, .debugGenerator] }
    private static var peers: [ScaleTool] { [.kconfigCompiler, .glibCompileSchemas, .protoc] }

    /// The inputs for which instructions are counted, which takes fifty times as long as a run.
    private static let compared = [ScaleInput.oneGroup(10_000), .hundreds(10_000)]

    /// A tool's whole process, with an input.
    fileprivate struct Run {
        var tool: ScaleTool
        var input: ScaleInput
        var folder: URL
        var arguments: [String]
        var costs: [ProcessCost] = []
        var instructions: Figure?
    }

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        let runs = try measure(repeats: report.repeats, in: folder)
        func run(_ tool: ScaleTool, _ input: ScaleInput) -> Run? {
            runs.first { $0.tool.name == tool.name && $0.input == input }
        }
        for tool in own {
            for input in tool.inputs {
                let comparable = peers.filter { $0.inputs.contains(input) }
                for peer in comparable { report.add(tool, run(tool, input), input, against: peer, run(peer, input)) }
                if comparable.isEmpty { report.add(tool, run(tool, input), input) }
            }
        }
    }

    private static func measure(repeats: Int, in folder: URL) throws -> [Run] {
        var runs: [Run] = []
        for tool in own + peers where tool.path != nil {
            for input in tool.inputs {
                let home = folder.appending(path: "\(runs.count)")
                try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
                runs.append(Run(tool: tool, input: input, folder: home, arguments: try tool.write(input, home)))
            }
        }
        // In turn, so that a change of the machine's speed meets all.
        for _ in 0..<repeats {
            for index in runs.indices {
                runs[index].costs.append(
                    try runs[index].started { try ProcessCost(of: $0, $1) }
                )
            }
        }
        for index in runs.indices where isCounted(runs[index].tool, runs[index].input) {
            guard let counter = InstructionCounter.installed else { break }
            let count = try runs[index].started { try counter.count(of: $0, $1, in: folder) }
            runs[index].instructions = Figure(unit: .instructions, samples: [count])
        }
        return runs
    }

    fileprivate static func isCounted(_ tool: ScaleTool, _ input: ScaleInput) -> Bool {
        compared.contains(input) && tool.name != ScaleTool.debugGenerator.name
    }

    /// The highest accepted ratio of the generator's instructions to those of `kconfig_compiler`. Times are reported
    /// without one: on a shared machine they vary too much.
    fileprivate static func bar(_ tool: ScaleTool, _ input: ScaleInput, _ peer: ScaleTool) -> BenchmarkReport.Bar? {
        isCounted(tool, input) && peer.name == ScaleTool.kconfigCompiler.name ? .ratio(0.12) : nil
    }
}

extension GeneratorScale.Run {
    /// Starts the process, which makes its files anew: the generator leaves one alone that would not change.
    fileprivate func started<Result>(
        _ start: (_ program: String, _ arguments: [String]) throws -> Result
    ) throws -> Result {
        for output in tool.outputs { try? FileManager.default.removeItem(at: folder.appending(path: output)) }
        return try start(tool.foundPath, arguments)
    }
}

extension BenchmarkReport {
    fileprivate mutating func add(
        _ tool: ScaleTool,
        _ run: GeneratorScale.Run?,
        _ input: ScaleInput,
        against peer: ScaleTool? = nil,
        _ peerRun: GeneratorScale.Run? = nil
    ) {
        func add(
            _ what: String,
            about: String = "",
            isBarred: Bool = false,
            remedy: String? = nil,
            _ figure: (GeneratorScale.Run) -> Figure?
        ) {
            self.add(
                Row(
                    name: "\(tool.name), \(input.name), \(what)",
                    about: about,
                    figure: run.flatMap(figure),
                    peer: peer?.name,
                    peerFigure: peerRun.flatMap(figure),
                    bar: isBarred ? peer.flatMap { GeneratorScale.bar(tool, input, $0) } : nil,
                    remedy: run == nil ? tool.remedy : peer != nil && peerRun == nil ? peer?.remedy : remedy
                )
            )
        }
        add("processor time") { $0.costs.time(\.processorSeconds) }
        add("wall time") { $0.costs.time(\.wallSeconds) }
        add("peak memory") { $0.costs.peakMemory }
        guard GeneratorScale.isCounted(tool, input) else { return }
        let counter = InstructionCounter.installed
        let remedy = counter == nil ? InstructionCounter.remedy : nil
        add("instructions", about: counter?.about ?? "", isBarred: true, remedy: remedy) { $0.instructions }
    }
}
