import Foundation
import PreferencesRuntime
import Synchronization

extension Defect {
    private struct OtherError: Error {}

    static let backendFailures: [Defect] = [
        Defect(
            "loses its values when it is reopened",
            fails: [
                "a batch preserves external changes of other names",
                "a batch of a thousand changes is applied completely",
                "canonically equivalent names are the same name",
                "another store over the backend reads flushed changes",
                "arrays and dictionaries are stored, including empty and nested ones",
                "external changes are read after reload",
                "observers are notified of external changes, and read the new values",
                "data is stored exactly", "dates are stored exactly",
                "dictionaries are stored with any keys",
                "eight threads may read, write, list and observe at the same time",
                "integers are stored exactly up to the limits of Int64 and UInt64", "names are case-sensitive",
                "names may contain characters of all scripts", "names may contain control characters",
                "names of ten thousand characters that differ at the end are distinguished",
                "names with dots, colons and spaces are distinguished",
                "null is distinguished from a name that is not set",
                "floating-point numbers are stored exactly", "reading writes nothing",
                "strings are stored exactly, with any characters", "the empty name can be used",
                "concurrent updates of two stores over one backend lose no change", "random values are stored exactly",
                "values of a megabyte are stored", "values of different types are distinguished",
                "while the backend fails, writes are refused or preserved",
                "while the backend fails, reads return the stored value or throw a problem",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) { $0.reopen = { _ in MemoryBackend() } },
        Defect(
            "loses its values on reload",
            fails: [
                "a batch preserves external changes of other names", "external changes are read after reload",
                "reloading preserves applied changes", "concurrent updates of one store lose no change",
                "concurrent updates of two stores over one backend lose no change",
                "while the backend fails, writes are refused or preserved",
                "while the backend fails, reads return the stored value or throw a problem",
            ]
        ) {
            $0.reload = { store in
                try store.correct.write(Dictionary(uniqueKeysWithValues: store.correct.names().map { ($0, .remove) }))
            }
        },
        Defect(
            "cannot flush without values",
            fails: [
                "flushing succeeds twice, and without changes",
                "concurrent updates of two stores over one backend lose no change",
                "a value nested a thousand levels deep is stored or refused",
            ]
        ) {
            $0.flush = { store in
                if try store.correct.names().isEmpty {
                    throw PreferenceProblem(.storeUnwritable, store: store.label, message: "nothing to flush")
                }
            }
        },
        Defect(
            "does not notify of external changes",
            fails: ["observers are notified of external changes, and read the new values"]
        ) {
            $0.causesTimeouts = true
            $0.changeExternally = { backend, batch in try backend.read { $0.apply(PreferenceBatch(batch)) } }
        },
        Defect(
            "never reads external changes",
            fails: [
                "external changes are read after reload",
                "observers are notified of external changes, and read the new values",
            ]
        ) {
            $0.causesTimeouts = true
            $0.changeExternally = { _, _ in }
        },
        Defect("overwrites external changes", fails: ["a batch preserves external changes of other names"]) {
            $0.read = { store, name in
                let found = try store.correct.backend.read { $0 }
                store.cachedValues.withLock { $0 = $0 ?? found }
                return found[name]
            }
            $0.write = { store, batch in
                let found = try store.correct.backend.read { $0 }
                // The lock is held until the backend is written, so that writes of one store are not lost.
                try store.cachedValues.withLock { cachedValues in
                    var all = cachedValues ?? found
                    all.apply(PreferenceBatch(batch))
                    try store.correct.backend.read { $0 = all }
                    cachedValues = all
                }
            }
        },
        Defect(
            "reads nothing while its backend fails",
            fails: [
                "while the backend fails, reads return the stored value or throw a problem"
            ]
        ) {
            $0.read = { store, name in (try? store.correct.value(for: name)) ?? nil }
        },
        Defect(
            "lists nothing while its backend fails",
            fails: [
                "while the backend fails, reads return the stored value or throw a problem"
            ]
        ) {
            $0.names = { store in (try? store.correct.names()) ?? [] }
        },
        Defect(
            "declares fault detection unsupported, but detects faults",
            fails: [
                "while the backend fails, reads return the stored value or throw a problem"
            ]
        ) { $0.unsupportedCapabilities = .faultDetection },
        Defect(
            "throws other errors than problems while its backend fails",
            fails: [
                "while the backend fails, reads return the stored value or throw a problem"
            ]
        ) {
            $0.read = { store, name in
                do { return try store.correct.value(for: name) } catch { throw OtherError() }
            }
        },
        Defect(
            "ignores failed writes",
            fails: [
                "while the backend fails, writes are refused or preserved"
            ]
        ) {
            $0.write = { store, batch in try? store.correct.write(batch) }
        },
    ]
}
