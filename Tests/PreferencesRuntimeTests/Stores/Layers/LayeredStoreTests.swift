import Foundation
import PreferencesRuntime
import TestSupport
import Testing
import StoreTestSupport

struct LayeredStoreTests {
    /// Two layers that can only be read around one that can be written.
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

    /// A store with bodies that run as soon as a value was read, and as soon as it is unlocked.
    private struct ObservedStore: PreferenceStoreAdapter {
        let base: any PreferenceStore
        var whenRead: @Sendable () -> Void = {}
        var whenUnlocked: @Sendable () -> Void = {}

        func value(for name: String) throws -> PreferenceValue? {
            defer { whenRead() }
            return try base.value(for: name)
        }

        func update(
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
        ) throws {
            try base.update(makeBatch)
            whenUnlocked()
        }
    }

    /// A store with a name of its own.
    private struct NamedStore: PreferenceStoreAdapter {
        let label: String
        let base: any PreferenceStore

        init(_ label: String, _ base: any PreferenceStore) {
            self.label = label
            self.base = base
        }

        func source(of name: String) throws -> String? {
            try base.value(for: name).map { _ in label }
        }
    }

    @Test func theFirstLayerWithAValueWins() throws {
        let store = layers(["a": 1], ["a": 2, "b": 2], ["a": 3, "b": 3, "c": 3])
        #expect(try store.value(for: "a") == 1)
        #expect(try store.value(for: "b") == 2)
        #expect(try store.value(for: "c") == 3)
        #expect(try store.value(for: "d") == nil)
        #expect(try store.names() == ["a", "b", "c"])
        #expect(try ["a", "b", "c", "d"].map(store.source) == ["arguments", "user file", "site file", nil])
    }

    @Test("A value that comes into a layer during a read wins over those of the layers after it")
    func readingDuringWrites() throws {
        let (first, last) = (MemoryStore(), MemoryStore())
        let reads = Recorder<Int>()
        let observed = ObservedStore(base: first) {
            reads.add(1)
            if reads.all.count > 1 { return }
            // One batch is written to both layers, and the next one to the last layer so far.
            first.apply(["a": .set(1)])
            last.apply(["a": .set(2)])
        }
        let store = LayeredStore([observed, last], writingTo: .everyWritable)
        #expect(try store.value(for: "a") == 1)
    }

