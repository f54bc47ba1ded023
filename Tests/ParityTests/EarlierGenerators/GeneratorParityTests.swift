import Foundation
import PreferencesRuntime
import Synchronization
import TestSupport
import Testing

private struct Window: PreferenceNamespace {
    static let storageName = "window"
    let preferences: Preferences

    var width: Int {
        get { get("window:width", default: 800) }
        nonmutating set { set("window:width", to: newValue) }
    }

    var title: String {
        get { get("window:title", default: "Weather") }
        nonmutating set { set("window:title", to: newValue) }
    }

    /// Stored with inverted logic.
    var isEnabled: Bool {
        get { get("window:disabled", default: true, through: .inverted) }
        nonmutating set { set("window:disabled", to: newValue, through: .inverted) }
    }
}

extension Preferences {
    fileprivate var window: Window { Window(preferences: self) }

    fileprivate var other: Int {
        get { get("other", default: 0) }
        set { set("other", to: newValue) }
    }
}

@Suite("Earlier Swift generators")
struct GeneratorParityTests {
    private let store = MemoryStore()
    private let preferences: Preferences

    init() {
        preferences = Preferences(store: store)
    }

    @Test("generate into a marked region of a hand-written class: host regions, verified")
    func hostRegions() async throws {
        let schema = """
            {
              "formatVersion": 1,
              "namespaces": {
                "station": {
                  "host": "Station.swift",
                  "access": "fileprivate",
                  "keys": { "token": { "type": "String?" } }
                }
              }
            }

            """
        let host = """
            import PreferencesRuntime

            final class Station: StationPreferences {
                let preferences = Preferences.shared
                func forget() { token = nil }
            }

            // preferences:begin Station station
            // preferences:end

            """
        try await withTemporaryDirectory { folder in
            try Data(schema.utf8).write(to: folder.appending(path: "Station.preferences.json"))
            let file = folder.appending(path: "Station.swift")
            try Data(host.utf8).write(to: file)
            func run(_ command: String) async throws -> CommandLineRun {
                try await CommandLineRun(
                    BuiltWithTests.executable("preferences-generator").path,
                    [command, "Station.preferences.json", "--host-directory", "."],
                    in: folder,
                    mergesErrors: true
                )
            }
            // A mode that only checks, and says where.
            let stale = try await run("check")
            #expect(stale.status == 1)
            #expect(stale.output.contains("Station.swift:8:1: error: "), "\(stale.output)")
            #expect(try String(contentsOf: file, encoding: .utf8) == host)
            let generated = try await run("generate")
            #expect(generated.succeeded, "\(generated.output)")
            let written = try String(contentsOf: file, encoding: .utf8)
            #expect(written.contains("fileprivate var token: String?"))
            #expect(written.hasPrefix(host.prefix(while: { $0 != "/" })))
            #expect(try await run("check").succeeded)
            try Data(written.replacing("var token", with: "var tokens").utf8).write(to: file)
            #expect(try await run("check").status == 1)
        }
    }

    @Test("per-key remove, isSet; a removeAll over chosen keys: reset, isSet, resetAll() of a namespace")
    func resetting() throws {
        preferences.window.width = 1
        preferences.window.title = "a"
        preferences.other = 2
        #expect(preferences.window.isSet(\.width))
        preferences.window.reset(\.width)
        #expect(!preferences.window.isSet(\.width))
        #expect(preferences.window.width == 800)
        try preferences.window.resetAll()
        #expect(store.names() == ["other"])
    }

    @Test("move a key from one suite to another, or delete it, at start-up: migrations from another store")
    func moving() throws {
        let old: MemoryStore = ["width": 640, "junk": 1, "stays": 2]
        let preferences = Preferences(
            store: store,
            migrations: [
                PreferenceMigration(
                    version: 1,
                    [.move("width", from: old, to: "window:width"), .remove("junk", from: old)]
                )
            ]
        )
        #expect(preferences.window.width == 640)
        #expect(old.names() == ["stays"])
    }

    @Test("move a key from one suite to another: killed in between, it is in both and not lost")
    func dying() throws {
        /// Cannot be written any more, as when the program is gone.
        struct Dead: PreferenceStoreAdapter {
            let base: any PreferenceStore
            func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
                throw CancellationError()
            }
            func update(
                by writer: PreferenceStoreObservation?,
                _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
            ) throws { throw CancellationError() }
        }
        let old: MemoryStore = ["width": 640]
        let step = PreferenceMigration.Step.move("width", from: Dead(base: old), to: "window:width")
        let first = Preferences(store: store, migrations: [PreferenceMigration(version: 1, [step])])
        #expect(first.window.width == 640)
        #expect(old.value(for: "width") == 640)
        // The next start finishes it.
        let again = PreferenceMigration.Step.move("width", from: old, to: "window:width")
        let second = Preferences(store: store, migrations: [PreferenceMigration(version: 1, [again])])
        #expect(second.window.width == 640)
        #expect(old.names().isEmpty)
    }

    @Test("booleans with inverted logic (isEnabled stored as disabled): a per-key transformation")
    func inverted() {
        #expect(preferences.window.isEnabled)
        preferences.window.isEnabled = false
        #expect(store.value(for: "window:disabled") == true)
        #expect(!preferences.window.isEnabled)
        // As the old program has stored it.
        store.apply(["window:disabled": .set(false)])
        #expect(preferences.window.isEnabled)
    }

    @Test("key paths of the generated properties passed around as references: all watch, reset, update calls take them")
    func keyPaths() throws {
        func useAll(_ key: any ReferenceWritableKeyPath<Window, Int> & Sendable) throws -> [Int] {
            let window = preferences.window
            let seen = Seen()
            window.watch(key) { seen.add($0.new) }
            try window.update(key) { $0 += 1 }
            try window.set(key, to: 5)
            window.reset(key)
            #expect(!window.isSet(key))
            #expect(window.defaultValue(key) == 800)
            window.unwatch(key)
            window[keyPath: key] = 6
            return seen.all
        }
        #expect(try useAll(\.width) == [801, 5, 800])
        // And as a value of their own.
        let reference = PreferenceReference(\.other, in: preferences)
        reference.value += 1
        #expect(preferences.other == 1)
    }
}

private final class Seen: Sendable {
    private let numbers = Mutex<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int) {
        numbers.withLock { $0.append(number) }
    }
}
