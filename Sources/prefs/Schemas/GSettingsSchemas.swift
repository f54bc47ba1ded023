import PreferencesCatalogue
import PreferencesCompatibility
import PreferencesImport
import PreferencesRuntime

/// The GSettings schemas of a command, if it has any, and the keys that they have in the catalogue.
struct GSettingsSchemas {
    private let schemas: [String: GSettingsSchema]
    private let keysByStorageName: [String: (schema: GSettingsSchema, key: GSettingsSchema.Key)]

    init(_ schemas: [GSettingsSchema]) {
        self.schemas = Dictionary(schemas.map { ($0.id, $0) }) { first, _ in first }
        let keys = schemas.flatMap { schema in
            schema.keys.compactMap { key in key.storageName.map { ($0, (schema: schema, key: key)) } }
        }
        keysByStorageName = Dictionary(keys) { first, _ in first }
    }

    /// Returns the id of the schema and the name of a key; nil if it is not one of GSettings.
    func names(of key: PreferenceKeyDescription) -> (schema: String, key: String)? {
        keysByStorageName[key.storageName].map { ($0.schema.id, $0.key.name) }
    }

    /// Returns what GSettings knows of a key; nil if it is not one of GSettings.
    private func known(_ key: PreferenceKeyDescription) -> GSettingsSchema.Key? {
        keysByStorageName[key.storageName]?.key
    }

    /// Returns the storage name of a name such as `org.example.Clock:size`; nil if there is no such key.
    func storageName(of name: String) -> String? { key(named: name)?.storageName }

    /// Returns the reason why the catalogue does not have a key of a schema; nil if the schema does not have it either.
    func omission(of name: String) -> String? {
        guard let key = key(named: name) else { return nil }
        return key.omission ?? "no store has a path for its schema; write 'gsettings:FILE?SCHEMA=/PATH/'"
    }

    private func key(named name: String) -> GSettingsSchema.Key? {
        guard let colon = name.lastIndex(of: ":"), let schema = schemas[String(name[..<colon])] else { return nil }
        let key = name[name.index(after: colon)...]
        return schema.keys.first { $0.name == key }
    }

    // MARK: - Lists

    /// Returns the storage names of the keys of a schema, in the order of `gsettings`.
    ///
    /// - Parameters:
    ///   - id: The id of the schema.
    ///   - isRecursive: Whether the keys of the schema's children follow, as for `list-recursively`.
    /// - Returns: The names; nil if there is no such schema.
    func storageNames(of id: String, isRecursive: Bool) -> [String]? {
        guard let schema = schemas[id] else { return nil }
        let own = schema.keys.compactMap(\.storageName)
        guard isRecursive else { return own }
        return own + schema.children.flatMap { storageNames(of: $0, isRecursive: true) ?? [] }
    }

    /// Returns the storage names of the keys of all schemas that have a path, and of their relocatable children.
    var storageNames: [String] {
        func names(_ schema: GSettingsSchema) -> [String] {
            let children = schema.children.compactMap { schemas[$0] }.filter { $0.isRelocatable }
            return schema.keys.compactMap(\.storageName) + children.flatMap(names)
        }
        return ids.compactMap { schemas[$0] }.filter { !$0.isRelocatable }.flatMap(names)
    }

    /// The ids of all schemas.
    private var ids: [String] { schemas.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    // MARK: - Paths

    /// Returns a catalogue without the keys that have no place in keyfiles.
    ///
    /// - Parameter paths: The paths of namespaces in each store.
    func placed(_ catalogue: PreferenceCatalogue, paths: [[String: String]]) -> PreferenceCatalogue {
        let namespaces = Set(paths.flatMap(\.keys))
        return PreferenceCatalogue(
            catalogue.filter { key in
                keysByStorageName[key.storageName].map { namespaces.contains($0.schema.namespace) } ?? true
            }
        )
    }

    /// Returns the paths of the namespaces, for ``GSettingsKeyfileStore``.
    ///
    /// - Parameter given: The paths of schemas or namespaces, which take precedence. No two are equal.
    func paths(given: [String: String]) -> [String: String] {
        var paths: [String: String] = [:]
        for (name, path) in given { paths[schemas[name]?.namespace ?? name] = path }
        // A store has one namespace for each path.
        var used = Set(paths.values)
        for id in ids {
            guard let schema = schemas[id], let path = schema.path, paths[schema.namespace] == nil else { continue }
            if used.insert(path).inserted { paths[schema.namespace] = path }
        }
        return paths
    }
}

// MARK: - GVariant

extension GSettingsSchemas {
    /// Returns the GVariant type of a key: that of its GSettings schema, or else the one of its type.
    func signature(of key: PreferenceKeyDescription) -> GVariantSignature {
        known(key).flatMap { GVariantSignature($0.type) } ?? key.type.gVariantSignature
    }