    @Test func aValueThatCannotBeReadIsReportedWithItsSource() async throws {
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
                        + "its default is used for as long as that is there"
                ]
            )
        }
    }

    @Test func nullIsAValueOfItsLayer() throws {
        #expect(try layers(["a": .null], ["a": 2]).value(for: "a") == .null)
    }

    @Test func whatIsSetGoesToTheFirstLayerThatCanBeWritten() throws {
        let middle: MemoryStore = ["b": 2]
        let store = layers([:], middle, ["a": 3, "b": 3])
        try store.apply(["a": .set(1), "b": .remove])
        #expect(middle.value(for: "a") == 1)
        #expect(try store.value(for: "a") == 1)
        #expect(middle.value(for: "b") == nil)
        #expect(try store.value(for: "b") == 3)
    }

    @Test func aKeyThatIsResetReadsAsALayerAfterHasIt() throws {
        let preferences = Preferences(store: layers([:], ["launchCount": 2], ["launchCount": 3]))
        #expect(preferences.launchCount == 2)
        preferences.reset(\.launchCount)
        #expect(preferences.launchCount == 3)
        #expect(preferences.source(of: \.launchCount) == "site file")
        #expect(preferences.isSet(\.launchCount))
    }

    @Test func whatIsShadowedGoesOnReadingAsBeforeAndIsReported() async {
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
                "arguments over user file over site file: 'launchCount': it was set in user file, but is read from "
                    + "arguments, which comes first",
                "arguments over user file over site file: 'launchCount': it was reset in user file, but is read from "
                    + "arguments, which comes first",
            ]
        )
    }

    @Test func settingTheValueThatIsReadAnywayIsNoShadow() async {
        let preferences = Preferences(store: layers(["launchCount": 1]))
        preferences.launchCount = 1
        #expect(await preferences.reportedProblems().isEmpty)
    }

    @Test func watchersHearOfWhatIsReadAndNotOfWhatIsShadowed() {
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

    @Test func whatAnyLayerTellsReachesReadersAndWatchers() {
        let bottom = MemoryStore()
        let preferences = Preferences(store: LayeredStore([MemoryStore(), bottom]))
        let counts = Recorder<Int>()
        preferences.watch(\.launchCount) { counts.add($0.new) }
        bottom.apply(["launchCount": .set(7)])
        #expect(preferences.launchCount == 7)
        #expect(counts.all == [7])
    }

    @Test func anUpdateBeginsFromWhatIsRead() throws {
        let middle = MemoryStore()
        let preferences = Preferences(store: layers([:], middle, ["launchCount": 3]))
        try preferences.update(\.launchCount) { $0 += 1 }
        #expect(preferences.launchCount == 4)
        #expect(middle.value(for: "launchCount") == 4)
    }

    @Test func withoutALayerThatCanBeWrittenNothingIs() async {
        let preferences = Preferences(store: LayeredStore([ReadOnlyStore(["launchCount": 1] as MemoryStore)]))
        preferences.launchCount = 2
        #expect(preferences.launchCount == 1)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "memory: 'launchCount': it can only be read; it was not set"
            ]
        )
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "no layers", message: "it can only be read")) {
            try LayeredStore([]).apply(["a": .set(1)])
        }
    }

    @Test func allLayersAreWrittenWhereThatIsWanted() throws {
        let (first, last) = (MemoryStore(), MemoryStore(["a": 9]))
        let store = LayeredStore([first, ReadOnlyStore(MemoryStore()), last], writingTo: .everyWritable)
        try store.apply(["a": .set(1)])
        try store.update { current in ["b": .set(try current("a") ?? 0)] }
        for layer in [first, last] {
            #expect(layer.value(for: "a") == 1)
            #expect(layer.value(for: "b") == 1)
        }
    }

    /// Keeps what it is given, and says that it may not last.
    private struct UnsyncedStore: PreferenceStoreAdapter {
        let base: any PreferenceStore = MemoryStore()

        func apply(_ batch: [String: PreferenceEdit]) throws {
            try update { _ in batch }
        }

        func update(
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
        ) throws {
            try base.update(makeBatch)
            throw PreferenceProblem(.notDurable, store: label, message: "it cannot be synced")
        }
    }

    @Test func whatMayNotLastInOneLayerIsWrittenToAll() throws {
        for layers in [[MemoryStore(), UnsyncedStore()], [UnsyncedStore(), MemoryStore()]] as [[any PreferenceStore]] {
            let store = LayeredStore(layers, writingTo: .everyWritable)
            let problem = PreferenceProblem(.notDurable, store: "memory", message: "it cannot be synced")
            #expect(throws: problem) { try store.apply(["a": .set(1)]) }
            #expect(try layers.map { try $0.value(for: "a") } == [1, 1])
            #expect(throws: problem) { try store.update { _ in ["a": .set(2)] } }
            #expect(try layers.map { try $0.value(for: "a") } == [2, 2])
        }
    }

    @Test func whatWasReadBeforeIsUsedWhileALayerCannotBeRead() async {
        let broken = FaultyStore(["launchCount": 3], notifiesAllChanges: false)
        let preferences = Preferences(store: LayeredStore([EnvironmentStore(prefix: "X_", environment: [:]), broken]))
        #expect(preferences.launchCount == 3)
        broken.failReads("no disk")
        #expect(preferences.launchCount == 3)
        #expect(await preferences.reportedProblems().map(\.code) == [.storeUnreadable])
    }

    @Test func resettingAllResetsWhatIsWrittenAndTellsOfNothingElse() async throws {
        let middle: MemoryStore = ["launchCount": 2, "other": 1]
        let preferences = Preferences(store: layers(["HOME": "/home/ada", "other": 2], middle, ["site": 3]))
        try preferences.resetAll()
        #expect(middle.names().isEmpty)
        #expect(await preferences.reportedProblems().map(\.key) == ["other"])
    }

    @Test func observersOfALayerMayUseTheWholeFromAnotherThread() throws {
        let layer = MemoryStore()
        let store = LayeredStore([layer])
        let observation = layer.observe { change in
            if change == .names(["a"]) { onAnotherThread { try? store.apply(["b": .set(2)]) } }
        }
        try store.apply(["a": .set(1)])
        observation.cancel()
        #expect(layer.value(for: "b") == 2)
    }

    @Test func whereOneLayerFailsNoneIsWritten() throws {
        let last = MemoryStore(["a": 9])
        let first = FaultyStore()
        first.failWrites("no disk")
        let store = LayeredStore([first, last], writingTo: .everyWritable)
        for write in [{ try store.apply(["a": .set(1), "b": .set(1)]) }, { try store.update { _ in ["a": .set(1)] } }] {
            #expect(throws: FaultyStore.Fault.self) { try write() }
            #expect(last.value(for: "a") == 9)
            #expect(last.value(for: "b") == nil)
        }
    }

    /// A store whose writes fail after an interruption, as long as it has one.
    private final class FailingStore: PreferenceStore {
        let label: String
        private let interruption: @Sendable () -> Void

        init(_ label: String, _ interruption: @escaping @Sendable () -> Void) {
            self.label = label
            self.interruption = interruption
        }

        func value(for name: String) -> PreferenceValue? { nil }

        func names() -> Set<String> { [] }

        func apply(_ batch: [String: PreferenceEdit]) throws {
            interruption()
            throw FaultyStore.Fault(description: "no disk")
        }
    }

    @Test("A failed write puts back only the values that nobody has changed since")
    func undoing() throws {
        let memory = MemoryStore(["a": 8, "b": 9])
        // By its label it is written last.
        let failing = FailingStore("a") { memory.apply(["a": .set(100)]) }
        let written = NamedStore("m", memory)
        for layers in [[failing, written], [written, failing]] as [[any PreferenceStore]] {
            memory.apply(["a": .set(8)])
            let store = LayeredStore(layers, writingTo: .everyWritable)
            #expect(throws: FaultyStore.Fault.self) {
                try store.apply(["a": .set(1), "b": .set(1), "c": .set(1)])
            }
            #expect(memory.value(for: "a") == 100)
            #expect(memory.value(for: "b") == 9)
            #expect(memory.value(for: "c") == nil)
        }
    }

    @Test("The writer of several layers is notified of what others change meanwhile, and not of its own batch")
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

    @Test("The writer of several layers is notified of the values that a failed write has put back")
    func writerOfFailedWrite() throws {
        let store = LayeredStore(
            [FailingStore("a") {}, NamedStore("m", MemoryStore(["a": 8]))],
            writingTo: .everyWritable
        )
        let own = Recorder<PreferenceStoreChange>()
        let writer = store.observe { own.add($0) }
        #expect(throws: FaultyStore.Fault.self) { try store.apply(["a": .set(1), "b": .set(1)], by: writer) }
        #expect(own.all == [.names(["a", "b"])])
    }

    @Test("A failed write puts back values that a layer has rounded")
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
        #expect(throws: FaultyStore.Fault.self) { try store.apply(["a": .set(1.5), "b": .set(2.5)]) }
        #expect(memory.value(for: "a") == 8)
        #expect(memory.value(for: "b") == nil)
    }

    @Test("A failed write leaves what another process has set in a layer that rounds values")
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
        #expect(throws: FaultyStore.Fault.self) { try store.apply(["a": .set(1.5)]) }
        #expect(memory.value(for: "a") == 9)
    }

    @Test("A value that cannot be put back is reported")
    func undoingFails() throws {
        let faulty = FaultyStore(["a": 8])
        let failing = FailingStore("a") { faulty.failWrites("no disk either") }
        let store = LayeredStore([failing, faulty], writingTo: .everyWritable)
        let problems = Recorder<PreferenceProblem>()
        let observation = store.observe { if case .problem(let problem) = $0 { problems.add(problem) } }
        #expect(throws: FaultyStore.Fault.self) { try store.apply(["a": .set(1), "b": .set(1)]) }
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
            // The other one writes once this one has its locks, and must not have locked a layer that this one waits for.
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

    @Test func textIsReadAsTheTypeThatIsWantedOnlyInLayersOfText() async {
        let environment = EnvironmentStore(prefix: "", environment: ["LAUNCH_COUNT": "3"])
        let preferences = Preferences(
            store: LayeredStore([environment, MemoryStore(["weather-service:temperature": "21"])])
        )
        #expect(preferences.launchCount == 3)
        #expect(preferences.weather.temperature == 0)
        #expect(await preferences.reportedProblems().map(\.key) == ["weather-service:temperature"])
    }

    @Test func aLayerThatCannotBeReadIsToldAndThoseBeforeItAreRead() async {
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
