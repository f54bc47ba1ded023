import Foundation

/// The cost of generating accessors, compared with KDE's, GNOME's and Google's generators on the same keys.
enum GeneratorScale {
    private static var own: [ScaleTool] { [.generator, .debugGenerator] }
    private static var peers: [ScaleTool] { [.kconfigCompiler, .glibCompileSchemas, .protoc] }

    /// The inputs for which instructions are counted. Counting takes fifty times as long as a run.
    private static let compared = [ScaleInput.oneGroup(10_000), .hundreds(10_000)]

    /// The runs of a tool with an input.
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
        // Alternating, so that changes of the machine's speed affect all tools.
        for _ in 0..<repeats {
            for index in runs.indices {
                runs[index].costs.append(
                    try runs[index].run { try ProcessCost(of: $0, $1) }
                )
            }
        }
        for index in runs.indices where isCounted(runs[index].tool, runs[index].input) {
            guard let counter = InstructionCounter.installed else { break }
            let count = try runs[index].run { try counter.count(of: $0, $1, in: folder) }
            runs[index].instructions = Figure(unit: .instructions, samples: [count])
        }
        return runs
    }

    fileprivate static func isCounted(_ tool: ScaleTool, _ input: ScaleInput) -> Bool {
        compared.contains(input) && tool.name != ScaleTool.debugGenerator.name
    }

    /// The highest accepted ratio of the generator's instructions to those of `kconfig_compiler`. Times are reported
    /// without one: on a shared machine they vary too much.
    fileprivate static func target(
        _ tool: ScaleTool,
        _ input: ScaleInput,
        _ peer: ScaleTool
    ) -> BenchmarkReport.Target? {
        isCounted(tool, input) && peer.name == ScaleTool.kconfigCompiler.name ? .ratio(0.12) : nil
    }
}

extension GeneratorScale.Run {
    /// Starts the tool after removing its outputs, because the generator does not rewrite an unchanged file.
    fileprivate func run<Result>(
        _ start: (_ program: String, _ arguments: [String]) throws -> Result
    ) throws -> Result {
        for output in tool.outputs { try? FileManager.default.removeItem(at: folder.appending(path: output)) }
        return try start(tool.requiredPath, arguments)
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
            hasTarget: Bool = false,
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
                    target: hasTarget ? peer.flatMap { GeneratorScale.target(tool, input, $0) } : nil,
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
        add("instructions", about: counter?.about ?? "", hasTarget: true, remedy: remedy) { $0.instructions }
    }
}

/// The keys of a run, which each generator reads in its own schema language.
struct ScaleInput: Hashable {
    var keyCount: Int
    var groupCount: Int
    /// The types of the keys, which repeat in this order.
    var types: [KeyType]

    enum KeyType {
        case integer
        /// An integer from 0 to 100.
        case percentage
        case double
        case string
        case bool
        /// One of three names.
        case unit
        case strings
    }

    /// Returns keys in one group. A sixth of them have a range, and a sixth a declared type.
    static func oneGroup(_ keyCount: Int) -> ScaleInput {
        ScaleInput(
            keyCount: keyCount,
            groupCount: 1,
            types: [.percentage, .double, .string, .bool, .unit, .strings]
        )
    }

    /// Returns keys of built-in types, in groups of a hundred.
    static func hundreds(_ keyCount: Int) -> ScaleInput {
        ScaleInput(
            keyCount: keyCount,
            groupCount: keyCount / 100,
            types: [.integer, .double, .bool, .string, .strings]
        )
    }

    var name: String {
        "\(keyCount.text) keys in \(groupCount == 1 ? "one namespace" : "\(groupCount.text) namespaces")"
    }

    /// Returns the description of a key, because keys of real schemas have one.
    static func description(_ key: Int) -> String {
        "How many of the things number \(key) there are at most."
    }

    /// Writes a file in pieces, because the memory of this process is counted with that of the programs that it starts.
    ///
    /// - Parameters:
    ///   - group: Returns the text before and after the keys of a group.
    ///   - key: Returns the text of a key. The numbers of keys are unique across groups.
    func write(
        to url: URL,
        head: String,
        foot: String,
        groupSeparator: String = "\n",
        keySeparator: String = "\n",
        group: (Int) -> (head: String, foot: String),
        key: (Int, KeyType) -> String
    ) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.write(contentsOf: Data(head.utf8))
        let size = keyCount / groupCount
        for index in 0..<groupCount {
            let (groupHead, groupFoot) = group(index)
            try file.write(contentsOf: Data(((index == 0 ? "" : groupSeparator) + groupHead).utf8))
            let keys = index * size..<(index + 1) * size
            for start in stride(from: keys.lowerBound, to: keys.upperBound, by: 500) {
                let piece = (start..<min(start + 500, keys.upperBound)).map { number in
                    (number == keys.lowerBound ? "" : keySeparator) + key(number, types[number % types.count])
                }
                try file.write(contentsOf: Data(piece.joined().utf8))
            }
            try file.write(contentsOf: Data(groupFoot.utf8))
        }
        try file.write(contentsOf: Data(foot.utf8))
    }
}
