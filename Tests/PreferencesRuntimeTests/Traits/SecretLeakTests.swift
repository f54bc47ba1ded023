import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Checks that no contents of a secrets store are shown: a canary is put into every position, and searched for in all
/// that is reported, thrown, described and written to standard error.
struct SecretLeakTests {
    /// Files with the canary, of every format and with every kind of damage.
    static let files: [(name: String, text: String)] = [
        ("json", #"{"sec": "canary1" canary2"#),
        ("json", #"{"sec": canary}"#),
        ("json", #"{canary: 1}"#),
        ("json", #"{"canary": 1, "canary": 2, "sec": "canary"}"#),
        ("json", #"{"canary": {"canary": [}"#),
        ("json", #"{"sec": "canary"#),
        ("json", #"{"sec": "canary"} canary"#),
        ("json", #"{"sec": "canary\q"}"#),
        ("json", #"{"sec": "canary\ud800"}"#),
        ("json", "{\"sec\": \"canary\u{1}\"}"),
        ("json", #"{"sec": 1canary}"#),
        ("json", #"{"sec": 1.canary}"#),
        ("json", #"{"sec": "canary",}"#),
        ("json", #"/* canary */ {"sec": "canary"}"#),
        ("json", #"["canary"]"#),
        ("json", #""canary""#),
        ("json", #"{"sec": \#(String(repeating: "[", count: 200))"canary"\#(String(repeating: "]", count: 200))}"#),
        // A readable file with values that are unreadable, or of other types than their keys.
        ("json", #"{"sec": "canary", "canary": "canary"}"#),
        ("json", #"{"sec": {"$data": "canary!"}}"#),
        ("json", #"{"sec": {"$date": "canary"}}"#),
        ("json", #"{"sec": {"$double": "canary"}}"#),
        ("json", #"{"sec": {"canary": ["canary"]}}"#),
        ("json", #"{"sec": ["canary", {"canary": "canary"}]}"#),
        ("json", #"{"sec": 99999999999999999999999999999999999e999}"#),
        ("plist", "canary"),
        ("plist", "{ canary = \"canary"),
        ("plist", "<?xml version=\"1.0\"?>\n<plist><dict><key>sec</key><canary>canary</canary></dict></plist>"),
        ("plist", "<?xml version=\"1.0\"?>\n<plist><dict><key>sec</key><integer>canary</integer></dict></plist>"),
        ("plist", "<?xml version=\"1.0\"?>\n<plist><dict><key>sec</key><string>&canary;</string></dict></plist>"),
        ("plist", "<?xml version=\"1.0\"?>\n<plist><dict><key>canary</key></dict></plist>"),
        ("plist", "<?xml version=\"1.0\"?>\n<plist><array><string>canary</string></array></plist>"),
        ("plist", "<?xml version=\"1.0\"?>\n<plist><dict><key>sec</key><string>canary</string></dict></plist>"),
        // The names around an unreadable value.
        ("json", #"{"sec": {"canary": {"$date": "never"}}}"#),
        (
            "plist",
            "<?xml version=\"1.0\"?>\n<plist><dict><key>sec</key><dict><key>canary</key><dict><key>$date</key>"
                + "<string>never</string></dict></dict></dict></plist>"
        ),
        ("plist", "bplist00canary-canary-canary-canary-canary-canary-canary"),
    ]

    @Test("No contents of a secrets file are shown", arguments: files)
    func noContentsOfASecretsFileAreShown(name: String, text: String) async throws {
        try await withTemporaryDirectory { folder async throws in
            let url = folder.appending(component: "secrets.\(name)")
            for durability in [FileStore.Durability.immediate, .coalesced(milliseconds: 3_600_000)] {
                for editingTime in [0, 3_600] as [Double] {
                    try Data(text.utf8).write(to: url)
                    let store = FileStore(url: url, durability: durability, editingTime: editingTime)
                    let shown = await Self.use(Preferences(store: MemoryStore(), secrets: store))
                    #expect(Self.leaks(in: shown) == [])
                }
            }
        }
    }

    @Test("No contents of a secrets file are written to standard error", arguments: files)
    func noContentsOfASecretsFileAreWrittenToStandardError(name: String, text: String) async throws {
        try await withTemporaryDirectory { folder async throws in
            let program = try BuiltWithTests.executable("StoreChild").path
            for command in ["secrets", "set"] {
                let url = folder.appending(component: "\(command).\(name)")
                try Data(text.utf8).write(to: url)
                let run = try await CommandLineRun(program, [command, url.path, "sec", "1"], mergesErrors: true)
                #expect(run.succeeded)
                #expect(Self.leaks(in: [run.output]) == [])
            }
        }
    }

    @Test("A secrets file that is set aside is reported on standard error by position and path")
    func aSecretsFileThatIsSetAsideIsReported() async throws {
        try await withTemporaryDirectory { folder async throws in
            let program = try BuiltWithTests.executable("StoreChild").path
            let url = folder.appending(component: "secrets.json")
            try Data(#"{"sec": "canary1" canary2"#.utf8).write(to: url)
            let run = try await CommandLineRun(program, ["set", url.path, "sec", "1"], mergesErrors: true)
            let start =
                "preferences: \(url.path): it does not parse (line 1, column 19: expected ',' or '}', found other text)"
            #expect(run.output.hasPrefix("\(start), and was set aside as \(url.path).corrupt-"))
        }
    }

    @Test("No error of a custom secrets store is shown", arguments: LooseStore.Fault.allCases)
    func noErrorOfACustomSecretsStoreIsShown(fault: LooseStore.Fault) async throws {
        let store = LooseStore(fault)
        let shown = await Self.use(Preferences(store: MemoryStore(), secrets: store)) {
            store.notify(.problem(LooseStore.problem))
            store.notify(.unreadable(LooseStore.problem))
        }
        #expect(Self.leaks(in: shown) == [])
    }

    @Test("An error of a store from which secrets are moved is not shown", arguments: LooseStore.Fault.allCases)
    func anErrorOfASourceOfSecretsIsNotShown(fault: LooseStore.Fault) async throws {
        let steps: [PreferenceMigration.Step] = [
            .move("sec", from: LooseStore(fault), to: "sec", isSecret: true),
            .move("sec", from: LooseStore(fault), to: "other", isSecret: true) { (_: Int) in 1 },
            .move("sec", from: LooseStore(fault), to: "third", isSecret: true) { (text: String) -> Int? in
                throw LooseStore.Failure(text)
            },
            .moveAll(from: LooseStore(fault), isSecret: true),
        ]
        for (main, secrets) in [(LooseStore(nil), LooseStore(fault)), (LooseStore(fault), LooseStore(nil))] {
            let preferences = Preferences(
                store: MemoryStore(),
                secrets: secrets,
                migrations: [.init(version: 1, steps + [.moveAll(from: main, isSecret: true)])]
            )
            #expect(await Self.leaks(in: Self.use(preferences)) == [])
        }
    }

    /// Problems of the main store as a whole do not concern secrets.
    private static let faultsOfValues: [LooseStore.Fault?] = [nil, .error, .foundationError]

    @Test("No value of the main store that becomes a secret is shown", arguments: faultsOfValues)
    func noValueThatBecomesASecretIsShown(fault: LooseStore.Fault?) async {
        let preferences = Preferences(
            store: LooseStore(fault),
            secrets: MemoryStore(),
            migrations: [.init(version: 1, [.move("sec", to: "sec", isSecret: true)])]
        )
        _ = PreferenceReference("sec", default: 0, [.secret], in: preferences).value
        let problems = await preferences.reportedProblems()
        #expect(!problems.isEmpty)
        #expect(Self.leaks(in: problems.flatMap { Self.renderings($0) }) == [])
    }

    @Test("A former value of a secret that cannot be read or removed is not shown", arguments: faultsOfValues)
    func aFormerValueOfASecretIsNotShown(fault: LooseStore.Fault?) async {
        let preferences = Preferences(store: LooseStore(fault), secrets: MemoryStore())
        let traits: [PreferenceTrait<Int>] = [.secret, .renamed(from: "sec")]
        let secret = PreferenceReference("new", default: 0, traits, in: preferences)
        _ = secret.value
        secret.value = 1
        let problems = await preferences.reportedProblems()
        #expect(!problems.isEmpty)
        #expect(Self.leaks(in: problems.flatMap { Self.renderings($0) }) == [])
    }

    @Test("A redacted problem keeps its code, key and label, and has a public message")
    func aRedactedProblemKeepsItsCodeKeyAndLabel() async {
        let store = LooseStore(nil)
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        _ = Account(preferences: preferences).token
        _ = await preferences.reportedProblems()
        let problems = await preferences.reportedProblems().count
        store.notify(.problem(PreferenceProblem(.storeBusy, key: "token", store: "x", message: "canary")))
        store.notify(.problem(PreferenceProblem(.setAside, key: "canary", store: "x", message: "canary")))
        store.notify(.problem(PreferenceProblem(.setAside, store: "layer", message: "as y", isMessagePublic: true)))
        #expect(
            await preferences.reportedProblems().dropFirst(problems) == [
                PreferenceProblem(
                    .storeBusy,
                    key: "token",
                    store: "loose",
                    message: "it is locked by another process or thread"
                ),
                PreferenceProblem(.setAside, store: "loose", message: "its contents were damaged, and were set aside"),
                PreferenceProblem(.setAside, store: "layer", message: "as y"),
            ]
        )
    }

    @Test("Reflection of a store and its wrappers shows labels, not values")
    func reflectionShowsLabelsNotValues() {
        let memory = MemoryStore(["sec": "canary"])
        let preferences = Preferences(store: MemoryStore(["name": "canary"]), secrets: memory)
        _ = PreferenceReference("sec", default: "", [.secret], in: preferences).value
        let stores: [any PreferenceStore] = [
            memory, ReadOnlyStore(memory), PrefixedStore(memory, prefix: "p"), LayeredStore([memory]),
        ]
        var shown = stores.flatMap { Self.renderings($0) }
        shown += Self.renderings(preferences) + Self.renderings(Account(preferences: preferences))
        #expect(Self.leaks(in: shown) == [])
    }
}

extension SecretLeakTests {
    private enum Colour: String, Codable, PreferenceConvertible { case red }

    private struct Person: Codable, PreferenceConvertible, Equatable {
        var name = 1
        var birthday = Date(timeIntervalSinceReferenceDate: 0)
    }

    /// Returns all textual representations of a value or an error.
    static func renderings<Value>(_ value: Value) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let localized = (value as? any Error).map { [$0.localizedDescription, "\($0 as NSError)"] } ?? []
        return [String(describing: value), String(reflecting: value), dumped] + localized
    }

    static func leaks(in shown: [String]) -> [String] {
        shown.filter { $0.lowercased().contains("canary") }
    }

    /// Runs all operations on secrets, and returns all resulting texts.
    private static func use(_ preferences: Preferences, _ notify: () -> Void = {}) async -> [String] {
        var shown: [String] = []
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { shown += renderings(error) }
        }
        func use<Value: PreferenceConvertible>(_ value: Value, _ traits: [PreferenceTrait<Value>] = []) {
            let reference = PreferenceReference("sec", default: value, traits + [.secret], in: preferences)
            _ = reference.value
            attempt { try preferences.transaction { _ in _ = reference.value } }
        }
        use(1)
        use(1, [.range(0...1)])
        use(true)
        use(1.5)
        use(Date(timeIntervalSinceReferenceDate: 0))
        use(Data())
        use("x", [.length(...2)])
        use("x", [.oneOf(["x"])])
        use("x", [.pattern("x+")])
        use([1])
        use(["x"], [.each(.length(...2))])
        use(["x": 1])
        use(Colour.red)
        use(Person())
        use(URL(filePath: "/"))
        use(UUID())
        use(Optional<Int>.none)
        notify()
        shown += renderings(preferences)
        let account = Account(preferences: preferences)
        attempt { try account.set(\.token, to: "canary") }
        attempt { try account.set(\.pin, to: 12_345) }
        attempt { try account.set(\.answers, to: ["canary": "canary"]) }
        attempt { try preferences.flush() }
        attempt { try preferences.reload() }
        attempt { try preferences.resetAll() }
        _ = account.isSet(\.token)
        _ = account.source(of: \.token).map { shown.append($0) }
        account.reset(\.token)
        attempt { try preferences.flush() }
        for problem in await preferences.reportedProblems() { shown += renderings(problem) }
        return shown
    }
}

/// A store whose errors contain its contents.
final class LooseStore: WritablePreferenceStore, ValueConvertingStore {
    /// The errors that it throws.
    enum Fault: CaseIterable {
        case error, foundationError, problem, key, malformed
    }

    struct Failure: Error, CustomStringConvertible, LocalizedError {
        let description: String
        var errorDescription: String? { description }

        init(_ text: String) { description = "canary \(text)" }
    }

    static let problem = PreferenceProblem(.storeUnwritable, key: "canary", store: "loose", message: "canary")

    let label = "loose"
    let notifiesAllChanges = false
    private let fault: Fault?
    private let observers = PreferenceStoreObservers()

    init(_ fault: Fault?) {
        self.fault = fault
    }

    private func fail(_ code: PreferenceProblem.Code) throws {
        switch fault {
        case nil: return
        case .error: throw Failure("x")
        case .foundationError:
            throw CocoaError(
                .fileReadCorruptFile,
                userInfo: [NSDebugDescriptionErrorKey: "canary", "canary": "canary"]
            )
        case .problem: throw PreferenceProblem(code, store: "loose", message: "canary")
        case .key: throw PreferenceProblem(.unsupportedValue, key: "canary", store: "canary", message: "canary")
        case .malformed: throw PreferenceProblem(.storeMalformed, store: "loose", message: "canary")
        }
    }

    func notify(_ change: PreferenceStoreChange) { observers.notify(change) }

    func value(for name: String) throws -> PreferenceValue? {
        if name.hasPrefix("::") { return nil }
        try fail(.storeUnreadable)
        return name == "sec" ? "canary" : nil
    }

    func names() throws -> Set<String> {
        try fail(.storeUnreadable)
        return ["sec", "canary"]
    }

    func apply(_ batch: PreferenceBatch) throws {
        try fail(.storeUnwritable)
        // The error contains the rejected value.
        throw Failure("\(batch)")
    }

    func flush() throws { try fail(.notDurable) }

    func reload() throws { try fail(.storeUnreadable) }

    func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        throw Failure("\(value)")
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }
}
