import Foundation
import PreferencesRuntime

/// A store in files: one of the machine, and one of each scope that machines share. Nothing is merged.
///
/// A shared key without a shared value has that of the machine. The programs of ``EditCheck`` and those that prove the rules
/// about changes are compiled with this file, too. The conformance to `Sendable` is unchecked, since these have one thread.
final class ScopedFiles: WritablePreferenceStore, ScopedStore, @unchecked Sendable {
    let machine: FileStore
    private let url: URL
    private var shared: [PreferenceScope: FileStore] = [:]
    private var scopes: [String: PreferenceScope] = [:]

    /// - Parameter url: The file of the machine. Those of the scopes are beside it.
    init(url: URL) {
        self.url = url
        machine = FileStore(url: url)
    }

    func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    ) {
        if shared[scope] == nil { shared[scope] = FileStore(url: url.appendingPathExtension("\(scope).json")) }
        for name in [name] + formerNames { scopes[name] = scope }
    }

    private func sharedStore(of name: String) -> FileStore? { scopes[name].flatMap { shared[$0] } }

    func value(for name: String) throws -> PreferenceValue? {
        try sharedStore(of: name)?.value(for: name) ?? machine.value(for: name)
    }

    func names() throws -> Set<String> {
        try shared.values.reduce(into: machine.names()) { $0.formUnion(try $1.names()) }
    }

    func apply(_ batch: PreferenceBatch) throws {
        for (name, edit) in batch {
            let store = sharedStore(of: name)
            try (store ?? machine).apply([name: edit])
            // Otherwise the value of the machine would be read again.
            if store != nil, case .remove = edit { try machine.apply([name: .remove]) }
        }
    }

    func flush() throws {
        for store in [machine] + shared.values { try store.flush() }
    }
}
