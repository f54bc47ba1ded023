import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files in other formats than that of the store, and values that the store could not read again.
struct FileStoreFaultTests {
    /// The end of the message if a damaged file is not set aside.
    private let justNow = "the file was changed just now, perhaps by an editor: try again in half a second"

    private func withFile(_ text: String? = nil, _ body: (URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            if let text { try url.write(text) }
            try body(url)
        }
    }

    @Test(
        "A file that does not parse and has just changed is left as it is",
        arguments: [
            ("", "line 1, column 1: the file is empty; expected a JSON object"),
            ("{\"a\": 1,\n \"b\": 2,\n}", "line 2, column 8: trailing comma"),
            ("{\"a\": 1,\n \"b\" 2}", "line 2, column 6: expected ':', found other text"),
            ("{\"a\": 1, \"a\": 2}", "line 1, column 10: this name occurs twice in the object"),
            ("[1]", "line 1, column 1: expected an object of preferences, found an array"),
            ("{\"a\": 1", "line 1, column 8: the file ends too early; expected ',' or '}'"),
        ]
    )
    func aFileThatDoesNotParseAndHasJustChangedIsLeftAsItIs(text: String, fault: String) throws {
        try withFile(text) { url throws in
            let store = FileStore(url: url, durability: .immediate, editingTime: 3_600)
            let problem = PreferenceProblem(.storeMalformed, store: url.filePath, message: fault)
            #expect(throws: problem) { try store.value(for: "a") }
            #expect(throws: problem) { try store.names() }
            let refusal = PreferenceProblem(.storeMalformed, store: url.filePath, message: "\(fault); \(justNow)")
            #expect(throws: refusal) { try store.apply(["c": .set(1)]) }
            #expect(throws: problem) { try store.reload() }
            #expect(try url.text() == text)
        }
    }

