import PreferencesRuntime

extension PreferenceValue {
    var isText: Bool {
        if case .string = self { true } else { false }
    }

    /// The values in it, if it is an array or a dictionary.
    private var children: [PreferenceValue] {
        switch self {
        case .array(let values): values
        case .dictionary(let values): Array(values.values)
        default: []
        }
    }

    /// How deep arrays and dictionaries are nested: 0 for other values, 1 for an empty array.
    var depth: Int {
        switch self {
        case .array, .dictionary: 1 + (children.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    /// The bytes of text and data, of what it holds too.
    var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: children.reduce(0) { $0 + $1.size }
        }
    }

    var containsNull: Bool {
        if case .null = self { true } else { children.contains(where: \.containsNull) }
    }
}
