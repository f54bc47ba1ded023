import PreferencesRuntime

extension EncryptedStore {
    typealias Reading = (_ name: String) throws -> PreferenceValue?

    /// What the base says of the key.
    ///
    /// - Throws: `PreferenceProblem` where it is wrong or cannot be found out.
    func standing(_ baseValue: Reading) throws -> KeyCheck.Standing {
        let standing = try check.standing(of: baseValue(KeyCheck.name)) { entry in
            try opened(entry, KeyCheck.name)
        } opensAny: {
            try opensAnyValue(baseValue)
        }
        if standing == .wrong { throw wrongKey }
        return standing
    }

    func requireRightKey() throws {
        _ = try standing(base.value)
    }

    /// Where nothing says what the key is: that it is the one of some value, unless none is encrypted.
    func requireKeyOfSomeValue(_ baseValue: Reading) throws {
        if try opensAnyValue(baseValue) == false { throw wrongKey }
    }

    /// The value of a name, by a value of the base.
    func openedValue(for name: String, _ baseValue: Reading) throws -> PreferenceValue? {
        guard name != KeyCheck.name, let stored = try baseValue(name) else { return nil }
        do {
            return try value(ofBaseValue: stored, for: name)
        } catch let problem as PreferenceProblem where problem.code == .notAuthentic {
            // Where nothing says what the key is, it may be that.
            if try baseValue(KeyCheck.name) == nil { try requireKeyOfSomeValue(baseValue) }
            throw problem
        }
    }

    /// Whether the key is that of any value; nil where none is encrypted.
    private func opensAnyValue(_ baseValue: Reading) throws -> Bool? {
        var isAnySealed = false
        let names: Set<String>
        do {
            names = try base.names()
        } catch let problem as PreferenceProblem where problem.code == .storeMalformed {
            // The base gives its present values all the same: it is damaged, and about to be set aside with all it holds.
            _ = try baseValue(KeyCheck.name)
            names = []
        }
        for name in names where name != KeyCheck.name {
            // One that the base cannot read says nothing.
            guard let stored = try? baseValue(name), SealedValue(stored) != nil else { continue }
            isAnySealed = true
            if try opened(stored, name) != nil { return true }
        }
        return isAnySealed ? false : nil
    }

    private var wrongKey: PreferenceProblem {
        let message =
            "it was encrypted with another key; nothing is read or changed: use the key that it was first written with, or, "
            + "if that is lost, move the file away to begin a new one"
        return problem(.wrongKey, nil, message)
    }
}
