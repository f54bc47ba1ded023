#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import PreferencesSecrets

    /// Items that other programs, such as `secret-tool`, and keyring stores share.
    struct SecretServiceInteroperabilityTests {
        private static let texts = [
            "hunter2", "", " ", "\n", "first\nsecond\n", "\r\n\t", #"'single' "double" \back $HOME `x`"#, "grün 東京 🔑",
            "cafe\u{301}", #"{"json": [1, 2]}"#, "42", "true", "aHVudGVyMg==", String(repeating: "é", count: 5_000),
        ]

        @Test("secret-tool prints a text exactly as it was set")
        func toolPrintsText() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                for text in Self.texts {
                    try store.apply(["radar:token": .set(.string(text))])
                    #expect(try await session.lookup("radar:token") == Data(text.utf8))
                    #expect(try session.store().value(for: "radar:token") == .string(text))
                }
                #expect(try await session.items("service", "weather").count == 1)
            }
        }

        @Test("A text that secret-tool stores is read exactly, and replaces an item of the store")
        func toolReplacesItem() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try store.apply(["radar:token": .set("old")])
                for text in Self.texts where text.utf8.count < 8_192 {
                    try await session.toolStore(text, "radar:token")
                    #expect(try store.value(for: "radar:token") == .string(text))
                }
                #expect(try await session.items("service", "weather").count == 1)
            }
        }

        @Test(
            "A value replaces an item of secret-tool, and keeps its label and attributes",
            arguments: [("ours", "ours", nil), (1, "1", "json"), (.data(Data([1])), "AQ==", "base64")]
                as [(PreferenceValue, String, String?)]
        )
        func valueReplacesItemOfTool(value: PreferenceValue, text: String, encoding: String?) async throws {
            try await DesktopSession.run { session in
                let options = SecretServiceOptions(label: "Ours", attributes: ["x": "ours"], timeout: .seconds(120))
                let store = session.store(options)
                let attributes = ["server": "example.org", "xdg:schema": "org.example.Theirs"]
                try await session.toolStore("theirs", "radar:token", label: "Theirs", attributes)
                let expected = [
                    "attribute.account = radar:token", "attribute.server = example.org",
                    "attribute.service = weather", "label = Theirs", "schema = org.example.Theirs",
                ]
                try store.apply(["radar:token": .set(value)])
                var found = try await session.items("service", "weather")
                #expect(found.count == 1)
                let ofEncoding = encoding.map { ["attribute.encoding = \($0)"] } ?? []
                #expect(found.lines == (expected + ofEncoding + ["secret = \(text)"]).sorted())
                try store.apply(["radar:token": .set("text")])
                found = try await session.items("service", "weather")
                #expect(found.count == 1)
                #expect(found.lines == expected + ["secret = text"])
            }
        }

        @Test("Data is stored as base64 and other values as JSON, with an attribute that names the encoding")
        func encodings() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let values: [(value: PreferenceValue, text: String, encoding: String)] = [
                    (.data(Data([0, 255, 10])), "AP8K", "base64"), (.data(Data()), "", "base64"), (42, "42", "json"),
                    (true, "true", "json"), (0.5, "0.5", "json"), (["a", 1], "[\n  \"a\",\n  1\n]", "json"),
                    (["key": "text"], "{\n  \"key\": \"text\"\n}", "json"), ("NUL \u{0}", #""NUL \u0000""#, "json"),
                ]
                for (value, text, encoding) in values {
                    try store.apply(["value": .set(value)])
                    let printed = try #require(await session.lookup("value"))
                    #expect(String(decoding: printed, as: UTF8.self) == text)
                    #expect(try session.store().value(for: "value") == value)
                    let found = try await session.items("service", "weather", "encoding", encoding)
                    #expect(found.count == 1)
                    #expect(found.lines.contains("label = weather: value"))
                }
                #expect(try await session.items("service", "weather").count == 1)
            }
        }

        @Test("What secret-tool stores is text, or with an attribute that names the encoding another value")
        func valuesOfTool() async throws {
            try await DesktopSession.run { session in
                let preferences = Preferences(store: MemoryStore(), secrets: session.store())
                try await session.toolStore("42", "text")
                try await session.toolStore("42", "number", ["encoding": "json"])
                try await session.toolStore("true", "switch", ["encoding": "json"])
                try await session.toolStore(#"["a", "b"]"#, "list", ["encoding": "json"])
                try await session.toolStore("AP8K", "data", ["encoding": "base64"])
                #expect(preferences.get("text", default: "", [.secret]) == "42")
                #expect(preferences.get("number", default: 0, [.secret]) == 42)
                #expect(preferences.get("switch", default: false, [.secret]))
                #expect(preferences.get("list", default: [String](), [.secret]) == ["a", "b"])
                #expect(preferences.get("data", default: Data(), [.secret]) == Data([0, 255, 10]))
                #expect(await preferences.reportedProblems() == [])
                #expect(preferences.get("text", default: 0, [.secret]) == 0)
                #expect(await preferences.reportedProblems().map(\.code) == [.typeMismatch])
            }
        }

        @Test("Contents that do not fit the attribute of their encoding are read as text, or as data if they are none")
        func contentsThatDoNotFit() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await session.toolStore("[1", "json", ["encoding": "json"])
                try await session.toolStore("?", "base64", ["encoding": "base64"])
                try await session.toolStore("text", "unknown", ["encoding": "rot13"])
                #expect(try store.value(for: "json") == "[1")
                #expect(try store.value(for: "base64") == "?")
                #expect(try store.value(for: "unknown") == "text")
                try store.apply(["json": .set(1), "base64": .set(.data(Data([1]))), "unknown": .set("mine")])
                #expect(try store.names() == ["json", "base64", "unknown"])
                #expect(try await session.items("service", "weather").count == 3)
                #expect(try session.store().value(for: "unknown") == "mine")
            }
        }

        @Test("A value that changes its kind has one item, and then no other value")
        func changedKind() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let values: [PreferenceValue] = [
                    "text", 1, .data(Data([1])), "text", .data(Data([1])), 1, "text", ["list"], 2,
                ]
                for value in values {
                    try store.apply(["value": .set(value)])
                    #expect(try session.store().value(for: "value") == value)
                    #expect(try await session.items("service", "weather").count == 1)
                }
                try store.apply(["value": .remove])
                #expect(try await session.items("service", "weather").count == 0)
                #expect(try store.value(for: "value") == nil)
            }
        }

        @Test("Text of secret-tool replaces a number, also if both have items")
        func toolReplacesOtherKind() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try store.apply(["value": .set(1)])
                try await session.toolStore("theirs", "value")
                #expect(try store.value(for: "value") == "theirs")
                try store.apply(["value": .set(2)])
                #expect(try await session.items("service", "weather").count == 1)
                #expect(try await session.lookup("value") == Data("2".utf8))
            }
        }

        @Test("Items of other services, and items without an account, are neither listed, read nor removed")
        func itemsOfOthers() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                // Later, this would replace the store's item, which has these attributes and more.
                let run = try await session.secretTool(["store", "--label=Bare", "service", "weather"], input: "bare")
                #expect(run.succeeded)
                try store.apply(["token": .set("mine")])
                try await session.toolStore("other", "token", service: "other")
                #expect(try store.names() == ["token"])
                #expect(try store.value(for: "token") == "mine")
                #expect(try store.value(for: "other") == nil)
                #expect(try store.source(of: "token") == PreferenceSource(store: "keyring 'weather'", name: "token"))
                try store.apply(["token": .remove])
                #expect(try store.names() == [])
                #expect(try await session.lookup("token", service: "other") == Data("other".utf8))
                #expect(try await session.items("service", "weather").lines.contains("secret = bare"))
            }
        }

        @Test("Canonically equivalent names are one name, whose item keeps its account")
        func canonicallyEquivalentNames() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                try await session.toolStore("theirs", "cafe\u{301}")
                #expect(try store.value(for: "caf\u{e9}") == "theirs")
                try store.apply(["caf\u{e9}": .set("ours")])
                #expect(try await session.lookup("cafe\u{301}") == Data("ours".utf8))
                #expect(try store.value(for: "cafe\u{301}") == "ours")
                #expect(try store.names() == ["caf\u{e9}"])
                try store.apply(["caf\u{e9}": .set(1)])
                #expect(try store.value(for: "cafe\u{301}") == 1)
                #expect(try await session.items("service", "weather").count == 1)
                try await session.toolStore("theirs", "caf\u{e9}")
                try store.apply(["cafe\u{301}": .set("one")])
                #expect(try await session.items("service", "weather").count == 1)
                try store.apply(["cafe\u{301}": .remove])
                #expect(try await session.items("service", "weather").count == 0)
            }
        }

        @Test("Names that a keyring cannot have are refused, and read as missing")
        func refusedNames() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let reasons = [
                    ("", "the keyring takes no empty name"),
                    ("to\u{0}ken", "the keyring takes no name with the character NUL"),
                ]
                for (name, reason) in reasons {
                    let problem = PreferenceProblem(
                        .unsupportedValue,
                        key: name,
                        store: "keyring 'weather'",
                        message: reason
                    )
                    #expect(throws: problem) { try store.apply([name: .set("text"), "other": .set("text")]) }
                    #expect(try store.value(for: name) == nil)
                    try store.apply([name: .remove])
                }
                #expect(try store.names() == [])
            }
        }

        @Test("Names with any other characters are set, listed and removed")
        func unusualNames() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let names = [
                    " ", "a b", "a\nb", "\u{1}\u{7f}", "東京:🔑", "/", "..", "'\"\\", "service", "account",
                    String(repeating: "n", count: 10_000),
                ]
                for name in names { try store.apply([name: .set(.string(name))]) }
                for name in names { #expect(try session.store().value(for: name) == .string(name)) }
                #expect(try store.names() == Set(names))
                #expect(try await session.lookup("a\nb") == Data("a\nb".utf8))
                try store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: names.map { ($0, .remove) })))
                #expect(try store.names() == [])
            }
        }

        // MARK: - Options

        @Test("New items have the label and attributes of the options, and those of the store")
        func labelAndAttributes() async throws {
            try await DesktopSession.run { session in
                let attributes = ["xdg:schema": "org.example.Token", "server": "example.org", "service": "other"]
                let options = SecretServiceOptions(label: "Token", attributes: attributes, timeout: .seconds(120))
                let store = session.store(options)
                try store.apply(["token": .set("hunter2")])
                let found = try await session.items("service", "weather")
                #expect(
                    found.lines == [
                        "attribute.account = token", "attribute.server = example.org", "attribute.service = weather",
                        "label = Token", "schema = org.example.Token", "secret = hunter2",
                    ]
                )
                // A store with other options reads and replaces the same item.
                try session.store().apply(["token": .set("hunter3")])
                #expect(try store.value(for: "token") == "hunter3")
                #expect(try await session.items("server", "example.org").count == 1)
                for value: PreferenceValue in [1, "hunter4", .data(Data([1]))] {
                    try store.apply(["token": .set(value)])
                    #expect(try session.store().value(for: "token") == value)
                    #expect(try await session.items("service", "weather").count == 1)
                }
            }
        }

        @Test("A named collection has items of its own, which stores in other collections do not see")
        func namedCollection() async throws {
            try await DesktopSession.run { session in
                _ = try await session.createCollection(label: "Work")
                let work = session.store(SecretServiceOptions(collection: .named("Work"), timeout: .seconds(120)))
                let store = session.store()
                #expect(work.label == "keyring 'weather' in 'Work'")
                try work.apply(["token": .set("work"), "only": .set("work")])
                #expect(try store.value(for: "token") == nil)
                #expect(try store.names() == [])
                try store.apply(["token": .set("login")])
                #expect(try work.value(for: "token") == "work")
                #expect(try work.names() == ["token", "only"])
                try store.apply(["token": .remove, "only": .remove])
                #expect(try work.names() == ["token", "only"])
                try await session.killDaemon()
                try await session.startDaemon()
                // The password of a collection is asked for again.
                let path = "/org/freedesktop/secrets/collection/Work"
                try await session.unlock(path)
                #expect(try work.value(for: "token") == "work")
            }
        }

        @Test("Without the named collection, nothing is read, and the first value asks for it")
        func missingCollection() async throws {
            try await DesktopSession.run { session in
                let collection = SecretServiceCollection.named("Work")
                let options = SecretServiceOptions(collection: collection, unlocking: .fail, timeout: .seconds(120))
                let store = session.store(options)
                #expect(try store.value(for: "token") == nil)
                #expect(try store.names() == [])
                #expect(try store.source(of: "token") == nil)
                try store.apply(["token": .remove])
                let problem = PreferenceProblem(
                    .storeUnwritable,
                    store: "keyring 'weather' in 'Work'",
                    message:
                        "the keyring was not changed: there is no collection 'Work': create it, such as with Seahorse, or use "
                        + "the option 'unlocking: .prompt'"
                )
                #expect(throws: problem) { try store.apply(["token": .set("hunter2")]) }
                _ = try await session.createCollection(label: "Work")
                try store.apply(["token": .set("hunter2")])
                #expect(try store.value(for: "token") == "hunter2")
            }
        }

        @Test("The session collection is empty after a restart of the service, and the default one is not")
        func sessionCollection() async throws {
            try await DesktopSession.run { session in
                let store = session.store()
                let ofSession = session.store(SecretServiceOptions(collection: .session, timeout: .seconds(120)))
                #expect(ofSession.label == "keyring 'weather' of the session")
                try store.apply(["token": .set("login")])
                try ofSession.apply(["token": .set("session"), "number": .set(1)])
                #expect(try ofSession.value(for: "token") == "session")
                #expect(try ofSession.names() == ["token", "number"])
                #expect(try store.names() == ["token"])
                try await session.killDaemon()
                try await session.startDaemon()
                #expect(try ofSession.names() == [])
                #expect(try ofSession.value(for: "token") == nil)
                #expect(try store.value(for: "token") == "login")
            }
        }
    }
#endif
