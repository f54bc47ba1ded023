public import PreferencesRuntime

/// Accessors of a schema that has a catalogue.
///
/// The generator makes the struct of each namespace conform if its schema has `"catalogue": true`.
public protocol CataloguedPreferences: PreferenceAccessors {
    /// The descriptions of the keys, and of those in the namespaces inside this one.
    static var catalogue: PreferenceCatalogue { get }
}

extension CataloguedPreferences {
    /// Reads each key of the catalogue. See ``PreferencesRuntime/Preferences/validate(_:)``.
    ///
    /// - Returns: The problems of all values that could not be used, in the order of the catalogue.
    public func validate() -> [PreferenceProblem] { preferences.validate(Self.catalogue) }

    /// Returns the value of each key of the catalogue, and where it comes from. See
    /// ``PreferencesRuntime/Preferences/explain(_:)``.
    public func explain() -> PreferenceExplanation { preferences.explain(Self.catalogue) }
}

extension Preferences {
    /// Reads each key of a catalogue, such as before a server accepts requests.
    ///
    /// ```swift
    /// let problems = preferences.validate(.app)
    /// guard problems.isEmpty else { fatalError(problems.map(\.description).joined(separator: "\n")) }
    /// ```
    ///
    /// The problems are returned, and not also reported by ``/PreferencesRuntime/Preferences/problems`` or on standard
    /// error. ``unrecognizedNames(besides:)`` finds misspelled names.
    ///
    /// - Parameter catalogue: The descriptions of the keys.
    /// - Returns: The problems of all values and stores that could not be used, also of layers whose values are not
    ///   needed, in the order of the catalogue.
    public func validate(_ catalogue: PreferenceCatalogue) -> [PreferenceProblem] {
        explain(catalogue).problems
    }

    /// Returns a problem for each name in the store that belongs to no key of a catalogue, and to no other key that was used
    /// so far. See ``/PreferencesRuntime/Preferences/unrecognizedNames()``.
    ///
    /// - Parameter catalogue: The descriptions of the keys.
    /// - Returns: The problems.
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if the store cannot be read or written.
    public func unrecognizedNames(besides catalogue: PreferenceCatalogue) throws -> [PreferenceProblem] {
        try unrecognizedNames(besides: catalogue.storageNames)
    }

    /// Returns a problem for each name in the store that belongs to no key of a schema, all of whose keys are in the
    /// catalogue.
    package func unrecognizedNames(ofSchema catalogue: PreferenceCatalogue) throws -> [PreferenceProblem] {
        try unrecognizedNames(besides: catalogue.storageNames, fault: "the schema has no such key")
    }

    /// Returns the value of each key of a catalogue, where it comes from, and the values that it shadows. As with
    /// ``validate(_:)``, problems are not also reported.
    ///
    /// ```swift
    /// print(preferences.explain(.app))
    /// ```
    ///
    /// - Parameter catalogue: The descriptions of the keys.
    /// - Returns: The explanation, which contains no values of secrets.
    public func explain(_ catalogue: PreferenceCatalogue) -> PreferenceExplanation {
        explain(catalogue, showsSecrets: false)
    }

    /// Returns the explanation, which contains values of secrets if these are to be shown.
    package func explain(_ catalogue: PreferenceCatalogue, showsSecrets: Bool) -> PreferenceExplanation {
        PreferenceExplanation(keys: catalogue.map { reference(to: $0).explanation(showsSecrets: showsSecrets) })
    }
}

extension PreferenceCatalogue {
    /// The storage names of the keys, also the former ones.
    fileprivate var storageNames: [String] { flatMap { [$0.storageName] + $0.formerNames } }
}
