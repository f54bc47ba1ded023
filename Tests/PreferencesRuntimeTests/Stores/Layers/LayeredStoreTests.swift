import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

struct LayeredStoreTests {
    /// Returns two read-only layers around a writable one.
    private func layers(
        _ top: [String: PreferenceValue] = [:],
        _ middle: MemoryStore = MemoryStore(),
        _ bottom: [String: PreferenceValue] = [:]
    ) -> LayeredStore {
        LayeredStore([
            NamedStore("arguments", ReadOnlyStore(MemoryStore(top))), NamedStore("user file", middle),
            NamedStore("site file", ReadOnlyStore(MemoryStore(bottom))),
        ])
    }

    /// A store with closures that run just after a value is read, and just after the store is unlocked.
    private struct ObservedStore: PreferenceStoreAdapter {
        let base: any PreferenceStore
        var whenRead: @Sendable () -> Void = {}
        var whenUnlocked: @Sendable () -> Void = {}

        func value(for name: String) throws -> PreferenceValue? {
            defer { whenRead() }
            return try base.value(for: name)
        }

        func update(
            by writer: PreferenceStoreObservation?,
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
        ) throws {
            try base.commit(makeBatch)
            whenUnlocked()
        }
    }

    /// A store with a custom label.
    private struct NamedStore: PreferenceStoreAdapter {
        let label: String
        let base: any PreferenceStore

        init(_ label: String, _ base: any PreferenceStore) {
            self.label = label
            self.base = base
        }

        func source(of name: String) throws -> PreferenceSource? {
            try base.value(for: name).map { _ in PreferenceSource(store: label, name: name) }
        }
    }

    @Test("The first layer with a value takes precedence")
    func theFirstLayerWithAValueTakesPrecedence() throws {
        let store = layers(["a": 1], ["a": 2, "b": 2], ["a": 3, "b": 3, "c": 3])
        #expect(try store.value(for: "a") == 1)
        #expect(try store.value(for: "b") == 2)
        #expect(try store.value(for: "c") == 3)
        #expect(try store.value(for: "d") == nil)
        #expect(try store.names() == ["a", "b", "c"])
        let sources = try ["a", "b", "c", "d"].map { try store.source(of: $0)?.description }
        #expect(sources == ["arguments", "user file", "site file", nil])
    }

    @Test("A value that is set in a layer during a read takes precedence over those of later layers")
    func readingDuringWrites() throws {
        let (first, last) = (MemoryStore(), MemoryStore())
        let reads = Recorder<Int>()
        let observed = ObservedStore(base: first) {
            reads.add(1)
            if reads.all.count > 1 { return }
            // One batch has been written to both layers, and the next one to the last layer only.
            first.apply(["a": .set(1)])
            last.apply(["a": .set(2)])
        }
        let store = LayeredStore([observed, last], writingTo: .everyWritable)
        #expect(try store.value(for: "a") == 1)
    }

