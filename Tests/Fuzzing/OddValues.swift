import PreferencesSchema

/// Values at the edges of what the schema language takes, and beyond them.
enum OddValues {
    static let numbers = [
        "0", "-0", "1", "-1", "1.5", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536",
        "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105727",
        "170141183460469231731687303715884105728", "-170141183460469231731687303715884105728", "1e2", "1E+2", "7e-1",
        "1e308", "1e309", "1e-308", "5e-324", "1e-400", "3.4028235e38", "3.5e38", "1e-46", "1e18", "1e-18", "1e-19",
        "9.223372036854775807e18", "0.1", "100e-2", "1e9223372036854775807", "1e-9223372036854775808",
        "0.00000000000000000000000000000000000000000000001", "123456789012345678901234567890.5", "-1e-18",
    ]

    static let strings = [
        "", " ", "a", "_", "__", "a:b", ":", "::", "a:", "日本", "é", "e\u{301}", "\u{301}", "😀", "\u{200D}", "\u{202E}",
        "\u{0}", "\n", "\r\n", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "\u{10FFFF}", "\\", "\"", "\\(x)", "\"\"\"",
        "#\"\"#",
        "*/", "/*", "//", "`", "```", "default", "self", "Self", "init", "Type", "Any", "some", "$0", "$schema", "1a",
        "a b", "a.b", "a-b", "..", "/", "../x.preferences-include.json", "/x", "~", "%s", "%@", "preferences", "watch",
        "Preferences", "String", "Foundation", "Swift", "public", "package", "internal", "fileprivate", "private",
        "Bool", "Int", "Int8", "UInt64", "Double", "Float", "Data", "Date", "URL", "UUID", "Duration", "T", "[Int]",
        "[[Int]]", "[Int?]?", "Set<String>", "Set<[Int]>", "Set<Set<Double>>", "[String: Int]", "[String:[String:T]]",
        "[Int: Int]", "Int??", "Int?", "Set", "Set<", "[", "]", "?", "[String", "[String:", "Set<Int>]", "Int Int",
        "2026-01-31T12:00:00Z", "2026-02-30T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z",
        "2026-01-31T12:00:00+23:59", "AAEC", "AAE", "====", "https://example.com/a?b#c", "http://[", "mailto:a@b.c",
        "00000000-0000-0000-0000-000000000000", "[a-z]+", "(a|b)+$", "(", "[", "(?<a>b)", "\\d{2,1}", "(?i)x",
        "a{9999999}",
        "Date()", "}", ") }", "\"unterminated", "#if", "Module.Type", ".Type", "Module.", "WeatherService.swift",
        "unused-type", "json-syntax", "macOS", "linux",
    ]

    /// Any of them as JSON.
    static func scalar(_ random: inout some RandomNumberGenerator) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 1, 2, 3: numbers.randomElement(using: &random) ?? "0"
        case 4: JSONText.quoted(long(&random))
        default: JSONText.quoted(strings.randomElement(using: &random) ?? "")
        }
    }

    /// A string of one of them, many times over.
    static func long(_ random: inout some RandomNumberGenerator) -> String {
        let piece = strings.randomElement(using: &random) ?? ""
        // Mostly short: a long one takes its time in every check.
        let times = [2, 3, 8, 40, 300].randomElement(using: &random) ?? 2
        return String(repeating: piece, count: times)
    }
}
