public import Foundation
import PreferencesJSON
public import PreferencesRuntime

/// The values that ``PreferencesRuntime/Preferences/exportValues(of:options:)`` returns, and their names.
public struct PreferenceExportOptions: OptionSet, Sendable, Hashable {
    /// The bits of the options.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Includes the keys that read as their defaults, unless the program does not have the default.
    public static let defaults = PreferenceExportOptions(rawValue: 1 << 0)
    /// Includes secrets.
    public static let secrets = PreferenceExportOptions(rawValue: 1 << 1)
    /// Names the values by the paths of their accessors, such as `weather.temperature`, and not by their storage names.
    public static let keyPaths = PreferenceExportOptions(rawValue: 1 << 2)
}

/// All problems of an operation that has changed nothing because of them.
public struct PreferenceProblems: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The problems, at least one.
    public let problems: [PreferenceProblem]

    /// The problems, one on each line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The same as ``description``, for code that shows any error's `localizedDescription`.
    public var errorDescription: String? { description }
}

extension Preferences {
    /// Returns the values of the keys of a catalogue.
    ///
    /// ```swift
    /// let values = preferences.exportValues(of: .app)
    /// try PreferenceValue.dictionary(values).jsonText()    //=> {"weather:temperature": 21.5}
    /// ```
    ///
    /// Stored values that cannot be used, which read as the default, are not included as such. Changes on other threads
    /// in the meantime may be included in part.
    ///
    /// - Parameters:
    ///   - catalogue: The descriptions of the keys.
    ///   - options: The values to include, and their names; by default those that are set and are not secrets, by storage
    ///     name.
    /// - Returns: The values, as they would be stored.
    public func exportValues(
        of catalogue: PreferenceCatalogue,
        options: PreferenceExportOptions = []
    ) -> [String: PreferenceValue] {
        var values: [String: PreferenceValue] = [:]
        for key in catalogue where !key.isSecret || options.contains(.secrets) {
            let reference = reference(to: key)
            guard options.contains(.defaults) || !reference.resolution.isDefault else { continue }
            values[options.contains(.keyPaths) ? key.keyPath : key.storageName] = reference.value
        }
        return values
    }

    /// Sets keys of a catalogue to given values, all or none.
    ///
    /// ```swift
    /// do {
    ///     try preferences.importValues(["weather:temperature": 3.5, "weather.unit": "fahrenheit"], of: .app)
    /// } catch {
    ///     for problem in error.problems { print(problem) }
    /// }
    /// ```
    ///
    /// The values are set in one ``/PreferencesRuntime/Preferences/transaction(_:)``. Other keys keep their values.
    ///
    /// - Parameters:
    ///   - values: The values by the storage names of the keys, or the paths of their accessors.
    ///   - catalogue: The descriptions of the keys.
    /// - Throws: The problems of all values and names that are refused, or that of the commit. Nothing has been changed
    ///   then, except with ``/PreferencesRuntime/PreferenceProblem/Code/notDurable``.
    public func importValues(
        _ values: [String: PreferenceValue],
        of catalogue: PreferenceCatalogue
    ) throws(PreferenceProblems) {
        var problems: [PreferenceProblem] = []
        var edits: [(reference: AnyPreferenceReference, value: PreferenceValue)] = []
        for (name, key) in keys(named: values.keys.sorted(), in: catalogue, &problems) {
            guard let value = values[name] else { continue }
            let reference = reference(to: key)
            do {
                edits.append((reference, try reference.typed.validated(value)))
            } catch {
                problems.append(error)
            }
        }
        guard problems.isEmpty else { throw PreferenceProblems(problems: problems) }
        do {
            try transaction { _ in
                // Hooks and stores may refuse a value, too.
                for (reference, value) in edits {
                    do throws(PreferenceProblem) { try reference.set(value) } catch { problems.append(error) }
                }
                if !problems.isEmpty { throw PreferenceProblems(problems: problems) }
            }
        } catch let error as PreferenceProblems {
            throw error
        } catch {
            let problem = error as? PreferenceProblem
            throw PreferenceProblems(
                problems: [problem ?? PreferenceProblem(.storeUnwritable, store: store.destinationLabel, error: error)]
            )
        }
    }

    /// Returns the keys that have the given storage names or key paths, and appends a problem for each other name.
    private func keys(
        named names: [String],
        in catalogue: PreferenceCatalogue,
        _ problems: inout [PreferenceProblem]
    ) -> [(name: String, key: PreferenceKeyDescription)] {
        let byPath = Dictionary(catalogue.map { ($0.keyPath, $0) }) { first, _ in first }
        let byName = Dictionary(catalogue.map { ($0.storageName, $0) }) { first, _ in first }
        var suggestions = Suggestions()
        var namesByKey: [String: String] = [:]
        return names.compactMap { name in
            func refuse(_ message: String) {
                problems.append(
                    PreferenceProblem(.unrecognizedName, key: name, store: store.destinationLabel, message: message)
                )
            }
            guard let key = byName[name] ?? byPath[name] else {
                let nearest = suggestions.nearest(to: name, among: Set(byName.keys).union(byPath.keys).sorted())
                refuse("no key has this name\(nearest.map { "; did you mean '\($0)'?" } ?? "")")
                return nil
            }
            if let other = namesByKey.updateValue(name, forKey: key.storageName) {
                refuse("it is the key that '\(other)' names, too")
                return nil
            }
            return (name, key)
        }
    }
}
