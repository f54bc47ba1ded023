import PreferencesRuntime

extension StoreTrial {
    /// What must happen to a value that is set.
    private enum Outcome {
        case stored
        case refused
        /// Both are correct, but storing a different value is not.
        case storedOrRefused
    }

    /// Checks that values are stored, and read by another store over the backend, and that unsupported values are
    /// refused.
    func expectStored(_ values: [String: PreferenceValue]) throws {
        let outcomes = Dictionary(uniqueKeysWithValues: values.map { ($0, outcome(of: $1, under: $0)) })
        let stored = values.filter { outcomes[$0.key] == .stored }
        let changedStore = try change(stored.mapValues(PreferenceEdit.set))
        try expect(exactly: stored, in: changedStore)
        try expectInAnotherStore(exactly: stored)
        if isUnsupported(.writing) { return }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where outcomes[name] != .stored {
            try expectRefused(value, under: name, mayBeStored: outcomes[name] == .storedOrRefused)
        }
    }

    private func outcome(of value: PreferenceValue, under name: String) -> Outcome {
        let outcomes = [outcome(of: value), outcome(of: name)]
        if outcomes.contains(.refused) { return .refused }
        return outcomes.contains(.storedOrRefused) ? .storedOrRefused : .stored
    }

    private func outcome(of value: PreferenceValue) -> Outcome {
        if case .null = value { return isUnsupported(.null) ? .refused : .stored }
        if isUnsupported(.typedValues), !value.isString { return .refused }
        if isUnsupported(.largeValues), value.size >= StoreCheck.largeSize { return .refused }
        if value.depth > StoreCheck.supportedDepth { return .storedOrRefused }
        return isUnsupported(.null) && value.containsNull ? .storedOrRefused : .stored
    }

    private func outcome(of name: String) -> Outcome {
        if isUnsupported(.emptyName), name.isEmpty { return .refused }
        if isUnsupported(.longNames), name.count >= StoreCheck.longNameLength { return .refused }
        if isUnsupported(.controlCharactersInNames) {
            if name.unicodeScalars.contains("\u{0}") { return .refused }
            if name.unicodeScalars.contains(where: \.isUnusualInNames) { return .storedOrRefused }
        }
        return .stored
    }
}

extension Unicode.Scalar {
    /// Whether a store that declares control characters in names unsupported may refuse this character. Text formats
    /// exclude different characters besides NUL.
    fileprivate var isUnusualInNames: Bool {
        properties.generalCategory == .control || properties.isNoncharacterCodePoint || self == "\u{FEFF}"
    }
}

extension StoreTrial {
    /// Checks that a store that declares writing unsupported refuses a batch and an update, and changes nothing.
    func expectUnwritable(_ batch: [String: PreferenceEdit]) throws {
        if batch.isEmpty { return }
        let before = try batch.keys.map { ($0, try store.value(for: $0)) }
        let reason = "the store declares .writing unsupported"
        try expect(.storeUnwritable, from: "apply", because: reason) { try store.apply(PreferenceBatch(batch)) }
        try expect(.storeUnwritable, from: "update", because: reason) {
            try store.update { _ in PreferenceBatch(batch) }
        }
        for (name, value) in before { try expect(value, under: name, "after a batch that was refused") }
        try store.apply([:])
    }

    /// Checks that a store that declares persistence unsupported does not share its values with another store.
    func expectNoPersistence() throws {
        // Without writing, there is nothing to share.
        if isUnsupported(.writing) { return }
        let changedStore = try change(["a": .set("kept")])
        try expect("kept", under: "a", in: changedStore)
        guard try reopened().value(for: "a") != "kept" else {
            throw ExpectationFailure("the store declares .persistence unsupported, but another store reads its values")
        }
    }

    /// Checks that a value is refused together with the rest of its batch.
    ///
    /// - Parameter mayBeStored: Whether storing the value is also correct.
    func expectRefused(_ value: PreferenceValue, under name: String, mayBeStored: Bool) throws {
        let otherEdits: [String: PreferenceEdit] = [
            "a refused batch replaces": .set("old"), "a refused batch removes": .set("old"),
            "a refused batch adds": .remove,
        ]
        try store.apply(PreferenceBatch(otherEdits))
        let names = isUnsupported(.listing) ? [] : try store.names()
        let batch: PreferenceBatch = [
            "a refused batch replaces": .set("new"), "a refused batch removes": .remove,
            "a refused batch adds": .set("new"), name: .set(value),
        ]
        if mayBeStored, (try? store.apply([name: .set(value)])) != nil {
            try expect(value, under: name)
            return try store.apply(
                PreferenceBatch(otherEdits.mapValues { _ in .remove }.merging([name: .remove]) { $1 })
            )
        }
        let edit = "\(value.summary) under \(name.quoted)"
        let reason = mayBeStored ? "the store has refused \(edit)" : "the store declares \(edit) unsupported"
        try expect(.unsupportedValue, key: name, from: "apply", because: reason) { try store.apply(batch) }
        try expect(.unsupportedValue, key: name, from: "update", because: reason) { try store.update { _ in batch } }
        let circumstance = "after a batch that was refused"
        for (name, edit) in otherEdits.sorted(by: { $0.key < $1.key }) {
            try expect(edit.value, under: name, circumstance)
        }
        try expect(nil, under: name, circumstance)
        try expect(names: names, circumstance)
        try store.apply(PreferenceBatch(otherEdits.mapValues { _ in .remove }))
    }
}
