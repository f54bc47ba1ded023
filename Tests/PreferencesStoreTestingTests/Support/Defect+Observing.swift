import Dispatch
import Foundation
import PreferencesRuntime
import Synchronization

extension Defect {
    static let observing: [Defect] = [
        Defect(
            "notifies before it applies",
            fails: [
                "observers, and other threads meanwhile, may read and write the store",
                "observers read the new values when they are notified",
                "watchers of two Preferences over one store are notified of each change once",
            ]
        ) {
            $0.apply = { store, batch in
                store.correct.notify(batch)
                try store.correct.write(batch)
            }
        },
        Defect(
            "notifies no observer",
            fails: [
                "an observation ends when it is cancelled", "an observation ends when it is released",
                "every observer is notified",
                "observers are notified of all changed names on the writing thread before apply and update return",
                "observers, and other threads meanwhile, may read and write the store",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as they are without a writer",
                "watchers of two Preferences over one store are notified of each change once",
                "writers on several threads are notified of each other's batches",
            ]
        ) { $0.notify = { _, _ in } },
        Defect(
            "notifies of one name of many",
            fails: [
                "observers are notified of all changed names on the writing thread before apply and update return",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as they are without a writer",
            ]
        ) {
            $0.notify = { store, batch in
                store.correct.notify(Dictionary(uniqueKeysWithValues: batch.prefix(1).map { $0 }))
            }
        },
        Defect(
            "notifies on another thread",
            fails: [
                "observers are notified of all changed names on the writing thread before apply and update return",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as they are without a writer",
            ]
        ) {
            $0.notify = { store, batch in
                let isNotified = DispatchSemaphore(value: 0)
                Thread {
                    store.correct.notify(batch)
                    isNotified.signal()
                }.start()
                isNotified.wait()
            }
        },
        Defect(
            "does not notify of updates",
            fails: [
                "observers are notified of all changed names on the writing thread before apply and update return",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as they are without a writer",
                "writers on several threads are notified of each other's batches",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.correct.backend.writing.withLock { try store.correct.write(makeBatch(store.value)) }
            }
        },
        Defect(
            "notifies only the first observer",
            fails: [
                "an observation ends when it is cancelled", "an observation ends when it is released",
                "every observer is notified",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as they are without a writer",
                "watchers of two Preferences over one store are notified of each change once",
                "writers on several threads are notified of each other's batches",
            ]
        ) {
            $0.observe = { store, observer in
                guard store.correct.backend.observers.isEmpty else { return PreferenceStoreObservation {} }
                return store.correct.observe(observer)
            }
        },
        Defect(
            "holds its lock while it notifies",
            fails: [
                "observers, and other threads meanwhile, may read and write the store"
            ]
        ) {
            $0.causesTimeouts = true
            $0.apply = { store, batch in
                try store.correct.backend.writing.withLock { try store.correct.apply(PreferenceBatch(batch)) }
            }
        },
        Defect(
            "notifies after the observation has ended",
            fails: [
                "an observation ends when it is cancelled", "an observation ends when it is released",
            ]
        ) {
            $0.observe = { store, observer in
                store.observations.withLock { $0.append(store.correct.observe(observer)) }
                return PreferenceStoreObservation {}
            }
        },
        Defect("retains released observations", fails: ["an observation ends when it is released"]) {
            $0.observe = { store, observer in
                let observation = store.correct.observe(observer)
                store.observations.withLock { $0.append(observation) }
                return observation
            }
        },
    ]
}
