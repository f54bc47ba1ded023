import Dispatch
import Foundation
import PreferencesRuntime

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
            $0.update = { store, makeBatch in try store.apply(makeBatch { _ in nil }) }
        },
        Defect(
            "runs the closure of an update twice",
            fails: [
                "an update reads the stored values, and its closure runs once",
                "batches and updates with a writer have the effect of those without one",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.right.medium.writing.withLock {
                    _ = try makeBatch(store.value)
                    try store.apply(makeBatch(store.value))
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
                try store.right.update { _ in
                    let batch = try makeBatch(store.value)
                    return batch.isEmpty ? ["kept": .remove] : batch
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
                try store.right.update { _ in (try? makeBatch(store.value)) ?? [:] }
            }
        },
        Defect(
            "hangs if an update's closure lists names",
            fails: [
                "the closure of an update may read the store"
            ]
        ) {
            $0.makesChecksWait = true
            $0.names = { store in
                store.gate.wait()
                defer { store.gate.signal() }
                return try store.right.names()
            }
            $0.update = { store, makeBatch in
                store.gate.wait()
                defer { store.gate.signal() }
                try store.right.update(makeBatch)
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
                if !batch.isEmpty { try store.apply(batch) }
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
                if !batch.isEmpty { store.tell(batch) }
            }
        },
    ]
}
