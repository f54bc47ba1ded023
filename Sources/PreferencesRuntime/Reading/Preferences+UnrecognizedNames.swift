import PreferencesJSON
import PreferencesSystem

extension Preferences {
    /// Returns a problem for each name in the store that belongs to no key, such as a misspelled one in a file that was
    /// edited by hand.
    ///
    /// Keys become known when they are first read, set or watched, and no earlier: call this when the program has read
    /// all of them.
    ///
    /// ```swift
    /// for problem in try preferences.unrecognizedNames() { print(problem) }
    /// // …/weather.json: 'netwrok:retries': no key has this name; did you mean 'network:retries'?
    /// ```
    ///
    /// Names in the secrets store are not considered, since they are not to be shown.
    ///
    /// - Returns: The problems, of the code ``PreferenceProblem/Code/unrecognizedName``, by layer of a ``LayeredStore``
    ///   and by name. Each has the source of its value.
    /// - Throws: ``PreferenceProblem`` if the store cannot be read.
    public func unrecognizedNames() throws -> [PreferenceProblem] {
        prepare()
        var known: Set<String> = []
        state.withLock { state in
            for records in [state.records, state.secretRecords] {
                records.forEach { if $0.isOwn { known.insert($0.name) } }
            }
        }
        var suggestions = Suggestions()
        return try store.allLayers.flatMap { layer in
            let names = try names(in: layer).subtracting(known).filter { !PreferenceMigration.isBookkeeping($0) }
            if names.isEmpty { return [] as [PreferenceProblem] }
            // A store that maps names, such as the environment, may list a key under another name.
            let sources = Set(known.compactMap { (try? layer.origin(of: $0)) ?? nil })
            return names.sorted().compactMap { name in
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
            }
        }
    }
}

extension PreferenceStore {
    /// The layers of a ``LayeredStore``, also of those among them; otherwise the store itself.
    fileprivate var allLayers: [any PreferenceStore] {
        (self as? LayeredStore)?.layers.flatMap(\.allLayers) ?? [self]
    }
}
