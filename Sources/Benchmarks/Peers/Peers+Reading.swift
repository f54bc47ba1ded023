import Foundation

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

    /// Reading a number by its name.
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

    /// Reading a text by its name.
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
