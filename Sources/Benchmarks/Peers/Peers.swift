import Foundation
import Synchronization

/// Other ways to store settings on Linux, with which preferences are compared. Collections of named values hold a
/// thousand.
final class Peers {
    let properties = MutexProperties()
    let dictionary = MutexDictionary()
    let suite: TemporaryDefaults
    let numbers = NSCache<NSString, NSNumber>()
    let texts = NSCache<NSString, NSString>()
    /// A failure if GLib is not installed.
    let gsettings: Result<GSettings, any Error>

    static let count = "sample:count"
    static let path = "sample:path"

    /// - Parameter folder: A folder for temporary files.
    init(in folder: URL) throws {
        suite = try TemporaryDefaults()
        let others = (2..<1000).map { "key-\($0)" }
        gsettings = Result { try GSettings(names: others, in: folder) }
        let names = others + [Self.count]
        suite.defaults.setPersistentDomain(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }), forName: suite.name)
        for name in names {
            dictionary[name] = 1
            numbers.setObject(1, forKey: name as NSString)
        }
        if let settings = try? gsettings.get() {
            for name in others { settings.setCount(name, to: 1) }
            settings.count = 1
            settings.text = Samples.path
        }
        properties.count = 1
        properties.text = Samples.path
        properties.code = Samples.code
        dictionary[Self.path] = Samples.path
        suite.defaults.set(Samples.path, forKey: Self.path)
        texts.setObject(Samples.path as NSString, forKey: Self.path as NSString)
    }

    /// Removes all files.
    func remove() {
        suite.remove()
    }
}

extension Peers {
    var readingCountProperty: Subject {
        .timed("Mutex<Int> property", about: "reads a computed property of a final class, which locks a Mutex<Int>") {
            [properties] in sum(of: $0) { properties.count }
        }
    }

    var readingTextProperty: Subject {
        .timed("Mutex<String> property", about: "the same with a Mutex<String>, of a text of 48 bytes") {
            [properties] in sum(of: $0) { properties.text.utf8.count }
        }
    }

    var readingCodeProperty: Subject {
        .timed("Mutex<String>, 4 bytes", about: "the same, of the same text of 4 bytes") {
            [properties] in sum(of: $0) { properties.code.utf8.count }
        }
    }

    /// Reads of a number by its name.
    var readingCount: [Subject] {
        let name = Self.count
        let key = name as NSString
        return [
            .timed("Mutex dictionary", about: "a Mutex<[String: any Sendable]> of 1,000 values, and a cast") {
                [dictionary] in sum(of: $0) { dictionary[name, Int.self] ?? 0 }
            },
            .timed("NSCache", about: "object(forKey:) of 1,000 objects, with a key that was made before") {
                [numbers] in sum(of: $0) { numbers.object(forKey: key)?.intValue ?? 0 }
            },
            .timed("UserDefaults", about: "integer(forKey:), or string(forKey:), of a suite of 1,000 values") {
                [suite] in sum(of: $0) { suite.defaults.integer(forKey: name) }
            },
            .timed("GSettings", about: "g_settings_get_int, or _get_string, of a schema of 1,000 keys in memory") {
                [gsettings] in
                let settings = try gsettings.get()
                return sum(of: $0) { settings.count }
            },
        ]
    }

    /// Reads of a text by its name.
    var readingText: [Subject] {
        let name = Self.path
        let key = name as NSString
        return [
            .timed("Mutex dictionary") {
                [dictionary] in sum(of: $0) { dictionary[name, String.self]?.utf8.count ?? 0 }
            },
            .timed("NSCache") {
                [texts] in sum(of: $0) { texts.object(forKey: key).map { ($0 as String).utf8.count } ?? 0 }
            },
            .timed("UserDefaults") {
                [suite] in sum(of: $0) { suite.defaults.string(forKey: name)?.utf8.count ?? 0 }
            },
            .timed("GSettings") {
                [gsettings] in
                let settings = try gsettings.get()
                return sum(of: $0) { settings.text.utf8.count }
            },
        ]
    }
}

extension Peers {
    var writingCountProperty: Subject {
        .numbered("Mutex<Int> property", about: "sets a computed property of a final class, which locks a Mutex<Int>") {
            [properties] in properties.count = $0
        }
    }

    var writingTextProperty: Subject {
        .numbered("Mutex<String> property", about: "the same with a Mutex<String>, and one of two texts of 48 bytes") {
            [properties] in properties.text = Samples.alternatingPath($0)
        }
    }

    /// Sets of a number by its name, to a different value each time.
    var writingCount: [Subject] {
        let name = Self.count
        let key = name as NSString
        return [
            .numbered("Mutex dictionary", about: "a Mutex<[String: any Sendable]> of 1,000 values") {
                [dictionary] in dictionary[name] = $0
            },
            .numbered("NSCache", about: "setObject(_:forKey:) with 1,000 objects, and a key that was made before") {
                [numbers] in numbers.setObject($0 as NSNumber, forKey: key)
            },
            writingCountOfDefaults,
            .numbered("GSettings", about: "g_settings_set_int of a schema of 1,000 keys in memory") {
                [gsettings] in try gsettings.get().count = $0
            },
        ]
    }

    var writingCountOfDefaults: Subject {
        .numbered("UserDefaults", about: "set(_:forKey:) of a suite of 1,000 values, which is not saved") {
            [suite] in suite.defaults.set($0, forKey: Self.count)
        }
    }

    /// Sets of a text by its name, to a different value each time.
    var writingText: Subject {
        .numbered("Mutex dictionary") { [dictionary] in dictionary[Self.path] = Samples.alternatingPath($0) }
    }
}

/// Hand-written thread-safe settings: a lock for each property.
final class MutexProperties: Sendable {
    private let lockedCount = Mutex(0)
    private let lockedText = Mutex("")
    private let lockedCode = Mutex("")

    var count: Int {
        get { lockedCount.withLock { $0 } }
        set { lockedCount.withLock { $0 = newValue } }
    }

    var text: String {
        get { lockedText.withLock { $0 } }
        set { lockedText.withLock { $0 = newValue } }
    }

    var code: String {
        get { lockedCode.withLock { $0 } }
        set { lockedCode.withLock { $0 = newValue } }
    }
}

/// Hand-written named settings: a dictionary behind a lock.
final class MutexDictionary: Sendable {
    private let values = Mutex<[String: any Sendable]>([:])

    subscript<Value: Sendable>(name: String, type: Value.Type = Value.self) -> Value? {
        get { values.withLock { $0[name] as? Value } }
        set { values.withLock { $0[name] = newValue } }
    }
}
