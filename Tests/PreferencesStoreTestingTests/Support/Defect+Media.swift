import Foundation
import PreferencesRuntime
import Synchronization

extension Defect {
    private struct OtherError: Error {}

    static let media: [Defect] = [
        Defect(
            "forgets when it is opened again",
            fails: [
                "a batch leaves alone what was changed outside", "a batch of a thousand changes is made whole",
                "a name is one in both normal forms of Unicode", "another store over the medium has what was flushed",
                "arrays and dictionaries are kept, empty and nested ones too",
                "changes made outside are read after reload", "changes made outside are told, and read by then",
                "data is kept byte for byte", "dates are kept to the bit",
                "dictionaries keep whatever names are in them",
                "eight threads may read, write, list and observe at the same time",
                "integers are kept up to the limits of Int64 and UInt64", "names are told apart by case",
                "names may have characters of all scripts", "names may have control characters",
                "names of ten thousand characters are kept apart at their ends",
                "names with dots, colons and spaces are kept apart", "null is told from a name that is not set",
                "numbers with fractions are kept to the bit", "reading writes nothing",
                "text is kept, whatever its characters", "the empty name is a name",
                "threads that count in two stores over one medium lose nothing", "values made at random are kept",
                "values of a megabyte are kept", "values of different kinds are kept apart",
                "what is written while the medium fails is refused, or there when it is mended",
                "while the medium fails, what was known is read or a problem thrown",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) { $0.reopen = { _ in Medium() } },
        Defect(
            "loses what was not flushed on reload",
            fails: [
                "a batch leaves alone what was changed outside", "changes made outside are read after reload",
                "reloading keeps what was applied", "threads that count in one store lose nothing",
                "threads that count in two stores over one medium lose nothing",
                "what is written while the medium fails is refused, or there when it is mended",
                "while the medium fails, what was known is read or a problem thrown",
            ]
        ) {
            $0.reload = { store in
                try store.right.write(Dictionary(uniqueKeysWithValues: store.right.names().map { ($0, .remove) }))
            }
        },
        Defect(
            "cannot flush nothing",
            fails: [
                "flushing twice, and flushing nothing, does no harm",
                "threads that count in two stores over one medium lose nothing",
                "what is nested a thousand levels deep is kept or refused",
            ]
        ) {
            $0.flush = { store in
                if try store.right.names().isEmpty {
                    throw PreferenceProblem(.storeUnwritable, store: store.label, message: "nothing to flush")
                }
            }
        },
        Defect("tells nothing of what others change", fails: ["changes made outside are told, and read by then"]) {
            $0.makesChecksWait = true
            $0.changeFromOutside = { medium, batch in try medium.read { $0.make(batch) } }
        },
        Defect(
            "never sees what others change",
            fails: [
                "changes made outside are read after reload", "changes made outside are told, and read by then",
            ]
        ) {
            $0.makesChecksWait = true
            $0.changeFromOutside = { _, _ in }
        },
        Defect("overwrites what others wrote", fails: ["a batch leaves alone what was changed outside"]) {
            $0.read = { store, name in
                let found = try store.right.medium.read { $0 }
                store.remembered.withLock { $0 = $0 ?? found }
                return found[name]
            }
            $0.write = { store, batch in
                let found = try store.right.medium.read { $0 }
                // With the lock held until the medium has it: what threads of one store write is not lost.
                try store.remembered.withLock { remembered in
                    var all = remembered ?? found
                    all.make(batch)
                    try store.right.medium.read { $0 = all }
                    remembered = all
                }
            }
        },
        Defect(
            "reads nothing while its medium fails",
            fails: [
                "while the medium fails, what was known is read or a problem thrown"
            ]
        ) {
            $0.read = { store, name in (try? store.right.value(for: name)) ?? nil }
        },
        Defect(
            "lists nothing while its medium fails",
            fails: [
                "while the medium fails, what was known is read or a problem thrown"
            ]
        ) {
            $0.names = { store in (try? store.right.names()) ?? [] }
        },
        Defect(
            "lacks fault detection, and has it",
            fails: [
                "while the medium fails, what was known is read or a problem thrown"
            ]
        ) { $0.unsupportedCapabilities = .faultDetection },
        Defect(
            "throws errors of its own while its medium fails",
            fails: [
                "while the medium fails, what was known is read or a problem thrown"
            ]
        ) {
            $0.read = { store, name in
                do { return try store.right.value(for: name) } catch { throw OtherError() }
            }
        },
        Defect(
            "says nothing of what it cannot write",
            fails: [
                "what is written while the medium fails is refused, or there when it is mended"
            ]
        ) {
            $0.write = { store, batch in try? store.right.write(batch) }
        },
    ]
}
