import PreferencesJSON
import PreferencesSystem

extension Preferences {
    /// Returns a problem for each name in the store that belongs to no key, and for each field of a stored value that its
    /// type does not have, such as a misspelled one in a file that was edited by hand.
    ///
    /// Keys become known when they are first read, set or watched, and no earlier: call this when the program has read
    /// all of them. Pending edits are written and external changes are read first, as by ``flush()`` and ``reload()``.
    ///
    /// ```swift
    /// for problem in try preferences.unrecognizedNames() { print(problem) }
    /// // …/weather.json: 'netwrok:retries': no key used so far has this name; did you mean 'network:retries'?
    /// // …/weather.json: 'weather:station.nmae': no field has this name; did you mean 'name'?
    /// ```
    ///
    /// The fields of a type are those that it reads when it is decoded. This call decodes the stored values of all known
    /// keys for this. Values that cannot be read, and values of types that do not use the decoder of the runtime, are not
    /// considered. If several accessors of a key have different types, a field must be unknown to all.
    ///
    /// Names in the secrets store are not considered, since they are not to be shown, and neither is `$schema`, with which
    /// a file names its JSON Schema. If no key is in an object of ``FileStore/Layout/nested``, the object is a problem, and
    /// its members are not.
    ///
    /// - Returns: The problems, of the codes ``PreferenceProblem/Code/unrecognizedName`` and
    ///   ``PreferenceProblem/Code/unrecognizedField``, by layer of a ``LayeredStore``, and in it by name, names before
    ///   fields. Each has the source of its value.
    /// - Throws: ``PreferenceProblem`` if the store cannot be read or written, also if it could be earlier.
    public func unrecognizedNames() throws -> [PreferenceProblem] {
        try unrecognizedNames(besides: [])
    }

    /// Returns the problems of ``unrecognizedNames()`` about names that are not among given ones either.
    ///
    /// - Parameters:
    ///   - otherNames: The storage names of keys, whether or not they were used.
    ///   - fault: The fault of a name, for the messages.
    package func unrecognizedNames(
        besides otherNames: some Sequence<String>,
        fault: String = "no key used so far has this name"
    ) throws -> [PreferenceProblem] {
        prepare()
        try reloadStore()
        var known = Set(otherNames)
        var types: [String: [any PreferenceConvertible.Type]] = [:]
        state.withLock { state in
            for records in [state.records, state.secretRecords] {
                records.forEach { if $0.isOwn { known.insert($0.name) } }
            }
            state.records.forEach { record in
                record.forEachCell { cell in
                    guard !cell.entry.isSecret, let type = cell.valueType as? any PreferenceConvertible.Type else {
                        return
                    }
                    types[record.name, default: []].append(type)
                }
            }
        }
        let keys = KeyNames(known)
        var suggestions = Suggestions()
        return try store.allLayers.flatMap { layer in
            layer.problems(with: try names(in: layer), notOf: keys, fault, &suggestions)
                + layer.problems(withFieldsOf: types, &suggestions)
        }
    }

    private func reloadStore() throws(PreferenceProblem) {
        do {
            // Pending edits hide parts of the objects in a file.
            try store.flush()
            try store.reload()
        } catch {
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: store.label)
        }
    }
}

/// The names of keys, and of the namespaces that they are in.
private struct KeyNames {
    let keys: Set<String>
    let namespaces: Set<String>

    init(_ keys: Set<String>) {
        self.keys = keys
        namespaces = Set(keys.lazy.flatMap { $0.divisionsAtColons.map(\.namespace) })
    }
}

extension PreferenceStore {
    /// The layers of a ``LayeredStore``, also of those among them; otherwise the store itself.
    fileprivate var allLayers: [any PreferenceStore] {
        (self as? LayeredStore)?.layers.flatMap(\.allLayers) ?? [self]
    }

    /// Returns problems about the names that belong to no key, by name.
    fileprivate func problems(
        with allNames: Set<String>,
        notOf known: KeyNames,
        _ fault: String,
        _ suggestions: inout Suggestions
    ) -> [PreferenceProblem] {
        let candidates = allNames.subtracting(known.keys).filter { name in
            !PreferenceMigration.isBookkeeping(name) && name != "$schema" && !isMember(name, ofValueAmong: known.keys)
        }
        let objects = candidates.filter { isObject($0, among: allNames) }
        let foreignObjects = objects.subtracting(known.namespaces)
        let prefix = prefix
        let names = candidates.subtracting(objects).union(foreignObjects).filter { name in
            // Reading the keys of a namespace reports a value in it that cannot be read.
            !(known.namespaces.contains(name) && isUnreadable(name))
                && !name.divisionsAtColons.contains { foreignObjects.contains($0.namespace) }
        }
        if names.isEmpty { return [] }
        // A store that maps names, such as the environment, may list a key under another name.
        let sources = Set(known.keys.compactMap { (try? origin(of: $0)) ?? nil })
        let ownNames = Set(known.keys.map { String(ownName($0).dropFirst(prefix.count)) })
        return names.sorted().compactMap { name -> PreferenceProblem? in
            let source = ((try? origin(of: name)) ?? nil) ?? PreferenceSource(store: label, name: name)
            if sources.contains(source) { return nil }
            // An object can also be meant for a namespace.
            let candidates = ownNames.union(members(of: name) == nil ? [] : known.namespaces)
            let advice =
                if self is ManagedStore, name.hasSuffix(":") {
                    "prefixes have an effect only in the lists of 'locks'"
                } else if known.namespaces.contains(name) {
                    advice(onNamespace: name, in: allNames, known)
                } else if let nearest = suggestions.nearest(to: name, among: candidates.sorted()) {
                    "did you mean '\(prefix)\(nearest)'?"
                } else {
                    "remove it, or correct it"
                }
            return PreferenceProblem(
                .unrecognizedName,
                key: name,
                store: source.description,
                message: "\(fault); \(advice)"
            )
        }
    }

