import PreferencesJSON

/// The kinds of JSON object that a schema is made of, with the fields that each may have.
enum ObjectKind {
    case file
    case namespace
    case key
    case type
    case configuration

    var description: String {
        switch self {
        case .file: "a schema"
        case .namespace: "a namespace"
        case .key: "a key"
        case .type: "a type"
        case .configuration: "a configuration"
        }
    }

    var fields: [String] {
        switch self {
        case .file: ["$schema", "formatVersion", "access", "host", "types", "keys", "namespaces"]
        case .namespace: ["id", "description", "access", "host", "keys", "namespaces"]
        case .key: ["type", "default", "id", "description", "access"]
        case .type: ["enum", "description"]
        case .configuration: ["$schema", "access", "hostDirectory", "imports"]
        }
    }
}

/// The members of a JSON object that stands where the schema language wants one of a kind.
struct Fields {
    var place: Range<Int>
    private var members: [String: JSONMember]
    private var misspelt: Set<String>

    fileprivate init(place: Range<Int>, members: [String: JSONMember], misspelt: Set<String>) {
        self.place = place
        self.members = members
        self.misspelt = misspelt
    }

    subscript(name: String) -> JSONNode? { members[name]?.value }

    /// Whether a field is missing, and not because an unknown one, which is reported, was meant to be it.
    func isMissing(_ name: String) -> Bool { members[name] == nil && !misspelt.contains(name) }

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
        var known: [String: JSONMember] = [:]
        var misspelt: Set<String> = []
        for member in members {
            if kind.fields.contains(member.name) {
                known[member.name] = member
            } else {
                let suggestion = suggestions.nearest(to: member.name, among: kind.fields)
                if let suggestion { misspelt.insert(suggestion) }
                report(
                    .unknownField,
                    at: member.nameRange,
                    "\(kind.description) has no field '\(member.name)'",
                    note: suggestion.map { "did you mean '\($0)'?" }
                        ?? "its fields are \(kind.fields.quotedList)"
                )
            }
        }
        return Fields(place: node.range, members: known, misspelt: misspelt)
    }

    /// The members of an object; nil, and reported, where `node` is none.
    mutating func members(of node: JSONNode, what: String) -> [JSONMember]? {
        if case .object(let members) = node.content { return members }
        report(.wrongJSONType, at: node.range, "\(what) must be an object, not \(node.typeDescription)")
        return nil
    }

    /// A string; nil, and reported, where `node` is none.
    mutating func string(_ node: JSONNode?, what: String) -> String? {
        guard let node else { return nil }
        if case .string(let string) = node.content { return string }
        report(.wrongJSONType, at: node.range, "\(what) must be a string, not \(node.typeDescription)")
        return nil
    }
}

extension [String] {
    /// `'a', 'b' and 'c'`.
    package var quotedList: String {
        let quoted = map { "'\($0)'" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " and " + last
    }
}
