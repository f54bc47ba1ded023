import PreferencesRuntime

extension StoreCheck {
    static let reading: [StoreCheck] = [
        StoreCheck("any name can be read from an empty store") { trial in
            for name in allNames {
                try trial.expect(nil, under: name)
                guard let source = try trial.store.source(of: name) else { continue }
                throw ExpectationFailure(
                    "expected no source of \(name.quoted), which is not set, found \(source.description.quoted)"
                )
            }
        },

        StoreCheck("reading writes nothing") { trial in
            let changedStore = try trial.change(["kept": .set("a")])
            for name in ["kept", "absent"] {
                _ = try changedStore.value(for: name)
                _ = try changedStore.source(of: name)
                if !trial.isUnsupported(.listing) { _ = try changedStore.names() }
                if !trial.isUnsupported(.writing) {
                    try changedStore.update { current in try current(name).map { _ in [:] } ?? [:] }
                }
            }
            try trial.expect(exactly: ["kept": "a"], in: changedStore, "after reading")
            try trial.expectInAnotherStore(exactly: ["kept": "a"])
        },

        StoreCheck("a stored value has a source, and a missing value has none") { trial in
            let changedStore = try trial.change(["a": .set("kept")])
            guard let source = try changedStore.source(of: "a"), !source.description.isEmpty else {
                throw ExpectationFailure(
                    "expected a source of \"a\", which is set, found none; it is the store's label"
                )
            }
            if let source = try changedStore.source(of: "b") {
                let found = source.description.quoted
                throw ExpectationFailure("expected no source of \"b\", which is not set, found \(found)")
            }
        },

        StoreCheck("the store has a label") { trial in
            guard trial.store.label.isEmpty else { return }
            throw ExpectationFailure("expected a human-readable label, found an empty one")
        },

        StoreCheck("values are read as their own type, and text as another type only from stores of text") { trial in
            let changedStore = try trial.change(["a": .set("21")])
            try trial.expect("a", in: changedStore, readsAs: "21")
            try trial.expect("a", in: changedStore, readsAs: trial.isUnsupported(.typedValues) ? 21 : nil)
            if trial.isUnsupported(.typedValues) || trial.isUnsupported(.writing) { return }
            try trial.store.apply(["b": .set(21)])
            try trial.expect("b", readsAs: 21)
            try trial.expect("b", readsAs: nil as String?)
        },
    ]
}

extension StoreTrial {
    /// Checks what a value converts to; nil if it must not convert.
    fileprivate func expect<Value: PreferenceConvertible & Equatable>(
        _ name: String,
        in store: (any PreferenceStore)? = nil,
        readsAs expected: Value?
    ) throws {
        let store = store ?? self.store
        guard let value = try store.value(for: name) else { return try expect("21", under: name, in: store) }
        let found = try? store.read(value, of: name, as: Value.self)
        guard found != expected else { return }
        let summary = [expected, found].map { $0.map { "\($0)" } ?? "an error" }
        throw ExpectationFailure(
            "expected \(value.summary) to be read as \(Value.self) as \(summary[0]), found \(summary[1])"
        )
    }
}

extension StoreCheck {
    /// The length of names that a store must support unless it declares `.longNames` unsupported.
    static let longNameLength = 10_000

    /// Names with all kinds of characters.
    static let allNames: [String] = similarNames + unicodeNames + unusualNames
    /// The names that a store may declare unsupported.
    static let unusualNames: [String] = controlNames + longNames + [""]

    private init(_ promise: String, storesNames names: [String]) {
        self.init(promise) { trial in
            let values = zip(names, names.indices).map { ($0, PreferenceValue.string("value \($1 + 1)")) }
            try trial.expectStored(Dictionary(uniqueKeysWithValues: values))
        }
    }

    static let names: [StoreCheck] = [
        StoreCheck("names with dots, colons and spaces are distinguished", storesNames: similarNames),
        StoreCheck(
            "names are case-sensitive",
            storesNames: ["name", "Name", "NAME", "é", "É", "ß", "ss", "SS", "ı"]
        ),
        StoreCheck("names may contain characters of all scripts", storesNames: unicodeNames),
        StoreCheck("names may contain control characters", storesNames: controlNames),
        StoreCheck("names of ten thousand characters that differ at the end are distinguished", storesNames: longNames),
        StoreCheck("the empty name can be used", storesNames: ["", " "]),

        StoreCheck("canonically equivalent names are the same name", needs: .writing) { trial in
            let composed = "caf\u{E9}"
            let decomposed = "cafe\u{301}"
            try trial.store.apply([composed: .set("first")])
            try trial.expect("first", under: decomposed)
            try trial.store.apply([decomposed: .set("second")])
            try trial.expect(exactly: [composed: "second"], "after it was set in the other normal form")
            try trial.expectInAnotherStore(exactly: [decomposed: "second"])
            try trial.store.apply([composed: .remove])
            try trial.expect(exactly: [:], "after it was removed")
            try trial.expect(nil, under: decomposed, "after it was removed")
        },

        StoreCheck("names() lists the names of all values and no others") { trial in
            var changedStore = try trial.change(["a": .set("1"), "b": .set("2"), "c": .set("3")])
            if trial.isUnsupported(.listing) {
                guard (try? changedStore.names()) == ["a", "b", "c"] else { return }
                throw ExpectationFailure("the store declares .listing unsupported, but names() lists all names")
            }
            try trial.expect(names: ["a", "b", "c"], in: changedStore)
            changedStore = try trial.change(["a": .remove, "b": .set("4"), "d": .set("5"), "e": .remove])
            try trial.expect(names: ["b", "c", "d"], in: changedStore, "after some were removed")
            changedStore = try trial.change(["b": .remove, "c": .remove, "d": .remove])
            try trial.expect(names: [], in: changedStore, "after all were removed")
        },
    ]

    private static let similarNames = [
        "a", "a.b", "a:b", "a b", "a/b", "a\\b", "a_b", "a-b", "ab", "a.", ".a", "a:", ":a", "a ", " a", " ", ".", "..",
        "/", "a..b", "a.b.c", "a:b:c", "a%2Eb", "a%3Ab", "a&b", "<a>", "\"a\"", "'a'", "a=b", "a;b", "a,b", "a*", "a?",
        "[a]", "{a}", "@a", "@count", "#a", "~", "$a", "$date", "$null", "0", "1", "01", "true", "null", "nil", "self",
    ]

    private static let unicodeNames = [
        "🌦️", "👩‍👩‍👧‍👦", "ё", "日本語", "العربية", "ﬁ", "fi", "Å", "A", "µ", "μ", "\u{A0}", "\u{3000}", "a\u{200B}b",
        "\u{200E}a", "\u{2028}", "\u{10FFFF}\u{301}", "ẛ̣",
    ]

    private static let controlNames = [
        "\u{0}", "a\u{0}", "a\u{0}b", "\n", "a\nb", "a\r\nb", "a\rb", "\t", "\u{1}", "\u{1B}[0m", "\u{7F}", "\u{85}",
        "\u{FEFF}a", "a\u{FEFF}", "\u{FFFE}",
    ]

    private static let longNames = ["a", "b"].flatMap { end in
        ["n", "é"].map { String(repeating: $0, count: longNameLength - 1) + end }
    }
}
