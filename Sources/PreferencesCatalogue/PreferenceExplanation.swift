public import PreferencesRuntime

/// The values of the keys of a catalogue, where they come from, and the values that they shadow.
///
/// Its description is a tree of the namespaces:
///
/// ```
/// weather
///     temperature = 23.5    environment variable WEATHER_TEMPERATURE
///         shadows 21.0      /etc/weather/preferences.json
///     interval = 600        fixed by /etc/xdg/weather/managed.json
///         shadows 60        /home/anna/.config/weather/preferences.json
///     starts = 12           /home/anna/.local/state/weather/user.json
///         shared            by all machines of the user, merged by 'sum'
///     unit = "celsius"      default
///         problem           memory: 'weather:unit': expected Unit, found the integer 5; using its default
///     password = •••        memory
/// ```
///
/// Encoded, it is an object whose field `keys` has one object for each key:
///
/// | field | contents |
/// |---|---|
/// | `keyPath`, `storageName`, `secret` | as in the catalogue |
/// | `value` | the value, as in JSON files of ``/PreferencesRuntime/FileStore``; absent for a secret, and if it is not known |
/// | `default` | the default as a text; absent for a secret |
/// | `managedBy` | what fixes the value; absent if no administrator has fixed it |
/// | `scope`, `merge` | as in the catalogue |
/// | `source` | an object with `store`, `name` and `description`; absent if the key reads as its default |
/// | `shadowed` | an array of objects with the fields `value`, absent for a secret, and `source` |
/// | `problems` | an array of objects with the fields `code`, `key`, absent for a whole store, `store` and `message` |
public struct PreferenceExplanation: Sendable, Hashable {
    /// The explanations of the keys, in the order of the catalogue.
    public let keys: [Key]

    /// The problems of all keys, each once, in the order of the catalogue.
    public var problems: [PreferenceProblem] {
        // A store that cannot be read has another message if its value is not needed.
        var seen: Set<[String?]> = []
        return keys.flatMap(\.problems).filter { seen.insert([$0.code.rawValue, $0.key, $0.store]).inserted }
    }

    /// The explanation of a key.
    public struct Key: Sendable, Hashable {
        /// The path of the key's accessor.
        public let keyPath: String
        /// The name under which the value is stored.
        public let storageName: String
        /// Whether the key is a secret, whose values are omitted.
        public let isSecret: Bool
        /// The value; nil for a secret, and if an expression that the program does not have is the default.
        public let value: PreferenceValue?
        /// The default as a text.
        public let defaultText: String
        /// The source of the value; nil if the key reads as its default.
        public let source: PreferenceSource?
        /// The policy that fixes the value: the path of a file or of a lock list, or the label of a store; nil if there
        /// is none.
        public let managedBy: String?
        /// The machines that share the value.
        public let scope: PreferenceScope
        /// How concurrent changes become one value, if several machines share it.
        public let mergeRule: PreferenceMergeRule
        /// The stored values in the order of precedence, a fixed one first, former names after the present one. The value
        /// that is used and a value that the key cannot read are included, too.
        public let candidates: [Candidate]
        /// The problems of the values and stores that could not be used, and of stores that could not be read.
        public let problems: [PreferenceProblem]
        /// Whether values and the default are omitted.
        let isHidden: Bool
        /// The value as a text, with names in place of the integers of an enum's cases; if it is not known, the default.
        let text: String
        /// Whether the first candidate is the value that was read, and not one behind a store that cannot be read.
        let isFirstCandidateRead: Bool

        /// The values that are not used, because another one or a store that cannot be read takes precedence.
        public var shadowed: [Candidate] { Array(candidates.dropFirst(isFirstCandidateRead ? 1 : 0)) }
    }

    /// A stored value of a key.
    public struct Candidate: Sendable, Hashable {
        /// The stored value, as the key reads it; as it is stored if the key cannot read it, and nil for a secret.
        public let value: PreferenceValue?
        /// The source of the value.
        public let source: PreferenceSource
        /// The value as a text.
        let text: String
    }
}

