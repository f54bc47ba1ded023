import Foundation
import PreferencesRuntime

extension Defect {
    private static let made = "batches and updates with a writer have the effect of those without one"
    private static let own = "a writer is notified of its own batches unless the store excludes writers"
    private static let others = "observers other than the writer are notified as they are without a writer"
    private static let otherWriters = "a writer is notified of the batches of other writers, and of those without one"
    private static let threads = "writers on several threads are notified of each other's batches"
    private static let watchers = "watchers of two Preferences over one store are notified of each change once"

    static let writers: [Defect] = [
        Defect("drops the removals of writers", fails: [made, otherWriters, others]) {
            $0.excludeWriters()
            $0.applyByWriter = { store, batch, writer in
                try store.correct.apply(PreferenceBatch(batch.edits.filter { $0.value != .remove }), by: writer)
            }
        },
        Defect(
            "hides values from the updates of writers",
            fails: [
                made, "concurrent updates of one store lose no change",
                "concurrent updates of two stores over one backend lose no change",
            ]
        ) {
            $0.excludeWriters()
            $0.updateByWriter = { store, writer, makeBatch in
                try store.correct.update(by: writer) { _ in try makeBatch { _ in nil } }
            }
        },
        Defect("declares that it excludes writers, but notifies them", fails: [own, threads]) {
            $0.excludesWriters = true
        },
        Defect("notifies writers of their updates", fails: [own, threads]) {
            $0.excludeWriters()
            $0.updateByWriter = { store, _, makeBatch in try store.correct.update(by: nil, makeBatch) }
        },
        Defect("excludes writers without declaring it", fails: [own]) {
            $0.excludeWriters()
            $0.excludesWriters = false
        },
        Defect("notifies no observer of writers' batches", fails: [otherWriters, others, threads, watchers]) {
            $0.excludeWriters()
            $0.applyByWriter = { store, batch, writer in
                if writer == nil { return try store.apply(batch) }
                try store.write(batch.edits)
            }
        },
        Defect("notifies no observer of writers' updates", fails: [otherWriters, others, threads]) {
            $0.excludeWriters()
            $0.updateByWriter = { store, writer, makeBatch in
                if writer == nil { return try store.correct.update(by: nil, makeBatch) }
                try store.correct.backend.writing.withLock { try store.write(makeBatch(store.value).edits) }
            }
        },
        Defect("excludes an observer for good once it has written", fails: [otherWriters, threads, watchers]) {
            $0.excludeWriters()
            $0.applyByWriter = { store, batch, writer in
                try store.correct.apply(batch, by: writer)
                if let writer { writer.cancel() }
            }
        },
        Defect("excludes writers on one thread only", fails: [threads]) {
            $0.excludeWriters()
            $0.applyByWriter = { store, batch, writer in
                try store.correct.apply(batch, by: store.isOnItsThread ? writer : nil)
            }
        },
    ]
}
