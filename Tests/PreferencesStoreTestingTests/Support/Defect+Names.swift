import Foundation
import PreferencesRuntime
import Synchronization

extension Defect {
    static let names: [Defect] = [
        Defect("takes dots for colons", fails: ["names with dots, colons and spaces are kept apart"]) {
            $0.keepNames { $0.replacing(".", with: ":") }
        },
        Defect(
            "lowercases names",
            fails: [
                "names are told apart by case", "names may have characters of all scripts",
                "names with dots, colons and spaces are kept apart",
            ]
        ) { $0.keepNames { $0.lowercased() } },
        Defect("has but the first plane of Unicode in names", fails: ["names may have characters of all scripts"]) {
            $0.keepNames { name in
                String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value > 0xFFFF ? "?" : $0 }))
            }
        },
        Defect(
            "tells the normal forms of a name apart",
            fails: [
                "a name is one in both normal forms of Unicode", "names may have characters of all scripts",
            ]
        ) {
            // In names that are equal as text: by something that such text does not share.
            $0.keepNames { $0.unicodeScalars.contains("\u{301}") ? $0 + "\u{F8FF}" : $0 }
        },
        Defect("ends names at NUL", fails: ["names may have control characters"]) {
            $0.keepNames { String($0.prefix { $0 != "\u{0}" }) }
        },
        Defect("truncates long names", fails: ["names of ten thousand characters are kept apart at their ends"]) {
            $0.keepNames { String($0.prefix(1_000)) }
        },
        Defect("refuses the empty name", fails: ["the empty name is a name"]) {
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
                "a batch of a thousand changes is made whole", "a batch sets, replaces and removes",
                "a name is one in both normal forms of Unicode",
                "an update is made from what is kept, and its closure runs once",
                "changes made outside are read after reload", "names() has the names of all values, and no others",
                "null is told from a name that is not set", "removing what is not set changes nothing",
                "values made at random are kept",
                "a writer's batches and updates are made as those without a writer",
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
