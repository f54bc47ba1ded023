/// What the command line asks for.
struct Options {
    var repeats = 5
    /// Which benchmarks to run: those whose names have this in them.
    var filter = ""
    var wantsJSON = false
    var wantsHelp = false
    /// What this process is to be filled with, where a benchmark has started it to see how much memory that takes.
    var memory: (holder: MemoryHolder, keyCount: Int)?

    /// The option that benchmarks start this program with, and nobody else.
    static let memoryOption = "--fill-memory"

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
            default:
                throw Fault(message: "unknown argument '\(argument)'")
            }
        }
    }
}
