/// What the command line asks for.
struct Options {
    var repeats = 5
    /// Which benchmarks to run: those whose names have this in them.
    var filter = ""
    var wantsJSON = false
    var wantsHelp = false
    /// What this process is to be filled with, where a benchmark has started it to see how much memory that takes.
    var memory: (holder: MemoryHolder, keyCount: Int)?

    /// The operation that this process is to repeat, where a benchmark has started it to count what that takes.
    var operation: (operation: Operation, count: Int)?

    /// The options that benchmarks start this program with, and nobody else.
    static let memoryOption = "--fill-memory"
    static let operationOption = "--repeat-operation"

    struct Fault: Error {
        var message: String
    }

    init(_ arguments: some Sequence<String>) throws(Fault) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h":
                wantsHelp = true
            case "--json":
                wantsJSON = true
            case "--repeats":
                guard let count = rest.next().flatMap(Int.init), count > 0 else {
                    throw Fault(message: "'--repeats' needs a number above 0 behind it")
                }
                repeats = count
            case "--filter":
                guard let text = rest.next() else { throw Fault(message: "'--filter' needs a name behind it") }
                filter = text
            case Self.memoryOption:
                guard let holder = rest.next().flatMap(MemoryHolder.init), let count = rest.next().flatMap(Int.init)
                else { throw Fault(message: "'\(Self.memoryOption)' needs what and how much behind it") }
                memory = (holder, count)
            case Self.operationOption:
                guard let operation = rest.next().flatMap(Operation.init), let count = rest.next().flatMap(Int.init)
                else { throw Fault(message: "'\(Self.operationOption)' needs an operation and a count behind it") }
                self.operation = (operation, count)
            default:
                throw Fault(message: "unknown argument '\(argument)'")
            }
        }
    }
}
