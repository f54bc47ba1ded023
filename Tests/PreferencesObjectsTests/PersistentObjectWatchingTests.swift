import Dispatch
import StoreTestSupport
import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime

/// Notifications of watchers and sequences about external changes.
struct PersistentObjectWatchingTests {
    private let repository = LoggedRepository(1)

    @Test("A sequence yields the changes, and ends with the object")
    func aSequenceYieldsTheChangesAndEndsWithTheObject() async {
        var seen: [PersistentObjectChange<Int>] = []
        for await change in changesOfReleased() { seen.append(change) }
        #expect(seen == [PersistentObjectChange(old: 1, new: 2), PersistentObjectChange(old: 2, new: 3)])
    }

    private func changesOfReleased() -> some AsyncSequence<PersistentObjectChange<Int>, Never> {
        let object = PersistentObject(repository)
        let changes = object.changes()
        repository.changeExternally(to: 2)
        repository.changeExternally(to: 3)
        return changes
    }

    @Test("A sequence that buffers the newest value yields the latest one alone")
    func aSequenceThatBuffersTheNewestValueYieldsTheLatestOneAlone() async {
        let object = PersistentObject(repository)
        var changes = object.changes(buffering: .newest).makeAsyncIterator()
        repository.changeExternally(to: 2)
        repository.changeExternally(to: 3)
        #expect(await changes.next(isolation: #isolation) == PersistentObjectChange(old: 2, new: 3))
    }

    @Test("A watcher that is declared on an actor runs there")
    @MainActor func aWatcherThatIsDeclaredOnAnActorRunsThere() async {
        let object = PersistentObject(repository)
        let (stream, continuation) = AsyncStream.makeStream(of: Int?.self)
        object.watch { change in
            MainActor.assertIsolated()
            continuation.yield(change.new)
        }
        let repository = repository
        await Task.detached { repository.changeExternally(to: 2) }.value
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == 2)
    }

    @Test("A watcher with a queue runs there")
    func aWatcherWithAQueueRunsThere() async {
        let object = PersistentObject(repository)
        let queue = DispatchQueue(label: "watchers")
        let (stream, continuation) = AsyncStream.makeStream(of: Int?.self)
        object.watch(on: queue) { change in
            dispatchPrecondition(condition: .onQueue(queue))
            continuation.yield(change.new)
        }
        repository.changeExternally(to: 2)
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == 2)
    }

    @Test("A cancelled watcher is not called")
    func aCancelledWatcherIsNotCalled() {
        let object = PersistentObject(repository)
        let seen = Recorder<Int?>()
        let watcher = object.watch { seen.add($0.new) }
        repository.changeExternally(to: 2)
        watcher.cancel()
        watcher.cancel()
        repository.changeExternally(to: 3)
        #expect(seen.all == [2])
        #expect(object.value == 3)
    }
}
