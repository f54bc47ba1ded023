import Foundation
import PreferencesRuntime

/// Writes and reads keys through generated accessors, in files that the accessors of two versions of a schema share.
///
/// The programs of ``EditCheck`` are compiled with this file, too.
final class AccessorProbe {
    /// The values to write, by the numbers of the keys.
    struct Input: Codable {
        /// The number of files.
        var files: Int
        var keys: [Key] = []
        /// Values that a still older version has left, by the number of the file and by name.
        var leftovers: [[String: String]] = []

        struct Key: Codable {
            var storageName: String
            var formerNames: [String]
            var isSecret: Bool
            /// The machines that share the value; nil if it stays on one.
            var scope: String?
            /// Values as JSON, which need not satisfy the constraints.
            var samples: [String]
        }
    }

    /// A key as it reads from one file.
    struct Observation: Codable {
        var key: Int
        var file: Int
        var value: ObservedValue
        /// The name of the value in the store; nil if the key reads as its default.
        var source: String?
        var problems: [Problem]

        struct Problem: Codable {
            /// The name of the value in the store.
            var name: String?
            var text: String
        }
    }

    private let folder: URL
    private let input: Input
    private var preferences: [Preferences]
    private var observations: [Observation] = []

    init(folder: URL) throws {
        self.folder = folder
        input = try JSONDecoder().decode(Input.self, from: Data(contentsOf: folder.appending(path: "input.json")))
        preferences = []
        reopen()
    }

    private func reopen() {
        preferences = (0..<input.files).map { file in
            Preferences(
                store: Self.store(file, isSecret: false, folder),
                secrets: Self.store(file, isSecret: true, folder)
            )
        }
    }

    private static func store(_ file: Int, isSecret: Bool, _ folder: URL) -> ScopedFiles {
        ScopedFiles(url: folder.appending(path: "\(isSecret ? "Secrets" : "Values")-\(file).json"))
    }

    /// Returns a store that knows the scopes of the old keys.
    private func storeWithScopes(_ file: Int, isSecret: Bool) -> ScopedFiles {
        let store = Self.store(file, isSecret: isSecret, folder)
        for key in isSecret ? [] : input.keys {
            guard let scope = key.scope.flatMap(PreferenceScope.init) else { continue }
            store.declareShared(key.storageName, formerNames: key.formerNames, scope: scope, mergeRule: .last)
        }
        return store
    }

    /// Sets a key to its samples, each in a file of its own, and leaves it unset in one file.
    func write<Value>(_ key: ReferenceWritableKeyPath<Preferences, Value>, _ number: Int) {
        var files = (0..<input.files).filter { $0 != number % input.files }[...]
        var values: [Value] = []
        for sample in input.keys[number].samples {
            guard let file = files.first else { return }
            guard let value = try? Self.decode(sample, as: Value.self) else { continue }
            // A sample that the constraints do not allow is not set.
            do { try preferences[file].set(key, to: value) } catch { continue }
            values.append(value)
            files.removeFirst()
        }
        for (value, file) in zip(values + values + values, files) { try? preferences[file].set(key, to: value) }
    }

    private static func decode<Value>(_ text: String, as _: Value.Type) throws -> Value? {
        guard let stored = PreferenceValue(jsonText: text), let type = Value.self as? any PreferenceConvertible.Type
        else {
            return nil
        }
        return try type.init(preferenceValue: stored) as? Value
    }

    /// Writes the files. In some of them, values are moved to former names, and others are left by an older version.
    func finishWriting() throws {
        for preferences in preferences { try preferences.flush() }
        reopen()
        for file in 0..<input.files {
            var stores: [Bool: ScopedFiles] = [:]
            for isSecret in [false, true] { stores[isSecret] = storeWithScopes(file, isSecret: isSecret) }
            for (number, key) in input.keys.enumerated() where !key.formerNames.isEmpty && (number + file) % 3 == 0 {
                guard let store = stores[key.isSecret], let value = try store.value(for: key.storageName) else {
                    continue
                }
                let former = key.formerNames[file / 3 % key.formerNames.count]
                try store.commit([key.storageName: .remove, former: .set(value)])
                let next = storeWithScopes((file + 1) % input.files, isSecret: key.isSecret)
                guard let other = key.formerNames.first(where: { $0 != former }), file.isMultiple(of: 2),
                    let value = try next.value(for: key.storageName)
                else { continue }
                try store.commit([other: .set(value)])
            }
            for (name, text) in input.leftovers[file] {
                guard let value = PreferenceValue(jsonText: text) else { continue }
                try stores[false]?.commit([name: .set(value)])
            }
            for store in stores.values { try store.flush() }
        }
        reopen()
    }

    /// Notes how a key reads from each file.
    func read<Value>(_ key: KeyPath<Preferences, Value>, _ number: Int) {
        for (file, preferences) in preferences.enumerated() {
            let resolution = preferences.resolution(of: key)
            observations.append(
                Observation(
                    key: number,
                    file: file,
                    value: ObservedValue(preferences[keyPath: key]),
                    source: resolution.source?.name,
                    problems: resolution.problems.map { .init(name: $0.key, text: $0.description) }
                )
            )
        }
    }

    /// Writes the notes into a file.
    func save(to file: URL) throws {
        try JSONEncoder().encode(observations).write(to: file)
    }
}
