/// The members of a JSON object of an expected kind.
struct Fields {
    var place: Range<Int>
    /// The members with recognized names. They are searched linearly, since they are too few for a table to pay off.
    private var members: [JSONMember]
    private var misspelled: Set<String>

    fileprivate init(place: Range<Int>, members: [JSONMember], misspelled: Set<String>) {
        self.place = place
        self.members = members
        self.misspelled = misspelled
    }

    subscript(name: String) -> JSONNode? { index(of: name).map { members[$0].value } }

    /// Returns the member of a field, with the range of its name.
    func member(_ name: String) -> JSONMember? { index(of: name).map { members[$0] } }

    /// Returns whether any of the fields is present.
    func containAny(of names: [String]) -> Bool { members.contains { names.containsName($0.name) } }

    private func index(of name: String) -> Int? {
        // Compares by index, since copying members takes longer than comparing their names. A loop, since debug builds
        // of the generator call the closure of `first(where:)` slowly.
        var index = 0
        while index < members.count {
            if members[index].name.isEqual(to: name) { return index }
            index += 1
        }
        return nil
    }

    /// Returns whether a field is missing. False if an unknown field, which is reported, is probably a misspelling of
    /// it.
    func isMissing(_ name: String) -> Bool { index(of: name) == nil && !misspelled.contains(name) }

