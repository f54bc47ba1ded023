import PreferencesRuntime

extension StoreTrial {
    /// Checks that the store, which lacks writing, refuses a batch both ways and changes nothing.
    func expectUnwritable(_ batch: [String: PreferenceEdit]) throws {
        if batch.isEmpty { return }
        let before = try batch.keys.map { ($0, try store.value(for: $0)) }
        let reason = "the store lacks .writing"
        try expect(.storeUnwritable, from: "apply", because: reason) { try store.apply(PreferenceBatch(batch)) }
        try expect(.storeUnwritable, from: "update", because: reason) {
            try store.update { _ in PreferenceBatch(batch) }
        }
        for (name, value) in before { try expect(value, under: name, "after a batch that was refused") }
        try store.apply([:])
    }

    /// Checks that the store, which lacks persistence, keeps nothing for others.
    func expectForgetful() throws {
        // A store that is given nothing has nothing to forget.
        if isUnsupported(.writing) { return }
        let holder = try change(["a": .set("kept")])
        try expect("kept", under: "a", in: holder)
        guard try reopened().value(for: "a") != "kept" else {
            throw BrokenPromise("the store lacks .persistence, but another one has what it was given")
        }
    }

    /// Checks that a value under a name is refused, and a whole batch with it.
    ///
    /// - Parameter mayBeKept: Whether it is as good when the value is kept.
    func expectRefused(_ value: PreferenceValue, under name: String, mayBeKept: Bool) throws {
        let bystanders: [String: PreferenceEdit] = [
            "a refused batch replaces": .set("old"), "a refused batch removes": .set("old"),
            "a refused batch adds": .remove,
        ]
        try store.apply(PreferenceBatch(bystanders))
        let names = isUnsupported(.listing) ? [] : try store.names()
        let batch: PreferenceBatch = [
            "a refused batch replaces": .set("new"), "a refused batch removes": .remove,
            "a refused batch adds": .set("new"), name: .set(value),
        ]
        if mayBeKept, (try? store.apply([name: .set(value)])) != nil {
            try expect(value, under: name)
            return try store.apply(
                PreferenceBatch(bystanders.mapValues { _ in .remove }.merging([name: .remove]) { $1 })
            )
        }
        let reason =
            "the store \(mayBeKept ? "has refused" : "lacks the capability for") \(value.words) under \(name.quoted)"
        try expect(.unsupportedValue, key: name, from: "apply", because: reason) { try store.apply(batch) }
        try expect(.unsupportedValue, key: name, from: "update", because: reason) { try store.update { _ in batch } }
        let circumstance = "after a batch that was refused"
        for (name, edit) in bystanders.sorted(by: { $0.key < $1.key }) {
            try expect(edit.value, under: name, circumstance)
        }
        try expect(nil, under: name, circumstance)
        try expect(names: names, circumstance)
        try store.apply(PreferenceBatch(bystanders.mapValues { _ in .remove }))
    }
}
