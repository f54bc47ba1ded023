/// What the command line asks for.
struct Options {
    var repeats = 5
    /// Which benchmarks to run: those whose names have this in them.
    var filter = ""
    var wantsJSON = false
    var wantsHelp = false

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
            default:
                throw Fault(message: "unknown argument '\(argument)'")
            }
        }
    }
}