    /// Returns what to do about a value under the name of a namespace.
    private func advice(onNamespace namespace: String, in names: Set<String>, _ known: KeyNames) -> String {
        let keys = known.keys.filter { $0.hasPrefix("\(namespace):") }.sorted()
        guard let members = members(of: namespace) else {
            return "it is the beginning of other names, such as '\(keys.first ?? namespace)'; remove it"
        }
        if let other = members.keys.map({ "\(namespace):\($0)" }).filter(names.contains).min() {
            return "'\(other)' has another value under that name, which is used; remove one of them"
        }
        let entered = members.keys.map { "\(namespace):\($0)" }.filter(known.keys.contains).min()
        let example = entered ?? keys.first ?? namespace
        let advice = "here, names are flat, such as '\(example)'; write them so"
        return self is ManagedStore ? advice : "\(advice), or open a file with `layout: .nested`"
    }

    /// The prefix of environment variables or options, which ``PreferenceStore/names()`` omits; empty for other stores.
    private var prefix: String {
        switch self {
        case let store as EnvironmentStore: store.prefix
        case let store as ArgumentsStore: store.prefix
        default: ""
        }
    }

    /// Returns the environment variable or the option of a key, with the prefix; for other stores, the key's name.
    private func ownName(_ name: String) -> String {
        switch self {
        case let store as EnvironmentStore: store.variable(for: name)
        case let store as ArgumentsStore: store.option(for: name)
        default: name
        }
    }

    /// Whether a name is that of an object whose members are values with names of their own, as in
    /// ``FileStore/Layout/nested``.
    ///
    /// A member with another value than its name has is one in the flat layout, or it is hidden by a flat name.
    private func isObject(_ name: String, among names: Set<String>) -> Bool {
        guard let members = members(of: name) else { return false }
        return members.allSatisfy { member, memberValue in
            let memberName = "\(name):\(member)"
            return names.contains(memberName) && (try? value(for: memberName)) == memberValue
        }
    }

    private func isUnreadable(_ name: String) -> Bool {
        do {
            _ = try value(for: name)
            return false
        } catch {
            return true
        }
    }

    /// The entries of a dictionary; nil for any other value, and in stores of texts, which have no dictionaries.
    private func members(of name: String) -> [String: PreferenceValue]? {
        guard supports(.typedValues), case .dictionary(let members)? = try? value(for: name) else { return nil }
        return members
    }

    /// Whether a name is also that of a member of a key's value, as in ``FileStore/Layout/nested``.
    private func isMember(_ name: String, ofValueAmong known: Set<String>) -> Bool {
        name.divisionsAtColons.contains { key, member in
            known.contains(key) && ((try? value(for: key)) ?? nil)?.hasMember(member) == true
        }
    }

    /// Returns problems about the fields of stored values that none of their types has, by name and path.
    ///
    /// - Parameter types: The types of the keys, by name.
    fileprivate func problems(
        withFieldsOf types: [String: [any PreferenceConvertible.Type]],
        _ suggestions: inout Suggestions
    ) -> [PreferenceProblem] {
        types.sorted { $0.key < $1.key }.flatMap { name, types -> [PreferenceProblem] in
            guard let value = (try? value(for: name)) ?? nil else { return [] }
            let unread = types.compactMap { unreadFields(of: value, named: name, as: $0) }
            let fields = unread.dropFirst().reduce(unread.first ?? []) { $0.intersection($1) }
            if fields.isEmpty { return [] }
            let source = ((try? origin(of: name)) ?? nil) ?? PreferenceSource(store: label, name: name)
            return fields.sorted { $0.path < $1.path }.map { field in
                let nearest = suggestions.nearest(to: field.name, among: field.missing.sorted())
                let advice = nearest.map { "did you mean '\($0)'?" } ?? "remove it, or correct it"
                return PreferenceProblem(
                    .unrecognizedField,
                    key: name + field.path,
                    store: source.description,
                    message: "no field has this name; \(advice)"
                )
            }
        }
    }

    /// Returns the fields of a stored value that a type does not read; nil if the value cannot be read as that type.
    private func unreadFields<Value: PreferenceConvertible>(
        of value: PreferenceValue,
        named name: String,
        as type: Value.Type
    ) -> Set<FieldRecorder.UnreadField>? {
        let recorder = FieldRecorder()
        let result = FieldRecorder.$current.withValue(recorder) { try? read(value, of: name, as: type) }
        return result.map { _ in recorder.unreadFields }
    }
}

extension PreferenceValue {
    /// Whether a dictionary has a member with a name, or one of its dictionaries has one with the rest of the name.
    fileprivate func hasMember(_ name: String) -> Bool {
        guard case .dictionary(let members) = self else { return false }
        return members.keys.contains(name)
            || name.divisionsAtColons.contains { members[$0.namespace]?.hasMember($0.rest) == true }
    }
}
