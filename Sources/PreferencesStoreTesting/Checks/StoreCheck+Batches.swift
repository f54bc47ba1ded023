import PreferencesRuntime

extension StoreCheck {
    static let batches: [StoreCheck] = [
        StoreCheck("a batch sets, replaces and removes") { trial in
            var holder = try trial.change(["a": .set("1"), "b": .set("2"), "c": .set("3")])
            try trial.expect(exactly: ["a": "1", "b": "2", "c": "3"], in: holder)
            holder = try trial.change(["a": .set("4"), "b": .remove, "d": .set("5")])
            try trial.expect(exactly: ["a": "4", "c": "3", "d": "5"], in: holder, "after the second batch")
        },

        StoreCheck("a value is replaced by one of another kind", needs: .writing) { trial in
            let kinds: [PreferenceValue] = ["text", "1", 1, 1.0, true, [], [1], [1.0], ["a": 1], ["a": true]]
            let values = trial.isUnsupported(.typedValues) ? kinds.filter(\.isText) : kinds
            for old in values {
                for new in values {
                    try trial.store.apply(["a": .set(old)])
                    try trial.store.apply(["a": .set(new)])
                    try trial.expect(exactly: ["a": new], "after it was \(old.words)")
                }
            }
        },

        StoreCheck("removing what is not set changes nothing", needs: .writing) { trial in
            try trial.store.apply(["absent": .remove])
            try trial.expect(exactly: [:])
            try trial.store.apply(["kept": .set("a")])
            try trial.store.apply(["absent": .remove, "never": .remove])
            try trial.expect(exactly: ["kept": "a"], "after others were removed")
        },

        StoreCheck("an empty batch changes nothing", needs: .writing) { trial in
            try trial.store.apply([:])
            try trial.expect(exactly: [:])
            try trial.store.apply(["kept": .set("a")])
            try trial.store.apply([:])
            try trial.expect(exactly: ["kept": "a"], "after an empty batch")
        },

        StoreCheck("a batch of a thousand changes is made whole") { trial in
            let values = (1...1_000).map { ("name \($0)", PreferenceValue.string("value \($0)")) }
            let all = Dictionary(uniqueKeysWithValues: values)
            try trial.expect(exactly: all, in: trial.change(all.mapValues(PreferenceEdit.set)))
            let odd = all.filter { $0.key.hasSuffix("1") }
            let holder = try trial.change(odd.mapValues { _ in .remove })
            let rest = all.filter { odd[$0.key] == nil }
            try trial.expect(exactly: rest, in: holder, "after a hundred were removed")
            try trial.expectInAnotherStore(exactly: rest)
        },

        StoreCheck("a batch that is refused changes nothing", needs: .writing) { trial in
            // Whatever a store may refuse. One that refuses nothing has to keep it all.
            let deep: [PreferenceValue] = [64, 512].map { depth in
                (0..<depth).reduce("a") { value, _ in [value] }
            }
            for value in deep + [.null, 1, .double(.nan)] {
                try trial.expectRefused(value, under: "a", mayBeKept: true)
            }
            for name in unusualNames { try trial.expectRefused("a", under: name, mayBeKept: true) }
        },
    ]
}
