import PreferencesRuntime
import StoreTestSupport
import Testing

/// Programs that die during their migrations, at every possible point.
@Suite("Processes that die during a migration")
struct MigrationDeathTests {
    /// The contents of all stores.
    private struct Contents: Equatable {
        var main: [String: PreferenceValue]
        var secrets: [String: PreferenceValue]
        var old: [String: PreferenceValue]
        var older: [String: PreferenceValue]
    }

    private struct World {
        let main: MemoryStore = ["a": 1, "distance": 10, "password": "hunter2", "gone": true, "kept": 1]
        let secrets: MemoryStore = ["pin": 1]
        let old: MemoryStore = ["theme": "dark|16", "city": "Oslo", "kept": 2, "bad": "x"]
        let older: MemoryStore = ["token": "t", "cache": 1]

        var contents: Contents {
            Contents(main: main.contents, secrets: secrets.contents, old: old.contents, older: older.contents)
        }

        func start(_ probe: StoreProbe) -> Preferences {
            let old = ProbedStore("old", old, probe)
            let older = ProbedStore("older", older, probe)
            let secrets = ProbedStore("secrets", secrets, probe)
            return Preferences(
                store: ProbedStore("main", main, probe),
                secrets: secrets,
                migrations: [
                    PreferenceMigration(
                        version: 1,
                        [
                            .move("theme", from: old, to: "settings") { (text: String) in Settings(text) },
                            .move("bad", from: old, to: "good") { (number: Int) in number },
                            .moveAll(from: old) { $0 == "bad" ? nil : $0 },
                            .move("distance", to: "distance") { (miles: Int) in miles * 2 },
                            .move("password", to: "token", isSecret: true),
                        ]
                    ),
                    PreferenceMigration(
                        version: 2,
                        [
                            .move("city", to: "weather:city"),
                            .move("token", from: older, to: "other-token", isSecret: true) { (text: String) in
                                "\(text)!"
                            },
                            .move("pin", from: secrets, to: "code", isSecret: true) { (number: Int) in "\(number)" },
                            .move("a", to: "b"), .remove("gone"), .remove("cache", from: older),
                        ]
                    ),
                ]
            )
        }
    }

    private let finished = Contents(
        main: [
            "settings": ["theme": "dark", "fontSize": 16], "distance": 20, "weather:city": "Oslo", "kept": 1, "b": 1,
            "::version": 2,
        ],
        secrets: ["token": "hunter2", "other-token": "t!", "code": "1"],
        old: ["kept": 2, "bad": "x"],
        older: [:]
    )

    @Test("A migration that does not die is done")
    func aMigrationThatDoesNotDieIsDone() {
        let world = World()
        let probe = StoreProbe()
        #expect(world.start(probe).get(named: "b", default: 0) == 1)
        #expect(world.contents == finished)
        #expect(probe.operations.count == 9)
    }

    @Test("After a process has died, the next launch finishes the migration", arguments: 0..<9, [false, true])
    func theNextLaunchFinishesTheMigration(count: Int, isSilent: Bool) throws {
        let world = World()
        let before = world.contents
        let probe = StoreProbe()
        probe.die(after: count, isSilent: isSilent)
        _ = world.start(probe).get(named: "b", default: 0)

        // Nothing is lost at any point, and the main store has been changed completely or not.
        let between = world.contents
        #expect(between.main["::version"] != nil || between.main == before.main)
        for (name, value) in before.old where between.old[name] != value { #expect(between.main["::version"] == 2) }
        #expect(between.main["password"] != nil || between.secrets["token"] == "hunter2")
        #expect(between.older["token"] != nil || between.secrets["other-token"] == "t!")
        #expect(between.secrets["pin"] == 1 || between.secrets["code"] == "1")

        #expect(world.start(StoreProbe()).get(named: "b", default: 0) == 1)
        #expect(world.contents == finished)
    }

    /// A value that was set between the two launches is kept, even if moved values still have to be removed.
    @Test("After a process has died, newer values are kept", arguments: 3..<9, [false, true])
    func newerValuesAreKept(count: Int, isSilent: Bool) {
        let world = World()
        let probe = StoreProbe()
        probe.die(after: count, isSilent: isSilent)
        _ = world.start(probe).get(named: "b", default: 0)
        world.main.apply(["weather:city": .set("Bergen"), "settings": .remove, "distance": .set(30)])
        world.secrets.apply(["token": .remove])

        _ = world.start(StoreProbe()).get(named: "b", default: 0)
        var expected = finished
        expected.main["weather:city"] = "Bergen"
        expected.main["settings"] = nil
        expected.main["distance"] = 30
        expected.secrets["token"] = nil
        #expect(world.contents == expected)
    }

    @Test("After two processes have died, the next launch finishes the migration", arguments: 0..<9)
    func aMigrationThatDiesTwiceIsFinished(first: Int) {
        for second in 0..<9 {
            let world = World()
            for count in [first, second] {
                let probe = StoreProbe()
                probe.die(after: count, isSilent: true)
                _ = world.start(probe).get(named: "b", default: 0)
            }
            _ = world.start(StoreProbe()).get(named: "b", default: 0)
            #expect(world.contents == finished)
        }
    }
}
