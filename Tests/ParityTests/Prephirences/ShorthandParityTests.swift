import Foundation
import PreferencesCompatibility
import PreferencesRemote
import PreferencesRuntime
import PreferencesSQLite
import PreferencesSecrets
import StoreTestSupport
import TestSupport
import Testing

@Suite("Prephirences: stores in short")
struct ShorthandParityTests {
    @Test("Preferences(suite: \"local\") is over the suite")
    func suite() throws {
        try withSuite { suite, defaults in
            let preferences = Preferences(suite: suite)
            preferences.set(named: "on", to: true)
            #expect(defaults.bool(forKey: "on"))
            #expect(UserDefaults.standard.object(forKey: "on") == nil)
        }
    }

    @Test("p.prefixed(\"a.\") is over the part of the store, and of the secrets, with the prefix")
    func prefixed() {
        let (store, secrets) = (MemoryStore(), MemoryStore())
        let preferences = Preferences(store: store, secrets: secrets)
        let part = preferences.prefixed("a.")
        part["on"] = true
        part.token = "hunter2"
        #expect(store.names() == ["a.on"])
        #expect(secrets.names() == ["a.token"])
        let changes = Recorder<PreferenceValue?>()
        let watcher = part.watch(\.["on"]) { changes.add($0.new) }
        preferences["a.on"] = false
        watcher.cancel()
        #expect(changes.all == [false])
    }

    @Test("[a.readOnly, b.readOnly, c] as LayeredStore: the first value wins, and the last store is written")
    func layers() throws {
        let (first, second, third): (MemoryStore, MemoryStore, MemoryStore) = (["a": 1], ["a": 2, "b": 2], [:])
        let store = [first.readOnly, second.readOnly, third] as LayeredStore
        #expect(try store.dictionary() == ["a": 1, "b": 2])
        try store.merge(["c": 3])
        #expect(third.value(for: "c") == 3)
        #expect(first.names() == ["a"])
    }

    @Test("Every store can be written with a leading dot")
    func leadingDots() throws {
        struct Owner {
            @Preference("volume", store: .memory) var volume = 1
            @Preference("a", store: .memory(["a": 2])) var a = 1
            @Preference("nickname", store: .memory) var nickname: String?
            @Preference("CFBundleUnknown", store: .bundle) var bundle = "none"
            @Preference("unknown", store: .arguments) var argument = 1
            @Preference("unknown", store: .arguments(prefix: "--set-")) var setting = 1
            @Preference("unknown", store: .environment(prefix: "PREFERENCES_TESTS_")) var variable = 1
            @Preference("unknown", store: .userDefaults) var standard = 1
            @Preference("unknown", store: .cache) var cached = 1
            @Preference("unknown", store: .file) var file = 1
            @Preference("a", store: .layered(.memory, .environment(prefix: "P_"), MemoryStore(["a": 3])))
            var layered = 1
            @Preference("a", store: .prefixed(.memory(["p:a": 4]), prefix: "p")) var prefixed = 1
            @Preference("a", store: .readOnly(.memory(["a": 5]))) var fixed = 1
            @Preference("a", store: .transformed(.memory(["a": true]), .inverted)) var inverted = true
            @Preference("a", store: .legacy(.memory(["a": 6]), decoding: [.jsonData])) var legacy = 1
            @Preference("a", store: .reflecting((a: 7, b: 8))) var reflected = 1
        }
        let owner = Owner()
        owner.volume += 1
        #expect(owner.volume == 2)
        #expect(owner.nickname == nil)
        #expect(owner.bundle == "none")
        let values = [owner.a, owner.layered, owner.prefixed, owner.fixed, owner.legacy, owner.reflected]
        #expect(values == [2, 3, 4, 5, 6, 7])
        #expect(!owner.inverted)
        let unset = [owner.argument, owner.setting, owner.variable, owner.standard, owner.cached]
        #expect(unset == [1, 1, 1, 1, 1])

        try withTemporaryDirectory { folder in
            let path = folder.appending(path: "a").path(percentEncoded: false)
            func preferences(_ preferences: Preferences) throws {
                preferences["a"] = 1
                try preferences.flush()
                #expect(preferences.get(named: "a", as: Int.self) == 1)
                preferences["a"] = nil
                try preferences.flush()
            }
            try preferences(Preferences(store: .file(path: "\(path).plist")))
            try preferences(Preferences(store: .file(url: folder.appending(path: "b"), layout: .nested)))
            try preferences(Preferences(store: .sqlite(path: "\(path).sqlite")))
            try preferences(Preferences(store: .sqlite(url: folder.appending(path: "b.sqlite"))))
            try preferences(Preferences(store: .encrypted(.memory, key: .random())))
            try preferences(Preferences(store: .kConfig(url: folder.appending(path: "rc"))))
            try preferences(Preferences(store: .gSettingsKeyfile(url: folder.appending(path: "keyfile"))))
            try preferences(Preferences(store: .memory, secrets: .file(path: "\(path).json")))
            let secret = Preferences(store: .memory, secrets: .memory)
            secret.token = "hunter2"
            #expect(secret.secrets?.label == "memory")
            #expect(secret.token == "hunter2")
            try withSuite { suite, _ in
                try preferences(Preferences(store: .userDefaults(suite: suite)))
                try preferences(Preferences(store: .layered([UserDefaultsStore(suite: suite), MemoryStore()])))
            }
        }
        let url = try #require(URL(string: "http://localhost:1/a.json"))
        #expect(Preferences(store: .http(url: url)).store.label == "http://localhost:1/a.json")
        #expect(Preferences(store: .cookies(url: url)).store.label == "cookies of localhost")
        #expect(Preferences(store: .cache(countLimit: 5))["a"] == nil)
        #expect(Preferences(store: .coder(encodingInto: NSKeyedArchiver(requiringSecureCoding: true)))["a"] == nil)
        let stations = Preferences(store: .collection([1, 2], name: { "\($0)" }, value: { .int(Int64($0)) }))
        #expect(stations["2"] == 2)
    }

    @Test("A path is relative to the working directory, and ~ is the home folder, as for URL(filePath:)")
    func paths() {
        let folder = URL.currentDirectory().appending(path: "weather.json").path(percentEncoded: false)
        #expect(FileStore(path: "weather.json").label == folder)
        let home = URL.homeDirectory
        #expect(FileStore(path: "~/weather.json").label == home.appending(path: "weather.json").path)
        #expect(SQLiteStore(path: "~/weather.sqlite").label == home.appending(path: "weather.sqlite").path)
    }

    @Test("The compiler's messages about a wrong store name the protocol and the member")
    func messages() async throws {
        func message(_ expression: String) async throws -> String {
            let source = "import PreferencesRuntime\nfunc use() { _ = \(expression) }\n"
            let run = try await Compiler.compile(["Use.swift": source], importing: ["PreferencesRuntime"])
            #expect(!run.succeeded)
            let error = run.output.split(separator: "\n").first { $0.contains("error: ") }
            let text = error?.split(separator: "Use.swift:").last?.split(separator: " [#").first
            return text.map(String.init) ?? run.output
        }
        #expect(
            try await message("Preferences(store: .flie(path: \"a\"))")
                == "2:38: error: type 'PreferenceStore' has no member 'flie'"
        )
        #expect(
            try await message("Preferences(store: 5)")
                == "2:18: error: initializer 'init(store:migrations:isObserved:)' requires that 'Int' conform "
                + "to 'PreferenceStore'"
        )
    }
}

extension Preferences {
    fileprivate var token: String {
        get { get("token", default: "", [.secret]) }
        set { set("token", to: newValue, [.secret]) }
    }
}
