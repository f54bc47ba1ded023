import PreferencesJSON
import PreferencesSystem

extension Preferences {
    /// Returns a problem for each name in the store that belongs to no key, and for each field of a stored value that its
    /// type does not have, such as a misspelled one in a file that was edited by hand.
    ///
    /// Keys become known when they are first read, set or watched, and no earlier: call this when the program has read
    /// all of them.
    ///
    /// ```swift
    /// for problem in try preferences.unrecognizedNames() { print(problem) }
    /// // …/weather.json: 'netwrok:retries': no key has this name; did you mean 'network:retries'?
    /// // …/weather.json: 'weather:station.nmae': no field has this name; did you mean 'name'?
    /// ```
    ///
    /// The fields of a type are those that it reads when it is decoded. This call decodes the stored values of all known
    /// keys for this. Values that cannot be read, and values of types that do not use the decoder of the runtime, are not
    /// considered. If several accessors of a key have different types, a field must be unknown to all.
    ///
    /// Names in the secrets store are not considered, since they are not to be shown.
    ///
    /// - Returns: The problems, of the codes ``PreferenceProblem/Code/unrecognizedName`` and
    ///   ``PreferenceProblem/Code/unrecognizedField``, by layer of a ``LayeredStore``, and in it by name, names before
    ///   fields. Each has the source of its value.
    /// - Throws: ``PreferenceProblem`` if the store cannot be read.
    public func unrecognizedNames() throws -> [PreferenceProblem] {
        prepare()
        var known: Set<String> = []
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
        var suggestions = Suggestions()
        return try store.allLayers.flatMap { layer in
            let allNames = try names(in: layer)
            let names = allNames.subtracting(known).filter { name in
                !PreferenceMigration.isBookkeeping(name)
                    && !layer.isObject(name, among: allNames) && !layer.isMember(name, ofValueAmong: known)
            }
            let fields = layer.problems(withFieldsOf: types, &suggestions)
            if names.isEmpty { return fields }
            // A store that maps names, such as the environment, may list a key under another name.
            let sources = Set(known.compactMap { (try? layer.origin(of: $0)) ?? nil })
            return names.sorted().compactMap { name -> PreferenceProblem? in
                let source = ((try? layer.origin(of: name)) ?? nil) ?? PreferenceSource(store: layer.label, name: name)
                if sources.contains(source) { return nil }
                let advice =
                    if let inside = known.filter({ $0.hasPrefix("\(name):") }).min() {
                        "its values are those of keys such as '\(inside)', which have names of their own"
                    } else if let nearest = suggestions.nearest(to: name, among: known.sorted()) {
                        "did you mean '\(nearest)'?"
                    } else {
                        "remove it, or correct it"
                    }
                return PreferenceProblem(
                    .unrecognizedName,
                    key: name,
                    store: source.description,
                    message: "no key has this name; \(advice)"
                )
            } + fields
        }
    }
}

extension PreferenceStore {
    /// The layers of a ``LayeredStore``, also of those among them; otherwise the store itself.
    fileprivate var allLayers: [any PreferenceStore] {
        (self as? LayeredStore)?.layers.flatMap(\.allLayers) ?? [self]
    }

    /// Whether a name is that of an object whose members are values with names of their own, as in
    /// ``FileStore/Layout/nested``.
    fileprivate func isObject(_ name: String, among names: Set<String>) -> Bool {
        guard case .dictionary(let members)? = try? value(for: name), !members.isEmpty else { return false }
        return members.keys.allSatisfy { names.contains("\(name):\($0)") }
    }

    /// Whether a name is also that of a member of a key's value, as in ``FileStore/Layout/nested``.
    fileprivate func isMember(_ name: String, ofValueAmong known: Set<String>) -> Bool {
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
