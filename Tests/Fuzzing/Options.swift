/// What the fuzzer is asked to do.
struct Options {
    var seed: UInt64 = 1
    var seconds = 60
    /// The first input to be tried, or the only one.
    var input: UInt64 = 0
    var isOneInput = false
    /// Files to be judged instead of inputs made at random.
    var files: [String] = []
    /// Where a child process notes which input it is at; nil in the process that was started by hand.
    var progressFile: String?

    static let usage = """
        usage: SchemaFuzzer [--seed N] [--seconds N]    inputs made at random, for so long
               SchemaFuzzer --seed N --input N          one of them again, printed and judged
               SchemaFuzzer FILE …                      the schemas of each file

        """

    /// Nil where the arguments make no sense.
    init?(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--seed":
                guard let value = arguments.next().flatMap(UInt64.init) else { return nil }
                seed = value
            case "--seconds":
                guard let value = arguments.next().flatMap(Int.init), value > 0 else { return nil }
                seconds = value
            case "--input":
                guard let value = arguments.next().flatMap(UInt64.init) else { return nil }
                input = value
                isOneInput = true
            case "--progress":
                guard let value = arguments.next() else { return nil }
                progressFile = value
            default:
                guard !argument.hasPrefix("-") else { return nil }
                files.append(argument)
            }
        }
    }
}