// MARK: - Explaining a key

extension AnyPreferenceReference {
    /// The value of the key, where it comes from, and the values that it shadows. Its problems are not also reported.
    public var explanation: PreferenceExplanation.Key { explanation(showsSecrets: false) }

    /// Returns the explanation, also of a secret's values if these are to be shown.
    package func explanation(showsSecrets: Bool) -> PreferenceExplanation.Key {
        preferences.returningProblems { makeExplanation(showsSecrets: showsSecrets) }
    }

    private func makeExplanation(showsSecrets: Bool) -> PreferenceExplanation.Key {
        let isHidden = key.isSecret && !showsSecrets
        let resolution = resolution
        let value = isHidden ? Optional.none : value
        let defaultText = isHidden ? Self.hidden : key.defaultValue.description
        let managed = managedValue
        let stored = storedValues(besides: managed, isHidden: isHidden)
        var failures = stored.compactMap(\.failure)
        let isBlocked = managed == nil && stored.first?.failure != nil
        // A key can be fixed at its default.
        let isFixedAtDefault = managed != nil && managed?.value == nil
        // The resolution has the problem of the store that was read first.
        if isBlocked { failures.removeFirst() }
        return PreferenceExplanation.Key(
            keyPath: key.keyPath,
            storageName: key.storageName,
            isSecret: key.isSecret,
            value: value,
            defaultText: defaultText,
            source: resolution.source,
            managedBy: managed?.policy,
            scope: key.scope,
            mergeRule: key.mergeRule,
            candidates: stored.compactMap(\.candidate),
            problems: resolution.problems + failures,
            isHidden: isHidden,
            text: value.map { key.type.namedValue($0).description } ?? defaultText,
            isFirstCandidateRead: !isBlocked && !isFixedAtDefault
        )
    }

    /// The text in place of a secret.
    private static let hidden = "•••"

    /// Returns the stored values in the order in which they are read.
    ///
    /// - Parameter managed: The value that an administrator has fixed, which is the first one.
    private func storedValues(besides managed: ManagedValue?, isHidden: Bool) -> [StoredValue] {
        let names = [key.storageName] + key.formerNames
        func storedValues(of name: String, in store: any PreferenceStore) -> [StoredValue] {
            store.values(inLayersOf: name, exceptFixed: managed != nil).map { storedValue(of: $0, isHidden: isHidden) }
        }
        guard key.isSecret else {
            var fixed: [StoredValue] = []
            if let value = managed?.value, let source = managed?.source {
                let layer = LayerResult(
                    store: preferences.store,
                    name: key.storageName,
                    result: .success((value, source))
                )
                fixed.append(storedValue(of: layer, isHidden: isHidden))
            }
            // A lock may take its value from a file that is also one of the other layers.
            return fixed
                + names.flatMap { storedValues(of: $0, in: preferences.store) }.filter { stored in
                    stored.candidate == nil || !fixed.contains { $0.candidate == stored.candidate }
                }
        }
        guard let secrets = preferences.secrets else { return [] }
        // The former values of a key that became secret are in the main store.
        return names.flatMap { storedValues(of: $0, in: secrets) }
            + key.formerNames.flatMap { storedValues(of: $0, in: preferences.store) }
    }

    private func storedValue(of layer: LayerResult, isHidden: Bool) -> StoredValue {
        do {
            let (value, source) = try layer.result.get()
            // `nil` in place of a value would be null.
            let shown = typed.converted(value, of: layer.name, in: layer.store)
            return .candidate(
                .init(
                    value: isHidden ? Optional.none : shown,
                    source: source,
                    text: isHidden ? Self.hidden : key.type.namedValue(shown).description
                )
            )
        } catch {
            return .failure(problem(error, in: layer.store))
        }
    }

