import Dispatch
import PreferencesRuntime
import StoreTestSupport
import Testing

private struct Player {
    @Preference("volume") var volume = 50
    @Preference("nickname") var nickname: String?

    init(_ preferences: Preferences) {
        _volume = Preference(wrappedValue: 50, "volume", [.range(0...100)], in: preferences)
        _nickname = Preference("nickname", in: preferences)
    }
}

@Suite("Prephirences: a preference as a value")
struct ReferenceParityTests {
    @Test("$volume.watch { }, $volume.reset(): as short as theirs")
    func short() async throws {
        let player = Player(.inMemory())
        let (seen, calls) = (Recorder<Int>(), Recorder<Void>())
        player.$volume.watch { change in seen.add(change.new) }
        player.$volume.watch(changesOf: \.value) { calls.add(()) }
        let changes = player.$volume.changes()
        player.volume = 60
        try player.$volume.set(70)
        let result = try player.$volume.update { volume in
            volume += 1
            return volume
        }
        #expect(result == 71)
        #expect(player.$volume.isSet)
        player.$volume.reset()
        #expect(!player.$volume.isSet)
        #expect(player.volume == 50)
        #expect(player.$volume.defaultValue == 50)
        #expect(player.$volume.storageName == "volume")
        #expect(seen.all == [60, 70, 71, 50])
        #expect(calls.all.count == 4)
        var received: [Int] = []
        for await change in changes {
            received.append(change.new)
            if received.count == 4 { break }
        }
        #expect(received == [60, 70, 71, 50])
    }

    @Test("The source of a reference is nil while it reads as its default, and set throws a refused value")
    func sourceAndFailure() {
        let preferences = Preferences.inMemory()
        let player = Player(preferences)
        #expect(player.$nickname.source == nil)
        player.nickname = "Ada"
        #expect(player.$nickname.source == preferences.source(of: \.nickname))
        #expect(player.$nickname.source != nil)
        let problem = #expect(throws: PreferenceProblem.self) { try player.$volume.set(101) }
        #expect(problem?.code == .constraintViolation)
        #expect(player.volume == 50)
    }

    @Test("A reference over several keys has no storage name")
    func severalKeys() {
        let reference = PreferenceReference(\.both, in: .inMemory())
        #expect(reference.storageName == nil)
    }

    @Test("The operations with the key path of the value remain")
    func keyPaths() async throws {
        let player = Player(.inMemory())
        let queue = DispatchQueue(label: "references")
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        player.$volume.watch(on: queue) { continuation.yield($0.new) }
        player.$volume.watch(\.value, on: queue) { continuation.yield(-$0.new) }
        try player.$volume.set(\.value, to: 60)
        try player.$volume.update(\.value) { $0 += 1 }
        #expect(player.$volume.isSet(\.value))
        #expect(player.$volume.defaultValue(\.value) == 50)
        player.$volume.reset(\.value)
        var iterator = stream.makeAsyncIterator()
        var received: [Int] = []
        while received.count < 6, let value = await iterator.next() { received.append(value) }
        #expect(received.filter { $0 > 0 } == [60, 61, 50])
        #expect(received.filter { $0 < 0 } == [-60, -61, -50])
    }
}

extension Preferences {
    fileprivate var nickname: String? { self.get(named: "nickname", default: nil) }

    fileprivate var both: String {
        get { get(named: "first", default: "") + get(named: "second", default: "") }
        set {
            set(named: "first", to: newValue)
            set(named: "second", to: newValue)
        }
    }
}
