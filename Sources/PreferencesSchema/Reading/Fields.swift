/// The members of a JSON object that stands where the schema language wants one of a kind.
struct Fields {
    var place: Range<Int>
    /// Those of a known name. They are searched, as there are too few of them for a table to be worth making.
    private var members: [JSONMember]
    private var misspelt: Set<String>

    fileprivate init(place: Range<Int>, members: [JSONMember], misspelt: Set<String>) {
        self.place = place
        self.members = members
        self.misspelt = misspelt
    }

    subscript(name: String) -> JSONNode? { index(of: name).map { members[$0].value } }

    /// A field with its name's place.
    func member(_ name: String) -> JSONMember? { index(of: name).map { members[$0] } }

    /// Whether any of some fields is there.
    func haveAny(of names: [String]) -> Bool { members.contains { names.has($0.name) } }

    private func index(of name: String) -> Int? {
        // By index, as to copy members takes longer than to compare their names.
        members.indices.first { members[$0].name.isSame(as: name) }
    }

    /// Whether a field is missing, and not because an unknown one, which is reported, was meant to be it.
    func isMissing(_ name: String) -> Bool { index(of: name) == nil && !misspelt.contains(name) }

    /// Whether neither `keys` nor `namespaces` has anything in it.
    var areWithoutKeys: Bool {
        ["keys", "namespaces"].allSatisfy { name in
            switch self[name]?.content {
            case nil: isMissing(name)
            case .object(let members)?: members.isEmpty
            default: false
            }
        }
    }
}

extension SchemaReader {
    /// The fields of an object, unknown ones reported; nil, and reported, where `node` is no object.
    mutating func fields(of node: JSONNode, _ kind: ObjectKind) -> Fields? {
        guard let members = members(of: node, what: kind.description) else { return nil }
        let names = kind.fields
        // Nearly always all are known, and the members need not be copied.
        guard members.contains(where: { !names.has($0.name) }) else {
            return Fields(place: node.range, members: members, misspelt: [])
        }
        var known: [JSONMember] = []
        var misspelt: Set<String> = []
        for member in members {
            if names.contains(member.name) {
                known.append(member)
            } else {
                let other = ObjectKind.otherNames[member.name].flatMap { names.contains($0) ? $0 : nil }
                let suggestion = suggestions.nearest(to: member.name, among: names) ?? other
                if let suggestion { misspelt.insert(suggestion) }
                report(
                    .unknownField,
                    at: member.nameRange,
                    "\(kind.description) has no field '\(member.name)'",
                    note: suggestion.map { "did you mean '\($0)'?" }
                        ?? Self.home(of: member, among: names).map { "put it into '\($0)'" }
                        ?? "its fields are \(names.quotedList)"
                )
            }
        }
        return Fields(place: node.range, members: known, misspelt: misspelt)
    }

    /// The field that a member looks as if it belonged into: a key, or a namespace, stands in one.
    private static func home(of member: JSONMember, among names: [String]) -> String? {
        guard names.contains("namespaces"), case .object(let inner) = member.value.content else { return nil }
        func has(_ name: String) -> Bool { inner.contains { $0.name == name } }
        return has("type") ? "keys" : has("keys") || has("namespaces") ? "namespaces" : nil
    }

    /// The members of an object; nil, and reported, where `node` is none.
    mutating func members(of node: JSONNode, what: String) -> [JSONMember]? {
        if case .object(let members) = node.content { return members }
        reportWrongType(of: node, what: what, expected: "an object")
        return nil
    }

    /// The elements of an array; nil, and reported, where `node` is none.
    mutating func elements(of node: JSONNode, what: String) -> [JSONNode]? {
        if case .array(let elements) = node.content { return elements }
        reportWrongType(of: node, what: what, expected: "an array")
        return nil
    }

    /// A string; nil, and reported, where `node` is none.
    mutating func string(_ node: JSONNode?, what: String) -> String? {
        guard let node else { return nil }
        if case .string(let string) = node.content { return string }
        reportWrongType(of: node, what: what, expected: "a string")
        return nil
    }

    /// A text that is written into documentation, nil where it is blank: a comment without text documents nothing.
    mutating func prose(_ node: JSONNode?, what: String) -> String? {
        string(node, what: what).flatMap { $0.isBlank ? nil : $0 }
    }

