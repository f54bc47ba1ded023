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
                if !trial.lacks(.listing) { _ = try holder.names() }
                if !trial.lacks(.writing) { try holder.update { current in try current(name).map { _ in [:] } ?? [:] } }
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

        StoreCheck("a store of text alone says so everywhere") { trial in
            guard trial.store.hasOnlyText, !trial.lacks(.typedValues) else { return }
            throw BrokenPromise("the store's hasOnlyText is true, but it does not lack .typedValues")
        },
    ]
}
