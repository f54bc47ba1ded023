import Dispatch
import Foundation
import PreferencesRuntime
import Synchronization

extension Defect {
    static let observing: [Defect] = [
        Defect(
            "tells before it applies",
            fails: [
                "observers may read and write the store, and so may other threads meanwhile",
                "observers read what they are told of",
                "watchers of two Preferences over one store are notified of each change once",
            ]
        ) {
            $0.apply = { store, batch in
                store.right.tell(batch)
                try store.right.write(batch)
            }
        },
        Defect(
            "tells nobody",
            fails: [
                "an observation ends when it is cancelled", "an observation ends when it is gone",
                "every observer is told",
                "observers are told of all changed names before apply and update return, on that thread",
                "observers may read and write the store, and so may other threads meanwhile",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as of a batch without a writer",
                "watchers of two Preferences over one store are notified of each change once",
                "writers on several threads are notified of each other's batches",
            ]
        ) { $0.tell = { _, _ in } },
        Defect(
            "tells one name of many",
            fails: [
                "observers are told of all changed names before apply and update return, on that thread",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as of a batch without a writer",
            ]
        ) {
            $0.tell = { store, batch in store.right.tell(Dictionary(uniqueKeysWithValues: batch.prefix(1).map { $0 })) }
        },
        Defect(
            "tells on another thread",
            fails: [
                "observers are told of all changed names before apply and update return, on that thread",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as of a batch without a writer",
            ]
        ) {
            $0.tell = { store, batch in
                let isTold = DispatchSemaphore(value: 0)
                Thread {
                    store.right.tell(batch)
                    isTold.signal()
                }.start()
                isTold.wait()
            }
        },
        Defect(
            "does not tell of updates",
            fails: [
                "observers are told of all changed names before apply and update return, on that thread",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as of a batch without a writer",
                "writers on several threads are notified of each other's batches",
            ]
        ) {
            $0.update = { store, makeBatch in
                try store.right.medium.writing.withLock { try store.right.write(makeBatch(store.value)) }
            }
        },
        Defect(
            "tells the first observer alone",
            fails: [
                "an observation ends when it is cancelled", "an observation ends when it is gone",
                "every observer is told",
                "a writer is notified of the batches of other writers, and of those without one",
                "observers other than the writer are notified as of a batch without a writer",
                "watchers of two Preferences over one store are notified of each change once",
                "writers on several threads are notified of each other's batches",
            ]
        ) {
            $0.observe = { store, observer in
                guard store.right.medium.observers.isEmpty else { return PreferenceStoreObservation {} }
                return store.right.observe(observer)
            }
        },
        Defect(
            "holds its lock while it tells",
            fails: [
                "observers may read and write the store, and so may other threads meanwhile"
            ]
        ) {
            $0.makesChecksWait = true
            $0.apply = { store, batch in
                try store.right.medium.writing.withLock { try store.right.apply(PreferenceBatch(batch)) }
            }
        },
        Defect(
            "goes on telling",
            fails: [
                "an observation ends when it is cancelled", "an observation ends when it is gone",
            ]
        ) {
            $0.observe = { store, observer in
                store.observations.withLock { $0.append(store.right.observe(observer)) }
                return PreferenceStoreObservation {}
            }
        },
        Defect("keeps observations that are gone", fails: ["an observation ends when it is gone"]) {
            $0.observe = { store, observer in
                let observation = store.right.observe(observer)
                store.observations.withLock { $0.append(observation) }
                return observation
            }
        },
    ]
}
