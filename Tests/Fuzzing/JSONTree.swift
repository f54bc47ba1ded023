import PreferencesSchema

/// A JSON text as what it is made of, to be taken apart and put together otherwise: scalars and names stay as they are
/// written, so that they can be faulty.
indirect enum JSONTree: Sendable {
    /// A string, number, `true`, `false` or `null` as it is written.
    case scalar(String)
    case array([JSONTree])
    case object([Member])

    struct Member: Sendable {
        /// As it is written, with its quotes.
        var name: String
        var value: JSONTree
    }

    /// The tree of a text that is JSON; nil for one that is not.
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
    /// How many values there are, this one included.
    var count: Int {
        switch self {
        case .scalar: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }

    /// Changes a value: the `index`th, counted from this one as 0 in the order of the text.
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