    @Test("A value that cannot be read is reported with its source")
    func aValueThatCannotBeReadIsReportedWithItsSource() async throws {
        let environment = EnvironmentStore(prefix: "W_", environment: ["W_LAUNCH_COUNT": "many"])
        let layers = LayeredStore([environment, ["launchCount": 3] as MemoryStore])
        for store in [layers, PrefixedStore(LayeredStore([environment]), prefix: "", separator: "")]
            as [any PreferenceStore]
        {
            let preferences = Preferences(store: store)
            #expect(preferences.launchCount == 0)
            #expect(
                await preferences.reportedProblems().map(\.description) == [
                    "environment variable W_LAUNCH_COUNT: 'launchCount': expected Int, found the string \"many\"; "
                        + "using default 0"
                ]
            )
        }
    }

    @Test("A null is a value of its layer")
    func aNullIsAValueOfItsLayer() throws {
        #expect(try layers(["a": .null], ["a": 2]).value(for: "a") == .null)
    }

    @Test("A value is set in the first writable layer")
    func aValueIsSetInTheFirstWritableLayer() throws {
        let middle: MemoryStore = ["b": 2]
        let store = layers([:], middle, ["a": 3, "b": 3])
        try store.apply(["a": .set(1), "b": .remove])
        #expect(middle.value(for: "a") == 1)
        #expect(try store.value(for: "a") == 1)
        #expect(middle.value(for: "b") == nil)
        #expect(try store.value(for: "b") == 3)
    }

    @Test("A reset key reads the next layer that has it")
    func aResetKeyReadsTheNextLayerThatHasIt() throws {
        let preferences = Preferences(store: layers([:], ["launchCount": 2], ["launchCount": 3]))
        #expect(preferences.launchCount == 2)
        preferences.reset(\.launchCount)
        #expect(preferences.launchCount == 3)
        #expect(preferences.source(of: \.launchCount) == "site file")
        #expect(preferences.isSet(\.launchCount))
    }

    @Test("A set that is shadowed is reported, and the key reads as before")
    func aSetThatIsShadowedIsReportedAndTheKeyReadsAsBefore() async {
        let middle = MemoryStore()
        let preferences = Preferences(store: layers(["launchCount": 1], middle))
        #expect(preferences.launchCount == 1)
        preferences.launchCount = 5
        #expect(preferences.launchCount == 1)
        #expect(middle.value(for: "launchCount") == 5)
        preferences.reset(\.launchCount)
        #expect(preferences.launchCount == 1)
        let problems = await preferences.reportedProblems()
        #expect(problems.map(\.code) == [.shadowed, .shadowed])
        #expect(
            problems.map(\.description) == [
                "arguments: 'launchCount': it was set in user file, but is read from "
                    + "arguments, which comes first",
                "arguments: 'launchCount': it was reset in user file, but is read from "
                    + "arguments, which comes first",
            ]
        )
    }

    @Test("Setting a value that equals the one that is read is not reported as shadowed")
    func settingTheValueThatIsReadAnywayIsNotReportedAsShadowed() async {
        let preferences = Preferences(store: layers(["launchCount": 1]))
        preferences.launchCount = 1
        #expect(await preferences.reportedProblems().isEmpty)
    }

    @Test("Watchers are notified of values that are read, not of shadowed ones")
    func watchersAreNotifiedOfValuesThatAreReadNotOfShadowedOnes() {
        let preferences = Preferences(store: layers(["launchCount": 1], [:], ["weather-service:temperature": 3]))
        let counts = Recorder<Int>()
        let temperatures = Recorder<Double>()
        preferences.watch(\.launchCount) { counts.add($0.new) }
        preferences.weather.watch(\.temperature) { temperatures.add($0.new) }
        preferences.launchCount = 5
        preferences.weather.temperature = 4
        preferences.weather.reset(\.temperature)
        #expect(counts.all == [])
        #expect(temperatures.all == [4, 3])
    }

    @Test("A change of any layer notifies readers and watchers")
    func aChangeOfAnyLayerNotifiesReadersAndWatchers() {
        let bottom = MemoryStore()
        let preferences = Preferences(store: LayeredStore([MemoryStore(), bottom]))
        let counts = Recorder<Int>()
        preferences.watch(\.launchCount) { counts.add($0.new) }
        bottom.apply(["launchCount": .set(7)])
        #expect(preferences.launchCount == 7)
        #expect(counts.all == [7])
    }

    @Test("An update begins from the values that are read")
    func anUpdateBeginsFromTheValuesThatAreRead() throws {
        let middle = MemoryStore()
        let preferences = Preferences(store: layers([:], middle, ["launchCount": 3]))
        try preferences.update(\.launchCount) { $0 += 1 }
        #expect(preferences.launchCount == 4)
        #expect(middle.value(for: "launchCount") == 4)
    }

    @Test("Without a writable layer nothing is written")
    func withoutAWritableLayerNothingIsWritten() async {
        let preferences = Preferences(store: LayeredStore([ReadOnlyStore(["launchCount": 1] as MemoryStore)]))
        preferences.launchCount = 2
        #expect(preferences.launchCount == 1)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "memory: 'launchCount': it is read-only; it was not set"
            ]
        )
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "no layers", message: "it is read-only")) {
            try LayeredStore([]).apply(["a": .set(1)])
        }
    }

    @Test("All layers are written if requested")
    func allLayersAreWrittenIfRequested() throws {
        let (first, last) = (MemoryStore(), MemoryStore(["a": 9]))
        let store = LayeredStore([first, ReadOnlyStore(MemoryStore()), last], writingTo: .everyWritable)
        try store.apply(["a": .set(1)])
        try store.update { current in ["b": .set(try current("a") ?? 0)] }
        for layer in [first, last] {
            #expect(layer.value(for: "a") == 1)
            #expect(layer.value(for: "b") == 1)
        }
    }

    /// A store that applies batches, and reports that they may not be durable.
    private struct UnsyncedStore: PreferenceStoreAdapter {
        let base: any PreferenceStore = MemoryStore()

        func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
            try update { _ in batch }
        }

        func update(
            by writer: PreferenceStoreObservation?,
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
        ) throws {
            try base.commit(makeBatch)
            throw PreferenceProblem(.notDurable, store: label, message: "it cannot be synced")
        }
    }

    @Test("A write that may not be durable in one layer is written to all")
    func aWriteThatMayNotBeDurableInOneLayerIsWrittenToAll() throws {
        for layers in [[MemoryStore(), UnsyncedStore()], [UnsyncedStore(), MemoryStore()]] as [[any PreferenceStore]] {
            let store = LayeredStore(layers, writingTo: .everyWritable)
            let problem = PreferenceProblem(.notDurable, store: "memory", message: "it cannot be synced")
            #expect(throws: problem) { try store.apply(["a": .set(1)]) }
            #expect(try layers.map { try $0.value(for: "a") } == [1, 1])
            #expect(throws: problem) { try store.update { _ in ["a": .set(2)] } }
            #expect(try layers.map { try $0.value(for: "a") } == [2, 2])
        }
    }

    @Test("The last value is used while a layer cannot be read")
    func theLastValueIsUsedWhileALayerCannotBeRead() async {
        let broken = FaultyStore(["launchCount": 3], notifiesAllChanges: false)
        let preferences = Preferences(store: LayeredStore([EnvironmentStore(prefix: "X_", environment: [:]), broken]))
        #expect(preferences.launchCount == 3)
        broken.failReads("no disk")
        #expect(preferences.launchCount == 3)
        #expect(await preferences.reportedProblems().map(\.code) == [.storeUnreadable])
    }

    @Test("resetAll() removes the written entries, and notifies of these only")
    func resetAllRemovesTheWrittenEntriesAndNotifiesOfNothingElse() async throws {
        let middle: MemoryStore = ["launchCount": 2, "other": 1]
        let preferences = Preferences(store: layers(["HOME": "/home/ada", "other": 2], middle, ["site": 3]))
        try preferences.resetAll()
        #expect(middle.names().isEmpty)
        #expect(await preferences.reportedProblems().map(\.key) == ["other"])
    }

    @Test("Observers of a layer may use the layered store on another thread")
    func observersOfALayerMayUseTheLayeredStoreOnAnotherThread() throws {
        let layer = MemoryStore()
        let store = LayeredStore([layer])
        let observation = layer.observe { change in
            if change == .names(["a"]) { onAnotherThread { try? store.apply(["b": .set(2)]) } }
        }
        try store.apply(["a": .set(1)])
        observation.cancel()
        #expect(layer.value(for: "b") == 2)
    }

    /// The problem of a layer whose writes fail.
    private func noDisk(_ layer: String) -> PreferenceProblem {
        PreferenceProblem(.storeUnwritable, store: layer, message: "no disk")
    }

    @Test("If one layer fails, none is written")
    func ifOneLayerFailsNoneIsWritten() throws {
        let last = MemoryStore(["a": 9])
        let first = FaultyStore()
        first.failWrites("no disk")
        let store = LayeredStore([first, last], writingTo: .everyWritable)
        for write in [{ try store.apply(["a": .set(1), "b": .set(1)]) }, { try store.update { _ in ["a": .set(1)] } }] {
            #expect(throws: noDisk("faulty")) { try write() }
            #expect(last.value(for: "a") == 9)
            #expect(last.value(for: "b") == nil)
        }
    }

    /// A store whose writes call a closure and then fail.
    private final class FailingStore: WritablePreferenceStore {
        let label: String
        private let interruption: @Sendable () -> Void

        init(_ label: String, _ interruption: @escaping @Sendable () -> Void) {
            self.label = label
            self.interruption = interruption
        }

        func value(for name: String) -> PreferenceValue? { nil }

        func names() -> Set<String> { [] }

        func apply(_ batch: PreferenceBatch) throws {
            interruption()
            throw FaultyStore.Fault(description: "no disk")
        }
    }

    @Test("A failed write restores only the values that have not changed since")
    func undoing() throws {
        let memory = MemoryStore(["a": 8, "b": 9])
        // Its label makes it the last store that is written.
        let failing = FailingStore("a") { memory.apply(["a": .set(100)]) }
        let written = NamedStore("m", memory)
        for layers in [[failing, written], [written, failing]] as [[any PreferenceStore]] {
            memory.apply(["a": .set(8)])
            let store = LayeredStore(layers, writingTo: .everyWritable)
            #expect(throws: noDisk("a")) {
                try store.apply(["a": .set(1), "b": .set(1), "c": .set(1)])
            }
            #expect(memory.value(for: "a") == 100)
            #expect(memory.value(for: "b") == 9)
            #expect(memory.value(for: "c") == nil)
        }
    }

    @Test("The writer of several layers is notified of simultaneous external changes, and not of its own batch")
    func writerOfSeveralLayers() throws {
        let first = MemoryStore()
        let store = LayeredStore([first, MemoryStore()], writingTo: .everyWritable)
        let (own, others) = (Recorder<PreferenceStoreChange>(), Recorder<PreferenceStoreChange>())
        let writer = store.observe { own.add($0) }
        let other = store.observe { others.add($0) }
        try store.apply(["a": .set(1)], by: writer)
        #expect(own.all == [])
        #expect(others.all == [.names(["a"])])
        try store.update(by: writer) { _ in
            first.apply(["b": .set(2)])
            return ["a": .set(2)]
        }
        #expect(own.all == [.names(["b"])])
        #expect(others.all == [.names(["a"]), .names(["b"]), .names(["a"])])
        withExtendedLifetime(other) {}
    }

    @Test("The writer of several layers is notified of the values that a failed write has restored")
    func writerOfFailedWrite() throws {
        let store = LayeredStore(
            [FailingStore("a") {}, NamedStore("m", MemoryStore(["a": 8]))],
            writingTo: .everyWritable
        )
        let own = Recorder<PreferenceStoreChange>()
        let writer = store.observe { own.add($0) }
        #expect(throws: noDisk("a")) { try store.apply(["a": .set(1), "b": .set(1)], by: writer) }
        #expect(own.all == [.names(["a", "b"])])
    }

    @Test("A failed write restores values that a layer has rounded")
    func undoingRoundedValues() throws {
        let memory = MemoryStore(["a": 8])
        let rounding = TransformedStore(
            memory,
            PreferenceTransformation<Int, Double> {
                Double($0)
            } write: {
                Int($0)
            }
        )
        let failing = FailingStore("a") {}
        let store = LayeredStore([failing, NamedStore("m", rounding)], writingTo: .everyWritable)
        #expect(throws: noDisk("a")) { try store.apply(["a": .set(1.5), "b": .set(2.5)]) }
        #expect(memory.value(for: "a") == 8)
        #expect(memory.value(for: "b") == nil)
    }

    @Test("A failed write keeps external changes in a layer that rounds values")
    func undoingAfterAnotherProcess() throws {
        let memory = MemoryStore(["a": 8])
        let changes = Recorder<Int>()
        let shared = ObservedStore(
            base: memory,
            whenUnlocked: {
                if changes.all.isEmpty { memory.apply(["a": .set(9)]) }
                changes.add(9)
            }
        )
        let transformation = PreferenceTransformation<Int, Double> {
            Double($0)
        } write: {
            Int($0)
        }
        let rounding = TransformedStore(shared, transformation)
        let store = LayeredStore([FailingStore("a") {}, NamedStore("m", rounding)], writingTo: .everyWritable)
        #expect(throws: noDisk("a")) { try store.apply(["a": .set(1.5)]) }
        #expect(memory.value(for: "a") == 9)
    }

    @Test("A value that cannot be restored is reported")
    func undoingFails() throws {
        let faulty = FaultyStore(["a": 8])
        let failing = FailingStore("a") { faulty.failWrites("no disk either") }
        let store = LayeredStore([failing, faulty], writingTo: .everyWritable)
        let problems = Recorder<PreferenceProblem>()
        let observation = store.observe { if case .problem(let problem) = $0 { problems.add(problem) } }
        #expect(throws: noDisk("a")) { try store.apply(["a": .set(1), "b": .set(1)]) }
        observation.cancel()
        #expect(
            problems.all.map(\.description) == [
                "faulty: a could not be written, and 'a', 'b' could not be put back here: no disk either"
            ]
        )
    }

    @Test("A store that is a layer twice is written once")
    func oneStoreTwice() throws {
        let layer = MemoryStore()
        let store = LayeredStore([layer, layer], writingTo: .everyWritable)
        try store.update { current in ["a": .set(try current("a") ?? 1)] }
        #expect(layer.value(for: "a") == 1)
    }

    @Test("Layers of one label are locked in one order, also below adapters")
    func orderOfAdapters() throws {
        let order = Recorder<Int>()
        let layers = (0..<2).map { index in
            PrefixedStore(ObservedStore(base: MemoryStore(), whenUnlocked: { order.add(index) }), prefix: "app")
        }
        try LayeredStore(layers, writingTo: .everyWritable).apply(["a": .set(1)])
        try LayeredStore(layers.reversed(), writingTo: .everyWritable).apply(["a": .set(2)])
        #expect(order.all.count == 4)
        #expect(order.all.prefix(2) == order.all.suffix(2))
    }

    @Test("Stores that have layers in common in another order do not wait for each other")
    func oppositeOrders() async throws {
        let (first, last) = (NamedStore("first", MemoryStore()), NamedStore("last", MemoryStore()))
        let stores = [[first, last], [last, first]].map { LayeredStore($0, writingTo: .everyWritable) }
        for store in stores {
            let other = try #require(stores.first { $0 !== store })
            // The other one writes once this one has its locks, and must not hold a layer's lock that this one needs.
            let (isMaking, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread {
                isMaking.wait()
                try? other.apply(["b": .set(1)])
                isDone.signal()
            }.start()
            try store.update { _ in
                isMaking.signal()
                return ["a": .set(1)]
            }
            isDone.wait()
            for layer in [first, last] { #expect(try ["a", "b"].map { try layer.value(for: $0) } == [1, 1]) }
        }
    }

    @Test("Updates begin from the values of all layers that they lock")
    func lockedValues() async throws {
        let layers = (0..<2).map { NamedStore("\($0)", MemoryStore()) }
        let stores = [layers, layers.reversed()].map { LayeredStore($0, writingTo: .everyWritable) }
        await withTaskGroup(of: Void.self) { group in
            for store in stores + stores {
                group.addTask {
                    for _ in 0..<100 {
                        try? store.update { current in
                            guard case .int(let number)? = try current("count") else { return ["count": .set(1)] }
                            return ["count": .set(.int(number + 1))]
                        }
                    }
                }
            }
        }
        for layer in layers { #expect(try layer.value(for: "count") == 400) }
    }

    @Test("Text is converted only in layers of text")
    func textIsConvertedOnlyInLayersOfText() async {
        let environment = EnvironmentStore(prefix: "", environment: ["LAUNCH_COUNT": "3"])
        let preferences = Preferences(
            store: LayeredStore([environment, MemoryStore(["weather-service:temperature": "21"])])
        )
        #expect(preferences.launchCount == 3)
        #expect(preferences.weather.temperature == 0)
        #expect(await preferences.reportedProblems().map(\.key) == ["weather-service:temperature"])
    }

    @Test("A layer that cannot be read is reported, and the layers before it are read")
    func aLayerThatCannotBeReadIsReportedAndTheLayersBeforeItAreRead() async {
        let broken = FaultyStore(["launchCount": 3])
        broken.failReads("no disk")
        let preferences = Preferences(
            store: LayeredStore([["weather-service:temperature": 2.5] as MemoryStore, broken])
        )
        #expect(preferences.weather.temperature == 2.5)
        #expect(preferences.launchCount == 0)
        #expect(await preferences.reportedProblems().count == 1)
    }
}
