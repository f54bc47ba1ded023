import Testing

@testable import StoreProof

struct KilledWritesTests {
    private typealias State = KilledWrites.State

    @Test func withoutAWriteThereIsWhatWasThereBefore() {
        let writes = KilledWrites(after: State(group: 3, single: 4), number: 5)
        #expect(writes.possible == [State(group: 3, single: 4)])
        #expect(!writes.isInside)
    }

    @Test func whatWasBegunMayBeThereOrNot() {
        var writes = KilledWrites(after: State(group: 3, single: 4), number: 5)
        writes.begin(6, .group)
        writes.begin(7, .single)
        #expect(
            writes.possible == [State(group: 3, single: 4), State(group: 6, single: 4), State(group: 6, single: 7)]
        )
        #expect(writes.isInside)
        #expect(writes.begun == 7)
    }

    @Test func whatWasAcknowledgedIsThere() {
        var writes = KilledWrites(after: State(group: 3, single: 4), number: 5)
        writes.begin(6, .group)
        writes.acknowledge(6)
        writes.begin(7, .single)
        #expect(writes.possible == [State(group: 6, single: 4), State(group: 6, single: 7)])
        #expect(writes.acknowledged == 6)
    }

    @Test func theFirstWriteMayHaveMadeNoFile() {
        var writes = KilledWrites(after: nil, number: -1)
        writes.beginFilling(1)
        #expect(writes.possible == [nil, State(group: 1, single: 1)])
        writes.acknowledge(1)
        #expect(writes.possible == [State(group: 1, single: 1)])
    }
}
