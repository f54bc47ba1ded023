import PreferencesSchema

extension JSONTree {
    /// Changes a random value.
    mutating func mutate(from corpus: Corpus, _ random: inout some RandomNumberGenerator) {
        let index = Int.random(in: 0..<count, using: &random)
        change(index) { $0.mutateHere(from: corpus, &random) }
    }

    private mutating func mutateHere(from corpus: Corpus, _ random: inout some RandomNumberGenerator) {
        if Int.random(in: 0..<16, using: &random) == 0 {
            self = Self.any(from: corpus, &random)
            return
        }
        switch self {
        case .scalar(let scalar): self = .scalar(Self.mutated(scalar, &random))
        case .array(var elements):
            Self.mutate(&elements, &random) { .scalar(EdgeCases.scalar(&$0)) }
            self = Bool.random(using: &random) ? .array(elements) : nested(&random)
        case .object(var members):
            mutate(&members, from: corpus, &random)
            self = .object(members)
        }
    }

    /// Returns a value of the corpus, or an edge case.
    private static func any(from corpus: Corpus, _ random: inout some RandomNumberGenerator) -> JSONTree {
        let name = corpus.names.randomElement(using: &random) ?? ""
        return corpus.values[name]?.randomElement(using: &random) ?? .scalar(EdgeCases.scalar(&random))
    }

    /// Returns the value, nested in arrays or objects.
    private func nested(_ random: inout some RandomNumberGenerator) -> JSONTree {
        let depth = [1, 1, 2, 8, 70, 200].randomElement(using: &random) ?? 1
        let name = ["keys", "namespaces", "each", "a", "default"].randomElement(using: &random) ?? ""
        let isArray = Bool.random(using: &random)
        return (0..<depth).reduce(self) { tree, _ in
            isArray ? .array([tree]) : .object([Member(name: "\"\(name)\"", value: tree)])
        }
    }
}

// MARK: - Scalars

extension JSONTree {
    private static func mutated(_ scalar: String, _ random: inout some RandomNumberGenerator) -> String {
        guard scalar.hasPrefix("\""), Int.random(in: 0..<4, using: &random) > 0 else {
            return EdgeCases.scalar(&random)
        }
        let inside = scalar.dropFirst().dropLast()
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: "\"\(inside)?\""
        case 1: "\"[\(inside)]\""
        case 2: "\"Set<\(inside)>\""
        case 3: "\"[String: \(inside)]\""
        case 4: scalar.replacingRandomCharacter(&random)
        case 5: "\"\(inside)\(inside)\""
        case 6: String(repeating: "[", count: 40).quoted(before: inside)
        default: JSONText.quoted(EdgeCases.strings.randomElement(using: &random) ?? "").merged(with: inside)
        }
    }
}

extension String {
    fileprivate func replacingRandomCharacter(_ random: inout some RandomNumberGenerator) -> String {
        var scalars = Array(unicodeScalars)
        guard scalars.count > 2 else { return self }
        let index = Int.random(in: 1..<scalars.count - 1, using: &random)
        let others = EdgeCases.strings.joined().unicodeScalars
        scalars[index] = others.randomElement(using: &random) ?? "a"
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    fileprivate func quoted(before inside: Substring) -> String { "\"\(self)\(inside)\"" }

    /// Returns the quoted string with an appended text.
    fileprivate func merged(with inside: Substring) -> String { dropLast() + inside + "\"" }
}

// MARK: - Arrays and objects

extension JSONTree {
    private static func mutate<Item, Random: RandomNumberGenerator>(
        _ items: inout [Item],
        _ random: inout Random,
        new: (inout Random) -> Item
    ) {
        guard let index = items.indices.randomElement(using: &random) else {
            items.append(new(&random))
            return
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: items.remove(at: index)
        case 1: items.insert(items[index], at: Int.random(in: 0...items.count, using: &random))
        case 2: items.swapAt(index, Int.random(in: items.indices, using: &random))
        case 3: items.insert(new(&random), at: index)
        default: items.shuffle(using: &random)
        }
    }

    private func mutate(
        _ members: inout [Member],
        from corpus: Corpus,
        _ random: inout some RandomNumberGenerator
    ) {
        let index = members.indices.randomElement(using: &random)
        switch (Int.random(in: 0..<10, using: &random), index) {
        case (0, let index?):
            members[index].name = Self.name(from: corpus, &random)
        case (1...3, let index?):
            // A value of the same name is likely to be valid, or almost valid.
            let values = corpus.values[members[index].name]
            members[index].value = values?.randomElement(using: &random) ?? Self.any(from: corpus, &random)
        case (4, let index?):
            members[index].value = members[index].value.nested(&random)
        case (5, let index?):
            let copies = [1, 2, 10, 300].randomElement(using: &random) ?? 1
            let member = members[index]
            members += (0..<copies).map { Member(name: member.name.dropLast() + "\($0)\"", value: member.value) }
        case (6, let index?):
            members.remove(at: index)
        case (7, _):
            Self.mutate(&members, &random) {
                Member(name: Self.name(from: corpus, &$0), value: Self.any(from: corpus, &$0))
            }
        default:
            let companions = index.flatMap { corpus.companions[members[$0].name] }
            let name = companions?.randomElement(using: &random) ?? Self.name(from: corpus, &random)
            let value = corpus.values[name]?.randomElement(using: &random) ?? Self.any(from: corpus, &random)
            members.removeAll { $0.name == name }
            members.append(Member(name: name, value: value))
        }
    }

    private static func name(from corpus: Corpus, _ random: inout some RandomNumberGenerator) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return JSONText.quoted(EdgeCases.strings.randomElement(using: &random) ?? "")
        }
        return corpus.names.randomElement(using: &random) ?? #""keys""#
    }
}

/// Valid and invalid values at the limits of the schema language.
enum EdgeCases {
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

    /// Returns a random edge case as JSON.
    static func scalar(_ random: inout some RandomNumberGenerator) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 1, 2, 3: numbers.randomElement(using: &random) ?? "0"
        case 4: JSONText.quoted(long(&random))
        default: JSONText.quoted(strings.randomElement(using: &random) ?? "")
        }
    }

    /// Returns a random string, repeated many times.
    static func long(_ random: inout some RandomNumberGenerator) -> String {
        let piece = strings.randomElement(using: &random) ?? ""
        // Usually short, because long strings slow down every check.
        let times = [2, 3, 8, 40, 300].randomElement(using: &random) ?? 2
        return String(repeating: piece, count: times)
    }
}