    @Test("A file that does not parse is reported once, and its keys read as their defaults")
    func aFileThatDoesNotParseIsReportedOnceAndItsKeysReadAsTheirDefaults() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"weather-service:temperature\": 5,}")
            let store = FileStore(url: url, durability: .immediate, editingTime: 3_600)
            let preferences = Preferences(store: store)
            #expect(preferences.weather.temperature == 0)
            #expect(preferences.weather.unit == .celsius)
            preferences.weather.temperature = 6
            let path = url.filePath
            #expect(
                await preferences.reportedProblems().map(\.description) == [
                    "\(path): line 1, column 34: trailing comma; "
                        + "using the values read before, or else defaults, until it can be read",
                    "\(path): 'weather-service:temperature': line 1, column 34: trailing comma; \(justNow); it was not set",
                ]
            )
        }
    }

    @Test("A repaired file is read again without a call")
    func aRepairedFileIsReadAgainWithoutACall() throws {
        try withFile("{") { url in
            let preferences = Preferences(store: FileStore(url: url, durability: .immediate))
            #expect(preferences.weather.temperature == 0)
            try url.write("{\"weather-service:temperature\": 5}")
            #expect(preferences.weather.temperature == 5)
        }
    }

    @Test("The last values are kept when a write finds the file damaged")
    func theLastValuesAreKeptWhenAWriteFindsTheFileDamaged() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            // The external edit causes no event.
            let store = FileStore(url: url, durability: .immediate, editingTime: 3_600, watching: .fake())
            let preferences = Preferences(store: store)
            preferences.weather.temperature = 5
            try url.write("{")
            preferences.weather.unit = .fahrenheit
            #expect(preferences.weather.temperature == 5)
            #expect(preferences.weather.unit == .celsius)
            #expect(preferences.weather.isSet(\.temperature))
            #expect(try preferences.store.names() == ["weather-service:temperature"])
            #expect(await preferences.reportedProblems().map(\.code) == [.storeMalformed])
            #expect(try url.text() == "{")
        }
    }

    @Test("The last values are kept when reload() finds the file damaged")
    func theLastValuesAreKeptWhenReloadFindsTheFileDamaged() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            // The external edit causes no event.
            let preferences = Preferences(
                store: FileStore(url: url, durability: .immediate, watching: .fake())
            )
            preferences.weather.temperature = 5
            try url.write("{")
            for _ in 0..<2 {
                #expect(throws: PreferenceProblem.self) { try preferences.reload() }
                #expect(preferences.weather.temperature == 5)
            }
            #expect(await preferences.reportedProblems().isEmpty)

            try url.write("{\"weather-service:temperature\": 6}")
            try preferences.reload()
            #expect(preferences.weather.temperature == 6)
        }
    }

    @Test("The last values are kept while the file cannot be opened")
    func theLastValuesAreKeptWhileTheFileCannotBeOpened() throws {
        try withFile { url in
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            let text = try url.text()
            try FileManager.default.removeItem(at: url)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            #expect(throws: PreferenceProblem.self) { try store.apply(["b": .set(2)]) }
            #expect(throws: PreferenceProblem.self) { try store.reload() }
            #expect(try store.value(for: "a") == 1)

            try FileManager.default.removeItem(at: url)
            try url.write(text)
            try store.reload()
            try store.apply(["b": .set(2)])
            #expect(try store.names() == ["a", "b"])
        }
    }

    @Test("A file that is too large for preferences is rejected")
    func aFileThatIsTooLargeForPreferencesIsRejected() throws {
        try withFile("") { url in
            // The file is sparse, and takes no space on the disk.
            try #require(truncate(url.filePath, 1 << 40) == 0)
            let message = "cannot read \(url.filePath): File too large"
            #expect(throws: PreferenceProblem(.storeUnreadable, store: url.filePath, message: message)) {
                try FileStore(url: url, durability: .immediate).value(for: "a")
            }
        }
    }

    @Test("A file that takes more than one read is read whole")
    func aFileThatTakesMoreThanOneReadIsReadWhole() throws {
        try withFile { url in
            let text = String(repeating: "x", count: 3_000_000)
            try FileStore(url: url, durability: .immediate).apply(["a": .set(.string(text))])
            let isSame = try FileStore(url: url, durability: .immediate).value(for: "a") == .string(text)
            #expect(isSame)
        }
    }

    @Test("A value that could not be read again is rejected")
    func aValueThatCouldNotBeReadAgainIsRejected() throws {
        func nested(_ depth: Int) -> PreferenceValue {
            (0..<depth).reduce(1) { value, _ in [value] }
        }
        try withFile { url in
            let store = FileStore(url: url, durability: .immediate)
            // The object at the root of the file is also a level.
            let deepest = nested(StoreFileLimits.depth - 1)
            try store.apply(["deep": .set(deepest)])
            #expect(try FileStore(url: url, durability: .immediate).value(for: "deep") == deepest)
            let problem = PreferenceProblem(
                .unsupportedValue,
                key: "deep",
                store: url.filePath,
                message: "the value is nested more than \(StoreFileLimits.depth) levels deep"
            )
            #expect(throws: problem) { try store.apply(["deep": .set([deepest]), "other": .set(1)]) }
            #expect(try store.value(for: "deep") == deepest)
            #expect(try store.names() == ["deep"])
        }
    }

    @Test("Lost edits are reported once")
    func lossesAreReportedOnce() throws {
        try withTemporaryDirectory { folder in
            let store = FileStore(
                url: folder.appending(component: "a.json"),
                durability: .coalesced(milliseconds: 3_600_000)
            )
            let changes = StoreChanges(of: store)
            let engine = try #require(FileStoreEngine.all.first { $0.label == store.label })
            let cause = PreferenceProblem(.storeBusy, store: store.label, message: "busy")
            for _ in 0..<2 { engine.reportLoss(because: cause) }
            #expect(changes.soFar.count == 1)
        }
    }

    #if os(Linux)
        @Test(
            "A store that is first used without a free descriptor writes once there is one",
            arguments: [true, false]
        )
        func noDescriptors(isImmediate: Bool) async {
            await #expect(processExitsWith: .success) { [isImmediate = isImmediate as Bool] in
                try withTemporaryDirectory { folder in
                    let url = folder.appending(component: "a.json")
                    let durability: FileStore.Durability = isImmediate ? .immediate : .coalesced(milliseconds: 10)
                    let store = FileStore(url: url, durability: durability, watching: .fake())
                    var limit = rlimit()
                    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
                    var none = limit
                    none.rlim_cur = 0
                    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none) == 0)
                    let result = Result { try store.apply(["a": .set(1)]) }
                    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
                    if isImmediate {
                        #expect(throws: PreferenceProblem.self) { try result.get() }
                        try store.apply(["a": .set(1)])
                    } else {
                        try result.get()
                        try store.flush()
                    }
                    #expect(try url.text() == "{\n  \"a\": 1\n}\n")
                }
            }
        }
    #endif
}
