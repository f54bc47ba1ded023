import Dispatch
import Foundation
import PreferencesRuntime

extension Defect {
    static let updates: [Defect] = [
        Defect(
            "gives updates nothing",
            fails: [
                "an update is made from what is kept, and its closure runs once",
                "threads that count in one store lose nothing",
                "threads that count in two stores over one medium lose nothing",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) {
            $0.update = { store, makeBatch in try store.apply(PreferenceBatch(makeBatch { _ in nil })) }
        },
        Defect(
            "runs the closure of an update twice",
            fails: [
                "an update is made from what is kept, and its closure runs once",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.right.medium.writing.withLock {
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
                try store.right.update { _ in
                    let batch = try makeBatch(store.value)
                    return batch.isEmpty ? ["kept": .remove] : PreferenceBatch(batch)
                }
            }
        },
        Defect(
            "hides what the closure of an update throws",
            fails: [
                "an update whose closure throws changes nothing, and throws the same",
                "a writer's batches and updates are made as those without a writer",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.right.update { _ in PreferenceBatch((try? makeBatch(store.value)) ?? [:]) }
            }
        },
        Defect(
            "hangs where the closure of an update lists names",
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
                try store.right.update { current in
                    try withoutActuallyEscaping(current) { PreferenceBatch(try makeBatch($0)) }
                }
            }
        },
        Defect(
            "does not lock while it updates",
            fails: [
                "threads that count in one store lose nothing",
                "threads that count in two stores over one medium lose nothing",
            ]
        ) {
            $0.update = { store, makeBatch in
                let batch = try makeBatch(store.value)
                for _ in 0..<100 { sched_yield() }
                if !batch.isEmpty { try store.apply(PreferenceBatch(batch)) }
            }
        },
        Defect(
            "locks for one store while it updates",
            fails: [
                "threads that count in two stores over one medium lose nothing"
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
