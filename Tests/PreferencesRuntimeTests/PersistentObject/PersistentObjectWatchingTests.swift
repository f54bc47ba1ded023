import Dispatch
import Testing

@testable import PreferencesRuntime
import StoreTestSupport
@testable import PreferencesObjects

/// How watchers and sequences are told of outside changes, and where.
struct PersistentObjectWatchingTests {
    private let repository = LoggedRepository(1)

    @Test func aSequenceHasTheChangesAndEndsWithTheObject() async {
        var seen: [PersistentObjectChange<Int>] = []
        for await change in changesOfReleased() { seen.append(change) }
        #expect(seen == [PersistentObjectChange(old: 1, new: 2), PersistentObjectChange(old: 2, new: 3)])
    }

    private func changesOfReleased() -> some AsyncSequence<PersistentObjectChange<Int>, Never> {
        let object = PersistentObject(repository)
        let changes = object.changes()
        repository.changeFromOutside(to: 2)
        repository.changeFromOutside(to: 3)
        return changes
    }

    @Test func aSequenceOfTheNewestHasTheLatestAlone() async {
        let object = PersistentObject(repository)
        var changes = object.changes(buffering: .newest).makeAsyncIterator()
        repository.changeFromOutside(to: 2)
        repository.changeFromOutside(to: 3)
        #expect(await changes.next(isolation: #isolation) == PersistentObjectChange(old: 2, new: 3))
    }

    @Test @MainActor func aWatcherThatIsWrittenOnAnActorRunsThere() async {
        let object = PersistentObject(repository)
        let (stream, continuation) = AsyncStream.makeStream(of: Int?.self)
        object.watch { change in
            MainActor.assertIsolated()
            continuation.yield(change.new)
        }
        let repository = repository
        await Task.detached { repository.changeFromOutside(to: 2) }.value
        var told = stream.makeAsyncIterator()
        #expect(await told.next(isolation: #isolation) == 2)
    }

    @Test func aWatcherWithAQueueRunsThere() async {
        let object = PersistentObject(repository)
        let queue = DispatchQueue(label: "watchers")
        let (stream, continuation) = AsyncStream.makeStream(of: Int?.self)
        object.watch(on: queue) { change in
            dispatchPrecondition(condition: .onQueue(queue))
            continuation.yield(change.new)
        }
        repository.changeFromOutside(to: 2)
        var told = stream.makeAsyncIterator()
        #expect(await told.next(isolation: #isolation) == 2)
    }

    @Test func aWatcherThatIsCancelledHearsNothing() {
        let object = PersistentObject(repository)
        let seen = Recorder<Int?>()
        let watcher = object.watch { seen.add($0.new) }
        repository.changeFromOutside(to: 2)
        watcher.cancel()
        watcher.cancel()
        repository.changeFromOutside(to: 3)
        #expect(seen.all == [2])
        #expect(object.value == 3)
    }
}
