import Dispatch
import Foundation
import PreferencesRuntime

extension Defect {
    static let batches: [Defect] = [
        Defect(
            "drops the last change of a batch",
            fails: [
                "other threads see a batch completely or not at all",
                "a batch preserves external changes of other names",
                "a batch of a thousand changes is applied completely", "a batch sets, replaces and removes values",
                "an update reads the stored values, and its closure runs once",
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
                "names() lists the names of all values and no others",
                "null is distinguished from a name that is not set",
                "floating-point numbers are stored exactly", "observers read the new values when they are notified",
                "reloading preserves applied changes", "strings are stored exactly, with any characters",
                "the empty name can be used", "random values are stored exactly", "values of a megabyte are stored",
                "values of different types are distinguished",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.write = { store, batch in
                let kept = batch.sorted { $0.key < $1.key }.prefix(max(1, batch.count - 1))
                try store.correct.write(Dictionary(uniqueKeysWithValues: Array(kept)))
            }
        },
        Defect(
            "never removes a value",
            fails: [
                "a batch of a thousand changes is applied completely", "a batch sets, replaces and removes values",
                "canonically equivalent names are the same name",
                "an update reads the stored values, and its closure runs once",
                "another store over the backend reads flushed changes",
                "names() lists the names of all values and no others",
                "null is distinguished from a name that is not set",
                "observers read the new values when they are notified", "random values are stored exactly",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.write = { store, batch in try store.correct.write(batch.filter { $0.value != .remove }) }
        },
        Defect(
            "sets removed names to null",
            fails: [
                "a batch of a thousand changes is applied completely", "a batch sets, replaces and removes values",
                "canonically equivalent names are the same name",
                "an update reads the stored values, and its closure runs once",
                "another store over the backend reads flushed changes",
                "names() lists the names of all values and no others",
                "null is distinguished from a name that is not set",
                "observers read the new values when they are notified",
                "removing a name that is not set changes nothing",
                "random values are stored exactly",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.write = { store, batch in
                try store.correct.write(batch.mapValues { $0 == .remove ? .set(.null) : $0 })
            }
        },
        Defect(
            "is emptied by an empty batch",
            fails: [
                "an empty batch changes nothing",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.apply = { store, batch in
                let all = try batch.isEmpty ? store.correct.names() : []
                try store.correct.apply(PreferenceBatch(batch.merging(all.map { ($0, .remove) }) { $1 }))
            }
        },
        Defect(
            "removes everything if a removed name is not set",
            fails: [
                "names() lists the names of all values and no others",
                "removing a name that is not set changes nothing",
            ]
        ) {
            $0.write = { store, batch in
                let all = try store.correct.names()
                let misses = batch.contains { $0.value == .remove && !all.contains($0.key) }
                try store.correct.write(misses ? batch.merging(all.map { ($0, .remove) }) { $1 } : batch)
            }
        },
        Defect(
            "never replaces a value by one of another type",
            fails: [
                "a value can be replaced by one of another type"
            ]
        ) {
            $0.write = { store, batch in
                try store.correct.write(
                    batch.filter { name, edit in
                        guard case .set(.int) = edit, case .string? = try store.correct.value(for: name) else {
                            return true
                        }
                        return false
                    }
                )
            }
        },
        Defect("applies at most three hundred changes", fails: ["a batch of a thousand changes is applied completely"])
        {
            $0.write = { store, batch in
                try store.correct.write(Dictionary(uniqueKeysWithValues: Array(batch.prefix(300))))
            }
        },
        Defect(
            "applies half of a refused batch",
            fails: [
                "a refused batch changes nothing", "null is distinguished from a name that is not set",
                "random values are stored exactly",
            ]
        ) { $0.refuseNull(afterWriting: true, key: true) },
        Defect(
            "refuses a value without naming the key",
            fails: [
                "a refused batch changes nothing", "null is distinguished from a name that is not set",
                "random values are stored exactly",
            ]
        ) { $0.refuseNull(afterWriting: false, key: false) },
        Defect("applies a batch one name at a time", fails: ["other threads see a batch completely or not at all"]) {
            $0.write = { store, batch in
                for (name, edit) in batch.sorted(by: { $0.key < $1.key }) {
                    try store.correct.write([name: edit])
                    for _ in 0..<100 { sched_yield() }
                }
            }
        },
        Defect(
            "writes all values without a lock",
            fails: [
                "eight threads may read, write, list and observe at the same time"
            ]
        ) {
            $0.write = { store, batch in
                var all = try store.correct.backend.read { $0 }
                all.apply(PreferenceBatch(batch))
                for _ in 0..<100 { sched_yield() }
                let changed = all
                try store.correct.backend.read { $0 = changed }
            }
        },
    ]

    /// Causes the store to refuse null in a wrong way.
    private mutating func refuseNull(afterWriting: Bool, key: Bool) {
        unsupportedCapabilities = .null
        write = { store, batch in
            guard let name = batch.first(where: { $0.value == .set(.null) })?.key else {
                return try store.correct.write(batch)
            }
            if afterWriting { try store.correct.write(batch.filter { $0.key != name }) }
            throw PreferenceProblem(.unsupportedValue, key: key ? name : nil, store: store.label, message: "no null")
        }
    }
}

extension Defect {
    static let updates: [Defect] = [
        Defect(
            "hides values from updates",
            fails: [
                "an update reads the stored values, and its closure runs once",
                "concurrent updates of one store lose no change",
                "concurrent updates of two stores over one backend lose no change",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.update = { store, makeBatch in try store.apply(PreferenceBatch(makeBatch { _ in nil })) }
        },
        Defect(
            "runs the closure of an update twice",
            fails: [
                "an update reads the stored values, and its closure runs once",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.correct.backend.writing.withLock {
                    _ = try makeBatch(store.value)
                    try store.apply(PreferenceBatch(makeBatch(store.value)))
                }
            }
        },
        Defect(
            "is emptied by an update with an empty batch",
            fails: [
                "an update with an empty batch changes nothing", "reading writes nothing",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.correct.update { _ in
                    let batch = try makeBatch(store.value)
                    return batch.isEmpty ? ["kept": .remove] : PreferenceBatch(batch)
                }
            }
        },
        Defect(
            "hides the error of an update's closure",
            fails: [
                "an update whose closure throws changes nothing, and throws that error",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.correct.update { _ in PreferenceBatch((try? makeBatch(store.value)) ?? [:]) }
            }
        },
        Defect(
            "hangs if an update's closure lists names",
            fails: [
                "the closure of an update may read the store"
            ]
        ) {
            $0.causesTimeouts = true
            $0.names = { store in
                store.gate.wait()
                defer { store.gate.signal() }
                return try store.correct.names()
            }
            $0.update = { store, makeBatch in
                store.gate.wait()
                defer { store.gate.signal() }
                try store.correct.update { current in
                    try withoutActuallyEscaping(current) { PreferenceBatch(try makeBatch($0)) }
                }
            }
        },
        Defect(
            "does not lock during updates",
            fails: [
                "concurrent updates of one store lose no change",
                "concurrent updates of two stores over one backend lose no change",
            ]
        ) {
            $0.update = { store, makeBatch in
                let batch = try makeBatch(store.value)
                for _ in 0..<100 { sched_yield() }
                if !batch.isEmpty { try store.apply(PreferenceBatch(batch)) }
            }
        },
        Defect(
            "locks only its own instance during updates",
            fails: [
                "concurrent updates of two stores over one backend lose no change"
            ]
        ) {
            $0.update = { store, makeBatch in
                let batch = try store.ownLock.withLock {
                    let batch = try makeBatch(store.value)
                    for _ in 0..<100 { sched_yield() }
                    if !batch.isEmpty { try store.write(batch) }
                    return batch
                }
                if !batch.isEmpty { store.notify(batch) }
            }
        },
    ]
}