    /// Whether both `keys` and `namespaces` are missing or empty.
    var containNoKeys: Bool {
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
    /// Returns the fields of an object, reporting unknown ones. Reports a node that is not an object, and returns
    /// nil.
    mutating func fields(of node: JSONNode, _ kind: ObjectKind) -> Fields? {
        guard let members = members(of: node, what: kind.description) else { return nil }
        let names = kind.fields
        // Usually all names are recognized, and the members need not be copied.
        guard members.contains(where: { !names.containsName($0.name) }) else {
            return Fields(place: node.range, members: members, misspelled: [])
        }
        var recognized: [JSONMember] = []
        var misspelled: Set<String> = []
        for member in members {
            if names.contains(member.name) {
                recognized.append(member)
            } else {
                let synonym = ObjectKind.synonyms[member.name].flatMap { names.contains($0) ? $0 : nil }
                let suggestion = suggestions.nearest(to: member.name, among: names) ?? synonym
                if let suggestion { misspelled.insert(suggestion) }
                report(
                    .unknownField,
                    at: member.nameRange,
                    "\(kind.description) has no field '\(member.name)'",
                    note: suggestion.map { "did you mean '\($0)'?" }
                        ?? Self.intendedParent(of: member, among: names).map { "move it into '\($0)'" }
                        ?? "its fields are \(names.quotedList)"
                )
            }
        }
        return Fields(place: node.range, members: recognized, misspelled: misspelled)
    }

    /// Returns the field that a misplaced member probably belongs in: keys and namespaces each have their own.
    private static func intendedParent(of member: JSONMember, among names: [String]) -> String? {
        guard names.contains("namespaces"), case .object(let inner) = member.value.content else { return nil }
        func has(_ name: String) -> Bool { inner.contains { $0.name == name } }
        return has("type") ? "keys" : has("keys") || has("namespaces") ? "namespaces" : nil
    }

    /// Returns the members of an object. Reports any other node, and returns nil.
    mutating func members(of node: JSONNode, what: String) -> [JSONMember]? {
        if case .object(let members) = node.content { return members }
        reportWrongType(of: node, what: what, expected: "an object")
        return nil
    }

    /// Returns the elements of an array. Reports any other node, and returns nil.
    mutating func elements(of node: JSONNode, what: String) -> [JSONNode]? {
        if case .array(let elements) = node.content { return elements }
        reportWrongType(of: node, what: what, expected: "an array")
        return nil
    }

    /// Returns a string. Reports any other node, and returns nil.
    mutating func string(_ node: JSONNode?, what: String) -> String? {
        guard let node else { return nil }
        if case .string(let string) = node.content { return string }
        reportWrongType(of: node, what: what, expected: "a string")
        return nil
    }

    /// Returns a text for documentation comments, or nil if it is blank, since an empty comment documents nothing.
    mutating func documentationText(_ node: JSONNode?, what: String) -> String? {
        string(node, what: what).flatMap { $0.isBlank ? nil : $0 }
    }

    /// Returns a Boolean. Returns false for a missing node, and reports any other one.
    mutating func flag(_ node: JSONNode?, what: String) -> Bool {
        optionalFlag(node, what: what) ?? false
    }

    /// Returns a Boolean. Returns nil for a missing node, and reports any other one.
    mutating func optionalFlag(_ node: JSONNode?, what: String) -> Bool? {
        guard let node else { return nil }
        if case .bool(let bool) = node.content { return bool }
        reportWrongType(of: node, what: what, expected: "true or false")
        return nil
    }

    /// Returns the strings of an array and their places. Reports and omits other elements and duplicates.
    mutating func strings(_ node: JSONNode?, what: String) -> [Name] {
        guard let node, let elements = elements(of: node, what: "'\(what)'") else { return [] }
        var first: [String: Range<Int>] = [:]
        return elements.compactMap { element in
            guard let text = string(element, what: "an element of '\(what)'") else { return nil }
            if let other = first[text] {
                report(.duplicateElement, at: element.range, "'\(text)' is listed twice in '\(what)'", firstAt: other)
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
    /// Returns whether two strings are equal. Most names of fields differ in length, which takes a fifth of the time
    /// to compare.
    fileprivate func isEqual(to other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}

extension [String] {
    /// Returns whether a name is among these.
    fileprivate func containsName(_ name: String) -> Bool { contains { $0.isEqual(to: name) } }
}

extension Collection<String> {
    /// The elements in quotes: `'a', 'b' and 'c'`.
    package var quotedList: String { quotedList(count: count) }
}

extension Sequence<String> {
    /// Returns the elements in quotes: `'a', 'b' and 'c'`. Of a long list, only the first, and the number of the
    /// others.
    ///
    /// - Parameter count: The number of elements. Counting a lazy sequence would evaluate it.
    func quotedList(count: Int) -> String {
        // The 28 fields of a key are always listed completely.
        let shown = count <= 32 ? count : 24
        var quoted = prefix(shown).map { "'\($0)'" }
        if count > shown { quoted.append("\(count - shown) more") }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension String {
    /// Whether the text has no visible characters.
    var isBlank: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
            default: false
            }
        }
    }
}

/// The kinds of JSON object in a schema or a configuration, with their fields.
enum ObjectKind {
    case file
    case namespace
    case key
    case type
    case enumCase
    case structField
    case elementConstraints
    case lint
    case acceptedChange
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
        case .acceptedChange: "an accepted change"
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
        case .acceptedChange: Self.acceptedChangeFields
        case .configuration: ["$schema", "access", "catalogue", "hostDirectory", "imports"]
        }
    }

    private static let fileFields = [
        "$schema", "formatVersion", "description", "access", "catalogue", "imports", "includes", "types", "typeName",
        "host", "hooks", "reserved", "lint", "acceptedChanges", "keys", "namespaces",
    ]

    static let acceptedChangeFields = ["rule", "subject", "reason"]

    private static let namespaceFields = [
        "id", "typeName", "description", "access", "host", "hooks", "managed", "scope", "reserved", "lint", "keys",
        "namespaces",
    ]

    private static let keyFields =
        [
            "type", "default", "defaultExpression", "platformDefaults", "id", "storageName", "description", "label",
            "unit", "access", "setAccess", "readOnly", "secret", "managed", "scope", "merge", "deprecated",
            "renamedFrom", "lint",
        ] + constraintFields

    static let constraintFields = [
        "minimum", "maximum", "pattern", "minLength", "maxLength", "minCount", "maxCount", "choices", "each",
    ]

    /// Names that other settings languages use for some of the fields.
    static let synonyms = [
        "min": "minimum", "max": "maximum", "minValue": "minimum", "maxValue": "maximum", "enum": "choices",
        "options": "choices", "values": "choices", "regex": "pattern", "defaultValue": "default", "value": "default",
        "summary": "description", "doc": "description", "desc": "description", "title": "label", "name": "id",
        "key": "id", "storageKey": "storageName", "storedAs": "storageName", "visibility": "access",
        "readonly": "readOnly", "include": "includes", "import": "imports", "roaming": "scope", "mergeRule": "merge",
        "groups": "namespaces", "features": "namespaces", "preferences": "keys", "settings": "keys",
    ]
}
