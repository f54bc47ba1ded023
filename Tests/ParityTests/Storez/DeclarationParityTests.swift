import Foundation
import PreferencesRuntime
import StorezSchema
import Synchronization
import TestSupport
import Testing

@Suite("Storez: declarations for many keys")
struct DeclarationParityTests {
    @Test("hooks that a namespace declares for all its keys: run for every Preferences, in every process")
    func hooksOfNamespaces() async throws {
        let store = MemoryStore()
        let (first, second) = (Preferences(store: store), Preferences(store: store))
        first.aquarium.keeper = "Walter"
        #expect(first.aquarium.keeper == "Walter Heisenburg")
        #expect(first.aquarium.commitCount == 1)
        second.aquarium.tank.level = 3
        #expect(second.aquarium.commitCount == 2)
        second.aquarium.keeper = "Jesse"
        #expect(second.aquarium.keeper == "Jesse Heisenburg")
        try await withTemporaryDirectory { folder in
            let path = folder.appending(component: "preferences.json").path
            for count in 1...2 {
                await #expect(processExitsWith: .success) { [path = path as String, count = count as Int] in
                    let preferences = Preferences(store: FileStore(url: URL(filePath: path)))
                    preferences.aquarium.keeper = "process \(count)"
                    #expect(preferences.aquarium.keeper == "process \(count) Heisenburg")
                    #expect(preferences.aquarium.commitCount == count)
                }
            }
        }
    }

    @Test("a key type of one's own that posts a notification on each change: one declaration, any number of keys")
    func kindsOfKeys() throws {
        let posted = Posted()
        let observer = NotificationCenter.default.addObserver(forName: .percentage, object: nil, queue: nil) { note in
            posted.add(note.userInfo?["text"] as? String ?? "")
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let preferences = Preferences(store: MemoryStore())
        let player = Player(preferences: preferences)
        player.volume = 33
        player.balance = 98
        player.bass = 12
        #expect([player.volume, player.balance, player.bass] == [35, 100, 10])
        #expect(posted.take() == ["volume: default → 35", "balance: default → 100", "bass: default → 10"])
        // Not changed, refused, and reset.
        player.volume = 36
        player.balance = 200
        player.reset(\.balance)
        #expect(posted.take() == ["balance: 100 → default"])
        try preferences.transaction { _ in
            player.volume = 50
            player.bass = nil
        }
        #expect(posted.take() == ["volume: 35 → 50", "bass: 10 → default"])
        let other = Preferences(store: preferences.store)
        PreferenceReference("volume", default: 0, [.percentage], in: other).value = 71
        #expect(posted.take() == ["volume: 50 → 70"])
    }

    private final class Posted: Sendable {
        private let texts = Mutex<[String]>([])

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        func take() -> [String] {
            texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    private struct Player: PreferenceAccessors {
        let preferences: Preferences

        var volume: Int {
            get { get("volume", default: 50, [.percentage]) }
            nonmutating set { set("volume", to: newValue, [.percentage]) }
        }

        var balance: Int {
            get { get("balance", default: 50, [.percentage]) }
            nonmutating set { set("balance", to: newValue, [.percentage]) }
        }

        var bass: Int? {
            get { get("bass", default: nil, [.unlessNil(.percentage)]) }
            nonmutating set { set("bass", to: newValue, [.unlessNil(.percentage)]) }
        }
    }
}

extension Notification.Name {
    fileprivate static let percentage = Notification.Name("percentage")
}

extension PreferenceTrait where Value == Int {
    /// A multiple of 5 from 0 to 100, whose changes are posted.
    fileprivate static var percentage: Self {
        .combining(
            .processing { ($0 + 2) / 5 * 5 },
            .range(0...100),
            .didChange { change in
                let (old, new) = (change.old?.description ?? "default", change.new?.description ?? "default")
                NotificationCenter.default.post(
                    name: .percentage,
                    object: nil,
                    userInfo: ["text": "\(change.name): \(old) → \(new)"]
                )
            }
        )
    }
}
