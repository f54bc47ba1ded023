import PreferencesSchema

extension JSONTree {
    /// Changes one place at random.
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
            Self.mutate(&elements, &random) { .scalar(OddValues.scalar(&$0)) }
            self = Bool.random(using: &random) ? .array(elements) : nested(&random)
        case .object(var members):
            mutate(&members, from: corpus, &random)
            self = .object(members)
        }
    }

    /// A value from anywhere in the corpus, or an odd one.
    private static func any(from corpus: Corpus, _ random: inout some RandomNumberGenerator) -> JSONTree {
        let name = corpus.names.randomElement(using: &random) ?? ""
        return corpus.values[name]?.randomElement(using: &random) ?? .scalar(OddValues.scalar(&random))
    }

    /// The value inside of others.
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
            return OddValues.scalar(&random)
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
        default: JSONText.quoted(OddValues.strings.randomElement(using: &random) ?? "").merged(with: inside)
        }
    }
}

extension String {
    fileprivate func replacingRandomCharacter(_ random: inout some RandomNumberGenerator) -> String {
        var scalars = Array(unicodeScalars)
        guard scalars.count > 2 else { return self }
        let index = Int.random(in: 1..<scalars.count - 1, using: &random)
        let others = OddValues.strings.joined().unicodeScalars
        scalars[index] = others.randomElement(using: &random) ?? "a"
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    fileprivate func quoted(before inside: Substring) -> String { "\"\(self)\(inside)\"" }

    /// The quoted string with more at its end.
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
            // What stands elsewhere under the same name is likely to be right, or nearly, here.
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
            return JSONText.quoted(OddValues.strings.randomElement(using: &random) ?? "")
        }
        return corpus.names.randomElement(using: &random) ?? #""keys""#
    }
}
