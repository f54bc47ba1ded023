import PreferencesRuntime

extension StoreCheck {
    /// The characters of a name that a store must take unless it lacks `.longNames`.
    static let longNameLength = 10_000

    /// Names of all kinds.
    static let oddNames: [String] = similarNames + unicodeNames + unusualNames
    /// Those that some store may lack.
    static let unusualNames: [String] = controlNames + longNames + [""]

    private init(_ promise: String, keepsNames names: [String]) {
        self.init(promise) { trial in
            let values = zip(names, names.indices).map { ($0, PreferenceValue.string("value \($1 + 1)")) }
            try trial.expectKept(Dictionary(uniqueKeysWithValues: values))
        }
    }

    static let names: [StoreCheck] = [
        StoreCheck("names with dots, colons and spaces are kept apart", keepsNames: similarNames),
        StoreCheck(
            "names are told apart by case",
            keepsNames: ["name", "Name", "NAME", "é", "É", "ß", "ss", "SS", "ı"]
        ),
        StoreCheck("names may have characters of all scripts", keepsNames: unicodeNames),
        StoreCheck("names may have control characters", keepsNames: controlNames),
        StoreCheck("names of ten thousand characters are kept apart at their ends", keepsNames: longNames),
        StoreCheck("the empty name is a name", keepsNames: ["", " "]),

        StoreCheck("a name is one in both normal forms of Unicode", needs: .writing) { trial in
            let composed = "caf\u{E9}"
            let decomposed = "cafe\u{301}"
            try trial.store.apply([composed: .set("first")])
            try trial.expect("first", under: decomposed)
            try trial.store.apply([decomposed: .set("second")])
            try trial.expect(exactly: [composed: "second"], "after it was set in the other form")
            try trial.expectInAnotherStore(exactly: [decomposed: "second"])
            try trial.store.apply([composed: .remove])
            try trial.expect(exactly: [:], "after it was removed")
            try trial.expect(nil, under: decomposed, "after it was removed")
        },

        StoreCheck("names() has the names of all values, and no others") { trial in
            var holder = try trial.change(["a": .set("1"), "b": .set("2"), "c": .set("3")])
            if trial.isUnsupported(.listing) {
                guard (try? holder.names()) == ["a", "b", "c"] else { return }
                throw BrokenPromise("the store lacks .listing, but names() has the names of all values")
            }
            try trial.expect(names: ["a", "b", "c"], in: holder)
            holder = try trial.change(["a": .remove, "b": .set("4"), "d": .set("5"), "e": .remove])
            try trial.expect(names: ["b", "c", "d"], in: holder, "after some were removed")
            holder = try trial.change(["b": .remove, "c": .remove, "d": .remove])
            try trial.expect(names: [], in: holder, "after all were removed")
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
