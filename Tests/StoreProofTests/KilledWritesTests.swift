import Testing

@testable import StoreProof

@Suite("The writes of a killed child")
struct KilledWritesTests {
    private typealias State = KilledWrites.State

    @Test("Without a write, the earlier state remains")
    func noWrite() {
        let writes = KilledWrites(after: State(group: 3, single: 4), number: 5)
        #expect(writes.possible == [State(group: 3, single: 4)])
        #expect(!writes.isInside)
    }

    @Test("A started write may have been made or not")
    func startedWrites() {
        var writes = KilledWrites(after: State(group: 3, single: 4), number: 5)
        writes.begin(6, .group)
        writes.begin(7, .single)
        #expect(
            writes.possible == [State(group: 3, single: 4), State(group: 6, single: 4), State(group: 6, single: 7)]
        )
        #expect(writes.isInside)
        #expect(writes.begun == 7)
    }

    @Test("An acknowledged write was made")
    func acknowledgedWrites() {
        var writes = KilledWrites(after: State(group: 3, single: 4), number: 5)
        writes.begin(6, .group)
        writes.acknowledge(6)
        writes.begin(7, .single)
        #expect(writes.possible == [State(group: 6, single: 4), State(group: 6, single: 7)])
        #expect(writes.acknowledged == 6)
    }

    @Test("After the first write, the file may be missing")
    func firstWrite() {
        var writes = KilledWrites(after: nil, number: -1)
        writes.beginFilling(1)
        #expect(writes.possible == [nil, State(group: 1, single: 1)])
        writes.acknowledge(1)
        #expect(writes.possible == [State(group: 1, single: 1)])
    }
}
