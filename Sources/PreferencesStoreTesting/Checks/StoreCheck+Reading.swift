import PreferencesRuntime

extension StoreCheck {
    static let reading: [StoreCheck] = [
        StoreCheck("any name can be read where nothing is kept") { trial in
            for name in oddNames {
                try trial.expect(nil, under: name)
                guard let source = try trial.store.source(of: name) else { continue }
                throw BrokenPromise("expected no source of \(name.quoted), which is not set, found \(source.quoted)")
            }
        },

        StoreCheck("reading writes nothing") { trial in
            let holder = try trial.change(["kept": .set("a")])
            for name in ["kept", "absent"] {
                _ = try holder.value(for: name)
                _ = try holder.source(of: name)
                if !trial.isUnsupported(.listing) { _ = try holder.names() }
                if !trial.isUnsupported(.writing) {
                    try holder.update { current in try current(name).map { _ in [:] } ?? [:] }
                }
            }
            try trial.expect(exactly: ["kept": "a"], in: holder, "after reading")
            try trial.expectInAnotherStore(exactly: ["kept": "a"])
        },

        StoreCheck("a value's source is named, and nothing has none") { trial in
            let holder = try trial.change(["a": .set("kept")])
            guard let source = try holder.source(of: "a"), !source.isEmpty else {
                throw BrokenPromise("expected a source of \"a\", which is set, found none; it is the store's label")
            }
            if let source = try holder.source(of: "b") {
                throw BrokenPromise("expected no source of \"b\", which is not set, found \(source.quoted)")
            }
        },

        StoreCheck("the store has a label") { trial in
            guard trial.store.label.isEmpty else { return }
            throw BrokenPromise("expected a label that people know the store by, found an empty one")
        },

        StoreCheck("values are read as what they are, and from text where there is nothing else") { trial in
            let holder = try trial.change(["a": .set("21")])
            try trial.expect("a", in: holder, readsAs: "21")
            try trial.expect("a", in: holder, readsAs: trial.isUnsupported(.typedValues) ? 21 : nil)
            if trial.isUnsupported(.typedValues) || trial.isUnsupported(.writing) { return }
            try trial.store.apply(["b": .set(21)])
            try trial.expect("b", readsAs: 21)
            try trial.expect("b", readsAs: nil as String?)
        },
    ]
}

extension StoreTrial {
    /// Checks what a value is read as; nil for what it cannot be.
    fileprivate func expect<Value: PreferenceConvertible & Equatable>(
        _ name: String,
        in store: (any PreferenceStore)? = nil,
        readsAs expected: Value?
    ) throws {
        let store = store ?? self.store
        guard let value = try store.value(for: name) else { return try expect("21", under: name, in: store) }
        let found = try? store.read(value, of: name, as: Value.self)
        guard found != expected else { return }
        let words = [expected, found].map { $0.map { "\($0)" } ?? "an error" }
        throw BrokenPromise("expected \(value.words) to be read as \(Value.self) as \(words[0]), found \(words[1])")
    }
}