    private func problem(_ error: any Error, in store: any PreferenceStore) -> PreferenceProblem {
        let problem =
            error as? PreferenceProblem
            ?? PreferenceProblem(.storeUnreadable, key: key.storageName, store: store.label, error: error)
        guard key.isSecret, !problem.isMessagePublic else { return problem }
        let message = "it cannot be read; the reason is not shown, as it may contain a secret"
        return PreferenceProblem(problem.code, key: problem.key, store: store.label, message: message)
    }
}

/// The value of a key in one layer, or the reason why it cannot be read.
private enum StoredValue {
    case candidate(PreferenceExplanation.Candidate)
    case failure(PreferenceProblem)

    var candidate: PreferenceExplanation.Candidate? {
        if case .candidate(let candidate) = self { candidate } else { nil }
    }
    var failure: PreferenceProblem? { if case .failure(let problem) = self { problem } else { nil } }
}

/// The result of reading a name in one layer of a store.
private struct LayerResult {
    /// The layer.
    var store: any PreferenceStore
    /// The layer's name for the value.
    var name: String
    var result: Result<(value: PreferenceValue, source: PreferenceSource), any Error>
}

extension PreferenceStore {
    /// Returns the values of a name in the layers of a ``/PreferencesRuntime/LayeredStore``, also of one in another layer
    /// or an adapter; otherwise that of the store itself.
    ///
    /// - Parameter exceptFixed: Whether to leave out values that an administrator has fixed. Those of layers always are:
    ///   they take precedence, or have no effect.
    fileprivate func values(inLayersOf name: String, exceptFixed: Bool) -> [LayerResult] {
        if let layers = self as? LayeredStore {
            return layers.layers.flatMap { $0.values(inLayersOf: name, exceptFixed: true) }
        }
        if let adapter = self as? any PreferenceStoreAdapter, adapter.base.isLayered {
            let layers = adapter.base.values(inLayersOf: adapter.baseName(of: name), exceptFixed: exceptFixed)
            return layers.compactMap { layer in
                var layer = layer
                guard case .success(let found) = layer.result else { return layer }
                do {
                    guard let value = try adapter.value(ofBaseValue: found.value, for: name) else { return nil }
                    layer.result = .success((value, found.source))
                } catch {
                    layer.result = .failure(error)
                }
                return layer
            }
        }
        do {
            guard let value = try exceptFixed ? ownValue(for: name) : value(for: name) else { return [] }
            let source = try origin(of: name) ?? PreferenceSource(store: label, name: name)
            return [LayerResult(store: self, name: name, result: .success((value, source)))]
        } catch {
            return [LayerResult(store: self, name: name, result: .failure(error))]
        }
    }

    private var isLayered: Bool {
        self is LayeredStore || ((self as? any PreferenceStoreAdapter)?.base.isLayered ?? false)
    }
}

// MARK: - Description

extension PreferenceExplanation: CustomStringConvertible {
    /// A tree of the namespaces, with the value and the source of each key. Problems of whole stores are at the end.
    public var description: String {
        var root = Namespace()
        for key in keys { root.add(key, at: key.keyPath.split(separator: ".")[...]) }
        var lines = root.lines(indentation: "")
        lines += problems.filter { $0.key == nil }.map { ("problem", $0.description) }
        // A long value does not move the sources of all others.
        let widths = lines.filter { !$0.source.isEmpty }.map(\.text.count).filter { $0 <= 48 }
        let column = widths.max() ?? 0
        let texts = lines.map { line -> String in
            if line.source.isEmpty { return line.text }
            let padding = max(0, column - line.text.count) + 4
            return line.text + String(repeating: " ", count: padding) + line.source
        }
        return texts.joined(separator: "\n")
    }

    /// The keys and namespaces of a namespace, in the order of the catalogue.
    private struct Namespace {
        var keys: [(name: Substring, key: Key)] = []
        var namespaces: [(name: Substring, namespace: Namespace)] = []

