import PreferencesRuntime

extension StoreTrial {
    /// Checks what is kept under a name; nil for nothing.
    ///
    /// - Parameters:
    ///   - store: The store to ask; the one under test by default.
    ///   - circumstance: When or where, for the failure: `after reload()`.
    func expect(
        _ value: PreferenceValue?,
        under name: String,
        in store: (any PreferenceStore)? = nil,
        _ circumstance: String = ""
    ) throws {
        let found = try (store ?? self.store).value(for: name)
        guard found != value else { return }
        let place = circumstance.isEmpty ? "" : " \(circumstance)"
        throw BrokenPromise("expected \(value.words) under \(name.quoted)\(place), found \(found.words)")
    }

    /// Checks that these values are kept, and that no other names are.
    func expect(
        exactly values: [String: PreferenceValue],
        in store: (any PreferenceStore)? = nil,
        _ circumstance: String = ""
    ) throws {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            try expect(value, under: name, in: store, circumstance)
        }
        try expect(names: Set(values.keys), in: store, circumstance)
    }

    /// Checks what another store over the medium has, unless this one lacks persistence.
    func expectInAnotherStore(exactly values: [String: PreferenceValue]) throws {
        if isUnsupported(.persistence) { return }
        try expect(exactly: values, in: reopened(), "in another store over the medium")
    }

    /// Checks all names, unless the store lacks listing them.
    func expect(
        names expected: Set<String>,
        in store: (any PreferenceStore)? = nil,
        _ circumstance: String = ""
    ) throws {
        if isUnsupported(.listing) { return }
        let found = try (store ?? self.store).names()
        let faults = [
            ("does not list", expected.subtracting(found)), ("lists", found.subtracting(expected)),
        ]
        let words = faults.filter { !$0.1.isEmpty }.map { verb, names in
            "\(verb) \(names.sorted().map(\.quoted).joined(separator: ", "))"
        }
        guard !words.isEmpty else { return }
        let place = circumstance.isEmpty ? "" : " \(circumstance)"
        throw BrokenPromise("names() \(words.joined(separator: ", and "))\(place)")
    }

    /// Checks that a body throws a ``PreferenceProblem`` of a kind.
    func expect(
        _ code: PreferenceProblem.Code,
        key: String? = nil,
        from call: String,
        because reason: String,
        _ body: () throws -> Void
    ) throws {
        let expected = "\(call) to throw a PreferenceProblem '\(code)'\(key.map { " with the key \($0.quoted)" } ?? "")"
        do {
            try body()
        } catch let problem as PreferenceProblem where problem.code == code && problem.key == key {
            return
        } catch {
            throw BrokenPromise("expected \(expected), as \(reason), found \(error)")
        }
        throw BrokenPromise("expected \(expected), as \(reason), but it threw nothing")
    }
}
