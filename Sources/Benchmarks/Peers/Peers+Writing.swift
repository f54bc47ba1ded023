import Foundation

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

    /// Setting a number by its name, to another one each time.
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

    /// Setting a text by its name, to another one each time.
    var writingText: Subject {
        .numbered("Mutex dictionary") { [dictionary] in dictionary[Self.path] = Samples.alternatingPath($0) }
    }
}