    /// Returns the text of a key's value in the GVariant text format.
    ///
    /// - Parameters:
    ///   - stored: The value in the store, with flags in their order there.
    ///   - isDefault: Whether the value is the key's default.
    func text(
        of value: PreferenceValue?,
        _ key: PreferenceKeyDescription,
        stored: PreferenceValue?,
        isDefault: Bool
    ) -> String {
        let signature = signature(of: key)
        // The schema may not have a default in the same form: an infinite number, or flags in another order.
        if isDefault, let known = known(key), let value = try? signature.value(of: known.defaultText),
            let text = signature.text(of: value)
        {
            return text
        }
        guard let value else { return "\(key.defaultValue)" }
        if case .flags? = known(key)?.values, let stored, stored.isReordering(of: value),
            let text = signature.text(of: stored)
        {
            return text
        }
        return signature.text(of: value) ?? signature.text(of: value.plain)
            ?? GVariantSignature.variant.text(of: value) ?? "\(value)"
    }

    /// Returns the value of a text in the GVariant text format, as it would be stored.
    ///
    /// - Throws: `GVariantSignature.ReadingError`.
    func value(of text: String, _ key: PreferenceKeyDescription) throws -> PreferenceValue {
        let value = try signature(of: key).value(of: text)
        switch known(key)?.values {
        // These are nicks. The names of cases are not those of GSettings.
        case .enumeration, .flags: return value
        default: return key.type.storedValue(value)
        }
    }

    /// Returns the text of `gsettings describe`.
    func description(of key: PreferenceKeyDescription) -> String {
        known(key).map { $0.description ?? "" } ?? key.description ?? key.label ?? ""
    }

    /// Returns the lines of `gsettings range`.
    func rangeLines(of key: PreferenceKeyDescription) -> [String] {
        let signature = signature(of: key)
        func text(_ value: PreferenceValue) -> String { signature.text(of: value, isAnnotated: false) ?? "\(value)" }
        func nicks(_ nicks: [String]) -> [String] {
            nicks.map { GVariantSignature.string.text(of: .string($0)) ?? $0 }
        }
        func range(_ minimum: PreferenceValue?, _ maximum: PreferenceValue?) -> [String] {
            let least = minimum ?? signature.limits?.least ?? .double(-.infinity)
            let greatest = maximum ?? signature.limits?.greatest ?? .double(.infinity)
            return ["range \(signature.text) \(text(least)) \(text(greatest))"]
        }
        switch known(key)?.values {
        case .enumeration(let values): return ["enum"] + nicks(values)
        case .flags(let values): return ["flags"] + nicks(values)
        case .range(let minimum, let maximum):
            return range(
                minimum.flatMap { try? signature.value(of: $0) },
                maximum.flatMap { try? signature.value(of: $0) }
            )
        case .any: return ["type \(signature.text)"]
        case nil: break
        }
        if let (word, values) = key.choices { return [word] + values.map(text) }
        for case .range(let minimum, let maximum) in key.constraints { return range(minimum, maximum) }
        return ["type \(signature.text)"]
    }
}

extension PreferenceValue {
    /// Whether both are arrays with the same elements.
    fileprivate func isReordering(of other: PreferenceValue) -> Bool {
        guard case .array(let values) = self, case .array(let others) = other else { return false }
        return values.allSatisfy(others.contains) && others.allSatisfy(values.contains)
    }
}

extension PreferenceType {
    /// The GVariant type of the values in the format of `--gvariant`.
    fileprivate var gVariantSignature: GVariantSignature {
        switch self {
        case .bool: .bool
        case .integer(let type): .integer(type.gVariantLetter)
        case .float, .double: .double
        case .string, .date, .url, .uuid, .duration: .string
        case .data: .array(.integer("y"))
        case .enumeration(let type):
            if case .int? = type.cases.first?.rawValue { .integer("x") } else { .string }
        case .structure: .dictionary(.variant)
        case .external: .variant
        case .array(let element), .set(let element): .array(element.gVariantSignature)
        case .dictionary(let value): .dictionary(value.gVariantSignature)
        case .optional(let wrapped): .maybe(wrapped.gVariantSignature)
        }
    }
}

extension PreferenceType.IntegerType {
    fileprivate var gVariantLetter: Character {
        switch self {
        case .uint8: "y"
        case .int8, .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int, .int64: "x"
        case .uint, .uint64: "t"
        }
    }
}
