import PreferencesRuntime

/// Accessors of as many keys as are wanted, as if there was a line of source for each.
struct ManyKeys: PreferenceNamespace {
    static let storageName = "many"

    let preferences: Preferences

    init(preferences: Preferences) {
        self.preferences = preferences
    }

    subscript(index: Int) -> Int {
        get { get(Self.names[index], default: 0) }
        nonmutating set { set(Self.names[index], to: newValue) }
    }

    /// How many there are at most.
    static let limit = 100_000

    /// The storage names, each at a place of its own in memory, as literals are.
    static let names: [StaticString] = {
        // Accessors take literals alone, and 100,000 of them take the compiler minutes. So these are put together of what
        // the language has in a literal: a pointer, a count of bytes and, for ASCII that is pointed to, a 2. The first is
        // looked at, in case that changes.
        struct Literal {
            var start: UnsafePointer<UInt8>
            var count: Int
            var flags: UInt8
        }
        let capacity = 32
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: limit * capacity)
        var names: [StaticString] = []
        names.reserveCapacity(limit)
        for index in 0..<limit {
            let text = name(index)
            let start = bytes + index * capacity
            for (offset, byte) in text.utf8.enumerated() { (start + offset).initialize(to: byte) }
            let literal = Literal(start: UnsafePointer(start), count: text.utf8.count, flags: 2)
            names.append(unsafeBitCast(literal, to: StaticString.self))
        }
        precondition(names[0].isASCII && names[0].description == name(0), "literals are made of something else now")
        return names
    }()

    /// As long as names are.
    static func name(_ index: Int) -> String { "some-service:setting-\(index)" }
}