    /// A boolean, false where there is none; false too, and reported, where `node` is something else.
    mutating func flag(_ node: JSONNode?, what: String) -> Bool {
        guard let node else { return false }
        if case .bool(let bool) = node.content { return bool }
        reportWrongType(of: node, what: what, expected: "true or false")
        return false
    }

    /// The strings of an array and their places, without those, reported, that are none or given twice.
    mutating func strings(_ node: JSONNode?, what: String) -> [Name] {
        guard let node, let elements = elements(of: node, what: "'\(what)'") else { return [] }
        var first: [String: Range<Int>] = [:]
        return elements.compactMap { element in
            guard let text = string(element, what: "an element of '\(what)'") else { return nil }
            if let other = first[text] {
                report(.duplicateElement, at: element.range, "'\(text)' is in '\(what)' twice", firstAt: other)
                return nil
            }
            first[text] = element.range
            return Name(text: text, place: place(element.range))
        }
    }

    mutating func reportWrongType(of node: JSONNode, what: String, expected: String) {
        report(.wrongJSONType, at: node.range, "\(what) must be \(expected), not \(node.typeDescription)")
    }
}

extension String {
    /// Whether the text is another one. Most names of fields differ in length, which takes a fifth of the time to see.
    fileprivate func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}

extension [String] {
    /// Whether a name is among these.
    fileprivate func has(_ name: String) -> Bool { contains { $0.isSame(as: name) } }
}

extension Collection<String> {
    /// `'a', 'b' and 'c'`.
    package var quotedList: String { quotedList(count: count) }
}

extension Sequence<String> {
    /// `'a', 'b' and 'c'`; of very many, the first, and how many more there are.
    ///
    /// - Parameter count: The number of elements; counting a lazy sequence would evaluate it.
    func quotedList(count: Int) -> String {
        // The 24 fields of a key are always listed whole.
        let shown = count <= 32 ? count : 24
        var quoted = prefix(shown).map { "'\($0)'" }
        if count > shown { quoted.append("\(count - shown) more") }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension String {
    /// Whether nothing of the text is visible.
    var isBlank: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
            default: false
            }
        }
    }
}

/// The kinds of JSON object that a schema is made of, with the fields that each may have.
enum ObjectKind {
    case file
    case namespace
    case key
    case type
    case enumCase
    case structField
    case elementConstraints
    case lint
    case configuration

    var description: String {
        switch self {
        case .file: "a schema"
        case .namespace: "a namespace"
        case .key: "a key"
        case .type: "a type"
        case .enumCase: "an enum case"
        case .structField: "a field of a struct"
        case .elementConstraints: "'each'"
        case .lint: "'lint'"
        case .configuration: "a configuration"
        }
    }

    var fields: [String] {
        switch self {
        case .file: Self.fileFields
        case .namespace: Self.namespaceFields
        case .key: Self.keyFields
        case .type: ["enum", "struct", "external", "description", "lint"]
        case .enumCase: ["value", "label", "description"]
        case .structField: ["type", "default", "id", "description"]
        case .elementConstraints: Self.constraintFields
        case .lint: ["ignore"]
        case .configuration: ["$schema", "access", "hostDirectory", "imports"]
        }
    }

    private static let fileFields = [
        "$schema", "formatVersion", "description", "access", "imports", "includes", "types", "host", "reserved", "lint",
        "keys", "namespaces",
    ]

    private static let namespaceFields = [
        "id", "description", "access", "host", "reserved", "lint", "keys", "namespaces",
    ]

    private static let keyFields =
        [
            "type", "default", "defaultExpression", "platformDefaults", "id", "description", "label", "unit", "access",
            "setAccess", "readOnly", "secret", "deprecated", "renamedFrom", "lint",
        ] + constraintFields

    static let constraintFields = [
        "minimum", "maximum", "pattern", "minLength", "maxLength", "minCount", "maxCount", "choices", "each",
    ]

    /// What other languages of settings call some of the fields.
    static let otherNames = [
        "min": "minimum", "max": "maximum", "minValue": "minimum", "maxValue": "maximum", "enum": "choices",
        "options": "choices", "values": "choices", "regex": "pattern", "defaultValue": "default", "value": "default",
        "summary": "description", "doc": "description", "desc": "description", "title": "label", "name": "id",
        "key": "id", "visibility": "access", "readonly": "readOnly", "include": "includes", "import": "imports",
        "groups": "namespaces", "features": "namespaces", "preferences": "keys", "settings": "keys",
    ]
}