        mutating func add(_ key: Key, at path: ArraySlice<Substring>) {
            guard let name = path.first, path.count > 1 else { return keys.append((path.first ?? "", key)) }
            let index = namespaces.firstIndex { $0.name == name } ?? namespaces.endIndex
            if index == namespaces.endIndex { namespaces.append((name, Namespace())) }
            namespaces[index].namespace.add(key, at: path.dropFirst())
        }

        func lines(indentation: String) -> [(text: String, source: String)] {
            let inner = indentation + "    "
            var lines: [(text: String, source: String)] = []
            for (name, key) in keys {
                lines.append(("\(indentation)\(name) = \(key.text)", key.sourceText))
                if let sharing = key.sharingText { lines.append(("\(inner)shared", sharing)) }
                for candidate in key.shadowed {
                    lines.append(("\(inner)shadows \(candidate.text)", candidate.source.description))
                }
                for problem in key.problems where problem.key != nil {
                    lines.append(("\(inner)problem", problem.description))
                }
            }
            for (name, namespace) in namespaces {
                lines.append(("\(indentation)\(name)", ""))
                lines += namespace.lines(indentation: inner)
            }
            return lines
        }
    }
}

extension PreferenceExplanation.Key {
    /// The source of the value, and what fixes it: `fixed by /etc/xdg/weather/managed.json`.
    fileprivate var sourceText: String {
        let source = source?.description ?? "default"
        guard let managedBy else { return source }
        return source == managedBy ? "fixed by \(managedBy)" : "\(source), fixed by \(managedBy)"
    }

    /// The machines that share the value, and its merge rule: `by all machines of the user, merged by 'sum'`.
    fileprivate var sharingText: String? {
        scope.machines.map { "by \($0), merged by '\(mergeRule.rawValue)'" }
    }
}

extension PreferenceScope {
    /// The machines that share a value, in words; nil if none do.
    package var machines: String? {
        switch self {
        case .machine: nil
        case .user: "all machines of the user"
        case .fleet: "all machines of the fleet"
        }
    }
}

// MARK: - Encoding

extension PreferenceExplanation: Encodable {}

extension PreferenceExplanation.Key: Encodable {
    private enum CodingKeys: String, CodingKey {
        case keyPath, storageName, secret, value, `default`, managedBy, scope, merge, source, shadowed, problems
    }

    /// Encodes an object with the fields that ``PreferenceExplanation`` lists.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(keyPath, forKey: .keyPath)
        try container.encode(storageName, forKey: .storageName)
        try container.encode(isSecret, forKey: .secret)
        try container.encodeIfPresent(value.map(EncodedValue.init), forKey: .value)
        if !isHidden { try container.encode(defaultText, forKey: .default) }
        try container.encodeIfPresent(managedBy, forKey: .managedBy)
        try container.encode(scope.rawValue, forKey: .scope)
        if scope != .machine { try container.encode(mergeRule.rawValue, forKey: .merge) }
        try container.encodeIfPresent(source.map(EncodedSource.init), forKey: .source)
        try container.encode(shadowed, forKey: .shadowed)
        try container.encode(problems.map(EncodedProblem.init), forKey: .problems)
    }
}

extension PreferenceExplanation.Candidate: Encodable {
    private enum CodingKeys: String, CodingKey { case value, source }

    /// Encodes an object with the fields `value`, absent for a secret, and `source`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(value.map(EncodedValue.init), forKey: .value)
        try container.encode(EncodedSource(source), forKey: .source)
    }
}

private struct EncodedSource: Encodable {
    let store: String
    let name: String
    let description: String

    init(_ source: PreferenceSource) {
        (store, name, description) = (source.store, source.name, source.description)
    }
}

private struct EncodedProblem: Encodable {
    let code: String
    let key: String?
    let store: String
    let message: String

    init(_ problem: PreferenceProblem) {
        (code, key, store, message) = (problem.code.rawValue, problem.key, problem.store, problem.message)
    }
}
