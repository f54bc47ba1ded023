import PreferencesSchema

/// A JSON text as a tree that can be changed. Scalars and names are source text, so that they can be invalid.
indirect enum JSONTree: Sendable {
    /// The source text of a string, a number, `true`, `false` or `null`.
    case scalar(String)
    case array([JSONTree])
    case object([Member])

    struct Member: Sendable {
        /// The source text of the name, with quotes.
        var name: String
        var value: JSONTree
    }

    /// Creates the tree of a text; nil if it is not JSON.
    init?(_ bytes: [UInt8]) {
        guard let root = JSONReader.read(bytes).root else { return nil }
        self.init(root, bytes)
    }

    private init(_ node: JSONNode, _ bytes: [UInt8]) {
        switch node.content {
        case .array(let elements): self = .array(elements.map { JSONTree($0, bytes) })
        case .object(let members):
            self = .object(
                members.map {
                    Member(name: String(decoding: bytes[$0.nameRange], as: UTF8.self), value: JSONTree($0.value, bytes))
                }
            )
        default: self = .scalar(String(decoding: bytes[node.range], as: UTF8.self))
        }
    }

    var text: String {
        var text = ""
        append(to: &text)
        return text
    }

    private func append(to text: inout String) {
        switch self {
        case .scalar(let scalar): text += scalar
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                element.append(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ",\n" }
                text += "\(member.name): "
                member.value.append(to: &text)
            }
            text += "}"
        }
    }
}

// MARK: - Nodes by number

extension JSONTree {
    /// The number of values in the tree, including this one.
    var count: Int {
        switch self {
        case .scalar: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }

    /// Changes the value at an index. The index of this value is 0, and the indices follow the text.
    mutating func change(_ index: Int, _ body: (inout JSONTree) -> Void) {
        var left = index
        change(&left, body)
    }

    private mutating func change(_ left: inout Int, _ body: (inout JSONTree) -> Void) {
        if left == 0 { body(&self) }
        left -= 1
        switch self {
        case .scalar: break
        case .array(var elements):
            self = .scalar("null")
            for index in elements.indices where left >= 0 { elements[index].change(&left, body) }
            self = .array(elements)
        case .object(var members):
            self = .scalar("null")
            for index in members.indices where left >= 0 { members[index].value.change(&left, body) }
            self = .object(members)
        }
    }

    /// The members of every object in the tree.
    var objects: [[Member]] {
        switch self {
        case .scalar: []
        case .array(let elements): elements.flatMap(\.objects)
        case .object(let members): [members] + members.flatMap(\.value.objects)
        }
    }
}
