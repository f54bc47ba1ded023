import Foundation
import PreferencesRuntime

/// Values of the keys in the schema's namespace `sample`.
enum Samples {
    /// Strings that are created at run time and therefore reference-counted, like those that are read from a file.
    static let path = ["", "var", "lib", "benchmarks", "some-text-of-a-usual-length.."].joined(separator: "/")
    static let otherPath = ["", "var", "lib", "benchmarks", "another-text-of-usual-length."].joined(separator: "/")
    /// A string that is stored inline, as strings of up to 15 bytes are.
    static let code = "ENBL"

    /// Returns one of two strings of 48 bytes, which alternate with the number.
    static func alternatingPath(_ number: Int) -> String { number & 1 == 0 ? path : otherPath }

    /// Edits that set 999 keys besides `sample.count`.
    static let otherKeys: [String: PreferenceEdit] = Dictionary(
        uniqueKeysWithValues: (1..<1000).map { ("key-\($0)", .set(1)) }
    )

    /// Sets all keys except those of `unset`.
    static func set(in preferences: Preferences) {
        let sample = preferences.sample
        sample.flag = true
        sample.count = 1
        sample.level = 21.5
        sample.volume = 30
        sample.unit = .kelvin
        sample.limit = 7
        sample.code = code
        sample.path = path
        sample.owner = path
        sample.stations = [path, otherPath]
        sample.moment = Date(timeIntervalSinceReferenceDate: 800_000_000)
    }

    /// Returns preferences in memory with all keys set.
    static func makePreferences(over store: MemoryStore = MemoryStore(), isObserved: Bool = false) -> Preferences {
        let preferences = Preferences(store: store, isObserved: isObserved)
        set(in: preferences)
        return preferences
    }
}

/// Accessors of many keys, which behave like generated ones.
struct ManyKeys: PreferenceNamespace {
    static let storageName = "many"

    let preferences: Preferences

    subscript(index: Int) -> Int {
        get { get(Self.names[index], default: 0) }
        nonmutating set { set(Self.names[index], to: newValue) }
    }

    /// The maximum number of keys.
    static let limit = 100_000

    /// The storage names, each at its own address, as literals are.
    static let names: [StaticString] = {
        // Accessors accept only literals, and the compiler takes minutes for 100,000 of them. Therefore this code
        // creates the memory layout of a literal: a pointer, a count of bytes and flags, which are 2 for ASCII behind a
        // pointer. The precondition detects a different layout.
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
        precondition(
            names[0].isASCII && names[0].description == name(0),
            "the memory layout of StaticString has changed"
        )
        return names
    }()

    /// Returns a name of typical length.
    static func name(_ index: Int) -> String { "some-service:setting-\(index)" }
}

/// The sum of the values that watchers received.
final class ValueSum: Sendable {
    // Unchecked, because a lock's cost would be measured as well. Each benchmark sets its keys, and reads the sum, on
    // one thread, which calls the watchers.
    nonisolated(unsafe) var sum = 0
}
