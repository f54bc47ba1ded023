public import PreferencesRuntime

/// The values of the keys of a catalogue, where they come from, and the values that they shadow.
///
/// It can be printed, and encoded:
///
/// ```
/// weather.temperature = 23.5              environment variable WEATHER_TEMPERATURE
///     shadows 21.0                        ~/.config/weather/preferences.json
/// weather.unit = "celsius"                default
/// ```
public struct PreferenceExplanation: Sendable, Hashable {
    /// The explanations of the keys, in the order of the catalogue.
    public let keys: [Key]

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
        /// The values of all layers that have one, in the order of precedence, including the one that is used.
        public let candidates: [Candidate]
        /// The problems of the values and stores that could not be used.
        public let problems: [PreferenceProblem]

        /// The values that are not used, because a layer before them has one.
        public var shadowed: [Candidate] { candidates.filter { $0.source != source } }
    }

    /// A stored value of a key.
    public struct Candidate: Sendable, Hashable {
        /// The stored value; nil for a secret.
        public let value: PreferenceValue?
        /// Where it is stored.
        public let source: PreferenceSource
    }
}

extension AnyPreferenceReference {
    /// The value of the key, where it comes from, and the values that it shadows.
    public var explanation: PreferenceExplanation.Key {
        let resolution = resolution
        return PreferenceExplanation.Key(
            keyPath: key.keyPath,
            storageName: key.storageName,
            isSecret: key.isSecret,
            value: key.isSecret ? nil : value,
            defaultText: key.isSecret ? "•••" : key.defaultValue.description,
            source: resolution.source,
            candidates: candidates,
            problems: resolution.problems
        )
    }

    private var candidates: [PreferenceExplanation.Candidate] {
        guard let store = key.isSecret ? preferences.secrets : preferences.store else { return [] }
        return store.flattenedLayers.flatMap { layer in
            ([key.storageName] + key.formerNames).compactMap { name in
                // The resolution has the problem of a layer that cannot be read.
                guard let value = try? layer.value(for: name), let source = try? layer.origin(of: name) else {
                    return nil
                }
                return PreferenceExplanation.Candidate(value: key.isSecret ? nil : value, source: source)
            }
        }
    }
}

extension PreferenceStore {
    /// The layers of a ``PreferencesRuntime/LayeredStore``, also of those among them; otherwise the store itself.
    fileprivate var flattenedLayers: [any PreferenceStore] {
        (self as? LayeredStore)?.layers.flatMap(\.flattenedLayers) ?? [self]
    }
}
