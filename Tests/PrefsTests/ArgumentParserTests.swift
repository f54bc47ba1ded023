import Testing

@testable import PreferencesCommandLine

@Suite("The parser of arguments")
struct ArgumentParserTests {
    /// Arguments, with what the parser reads: positional arguments in brackets, options with their values.
    static let lines: [(arguments: [String], parsed: [String])] = [
        (["a", "--flag", "b"], ["[a]", "--flag", "[b]"]),
        (["--store", "x", "--store=y", "--store", "z"], ["--store x", "--store y", "--store z"]),
        (["-s", "x", "-sy", "-s=z"], ["-s x", "-s y", "-s z"]),
        (["--store=", "--flag"], ["error: '--store' requires a value"]),
        (["--store=a=b"], ["--store a=b"]),
        (["--", "--flag", "-5", "--", "-"], ["[--flag]", "[-5]", "[--]", "[-]"]),
        (["weather.temperature", "-5"], ["[weather.temperature]", "[-5]"]),
        (["-0.5", "-.5", "-1e3", "-5", "-0x1F"], ["[-0.5]", "[-.5]", "[-1e3]", "[-5]", "[-0x1F]"]),
        (["--store", "-5", "--store=-6", "-s-7"], ["--store -5", "--store -6", "-s -7"]),
        (["-5s"], ["error: 'do' has no option '-5s'; did you mean '-s'?"]),
        (["-."], ["error: 'do' has no option '-.'; see 'do --help'"]),
        (["-inf"], ["[-inf]"]),
        (["-٥"], ["error: 'do' has no option '-٥'; see 'do --help'"]),
        (["-1", "-15"], ["-1", "error: '-1' takes no value; remove '=5'"]),
        (
            ["--store", "--flag"],
            ["error: '--store' requires a value; to use '--flag' as the value, write '--store=--flag'"]
        ),
        (["--once", "a", "--once=b"], ["--once a", "error: '--once' is given twice, with 'a' and 'b'; give it once"]),
        (["-n", "a", "--once", "b"], ["-n a", "error: '--once' is given twice, with 'a' and 'b'; give it once"]),
        (["--flag=yes"], ["error: '--flag' takes no value; remove '=yes'"]),
        (["--flags"], ["error: 'do' has no option '--flags'; did you mean '--flag'?"]),
    ]

    @Test("Options, values and positional arguments are told apart", arguments: lines)
    func parsed(arguments: [String], parsed: [String]) {
        let hasDigitOption = arguments.contains("-1")
        let description = CommandDescription(
            summary: "Do it.",
            overview: "Does it.",
            usage: ["do"],
            options: [
                .init("-s", "--store", value: "STORE", "A store."), .init("-n", "--once", value: "VALUE", "A value."),
                .init("--flag", "A flag."),
            ] + (hasDigitOption ? [.init("-1", "One.")] : [])
        )
        let command = Command("do", description: description) { _ throws(UsageError) in .success }
        var parser = ArgumentParser(arguments, of: command)
        var read: [String] = []
        do throws(UsageError) {
            while let argument = parser.next() {
                switch argument {
                case .positional(let text): read.append("[\(text)]")
                case .option(let option):
                    switch option.name {
                    case "-s", "--store": read.append("\(option.name) \(try parser.nextValue(of: option))")
                    case "-n", "--once": read.append("\(option.name) \(try parser.value(of: option))")
                    case "--flag", "-1":
                        var flag = false
                        try parser.setFlag(&flag, by: option)
                        if flag { read.append(option.name) }
                    default: throw parser.unknownOption(option)
                    }
                }
            }
        } catch {
            read.append("error: \(error.message)")
        }
        #expect(read == parsed)
    }
}
