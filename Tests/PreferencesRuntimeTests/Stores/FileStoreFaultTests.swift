import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime

/// Files that are not what the store writes, and values that it could not read again.
struct FileStoreFaultTests {
    private func withFile(_ text: String? = nil, _ body: (URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            if let text { try url.write(text) }
            try body(url)
        }
    }

    @Test(
        arguments: [
            ("", "1:1: the file is empty; expected a JSON object"),
            ("{\"a\": 1,\n \"b\": 2,\n}", "2:8: trailing comma"),
            ("{\"a\": 1,\n \"b\" 2}", "2:6: unexpected '2'; expected ':'"),
            ("{\"a\": 1, \"a\": 2}", "1:10: duplicate name 'a' in one object"),
            ("[1]", "1:1: expected an object of preferences, found an array"),
            ("{\"a\": 1", "1:8: the file ends too early; expected ',' or '}'"),
        ]
    )
    func aFileThatDoesNotParseIsLeftAsItIs(text: String, fault: String) throws {
        try withFile(text) { url throws in
            let store = FileStore(url: url)
            let problem = PreferenceProblem(.storeMalformed, store: url.filePath, message: "\(url.filePath):\(fault)")
            #expect(throws: problem) { try store.value(for: "a") }
            #expect(throws: problem) { try store.names() }
            #expect(throws: problem) { try store.apply(["c": .set(1)]) }
            #expect(throws: problem) { try store.reload() }
            #expect(try url.text() == text)
        }
    }

    @Test func aFileThatDoesNotParseIsReportedOnceAndItsKeysReadAsDefaults() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"weather-service:temperature\": 5,}")
            let preferences = Preferences(store: FileStore(url: url))
            #expect(preferences.weather.temperature == 0)
            #expect(preferences.weather.unit == .celsius)
            preferences.weather.temperature = 6
            let path = url.filePath
            #expect(
                await preferences.reportedProblems().map(\.description) == [
                    "\(path): \(path):1:34: trailing comma; defaults are used until it can be read",
                    "\(path): 'weather-service:temperature': \(path):1:34: trailing comma; it was not set",
                ]
            )
        }
    }

    @Test func aFileThatWasMendedIsReadAgainByItself() throws {
        try withFile("{") { url in
            let preferences = Preferences(store: FileStore(url: url))
            #expect(preferences.weather.temperature == 0)
            try url.write("{\"weather-service:temperature\": 5}")
            #expect(preferences.weather.temperature == 5)
        }
    }

    @Test func aValueThatCouldNotBeReadAgainIsRefused() throws {
        func nested(_ depth: Int) -> PreferenceValue {
            (0..<depth).reduce(1) { value, _ in [value] }
        }
        try withFile { url in
            let store = FileStore(url: url)
            // The file's own object is a level too.
            let deepest = nested(StoreFileLimits.depth - 1)
            try store.apply(["deep": .set(deepest)])
            #expect(try FileStore(url: url).value(for: "deep") == deepest)
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
}
