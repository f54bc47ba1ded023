import Foundation
import PreferencesRuntime
import Synchronization

extension Defect {
    static let names: [Defect] = [
        Defect("confuses dots with colons", fails: ["names with dots, colons and spaces are distinguished"]) {
            $0.keepNames { $0.replacing(".", with: ":") }
        },
        Defect(
            "lowercases names",
            fails: [
                "names are case-sensitive", "names may contain characters of all scripts",
                "names with dots, colons and spaces are distinguished",
            ]
        ) { $0.keepNames { $0.lowercased() } },
        Defect(
            "stores only the first plane of Unicode in names",
            fails: ["names may contain characters of all scripts"]
        ) {
            $0.keepNames { name in
                String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value > 0xFFFF ? "?" : $0 }))
            }
        },
        Defect(
            "distinguishes canonically equivalent names",
            fails: [
                "canonically equivalent names are the same name", "names may contain characters of all scripts",
            ]
        ) {
            // In names that are equal as text: by something that such text does not share.
            $0.keepNames { $0.unicodeScalars.contains("\u{301}") ? $0 + "\u{F8FF}" : $0 }
        },
        Defect("truncates names at NUL", fails: ["names may contain control characters"]) {
            $0.keepNames { String($0.prefix { $0 != "\u{0}" }) }
        },
        Defect(
            "truncates long names",
            fails: ["names of ten thousand characters that differ at the end are distinguished"]
        ) {
            $0.keepNames { String($0.prefix(1_000)) }
        },
        Defect("refuses the empty name", fails: ["the empty name can be used"]) {
            $0.write = { store, batch in
                if batch.keys.contains("") {
                    throw PreferenceProblem(.unsupportedValue, key: "", store: store.label, message: "an empty name")
                }
                try store.right.write(batch)
            }
        },
        Defect(
            "lists removed names",
            fails: [
                "a batch of a thousand changes is applied completely", "a batch sets, replaces and removes values",
                "canonically equivalent names are the same name",
                "an update reads the stored values, and its closure runs once",
                "external changes are read after reload", "names() lists the names of all values and no others",
                "null is distinguished from a name that is not set", "removing a name that is not set changes nothing",
                "random values are stored exactly",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.write = { store, batch in
                try store.right.write(batch)
                store.remembered.withLock { remembered in
                    for name in batch.keys { remembered = (remembered ?? [:]).merging([name: .null]) { $1 } }
                }
            }
            $0.names = { store in
                try store.right.names().union(store.remembered.withLock { Set(($0 ?? [:]).keys) })
            }
        },
    ]
}
