import PreferencesSystem
import Foundation
package import PreferencesRuntime

/// Preferences in the generic passwords of a service, of whatever keychain.
package final class KeychainItems: WriterExcludingStore, CapabilityDeclaringStore, SourceReportingStore {
    package let label: String
    package let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .crashSafety, .exclusiveUpdates, .emptyName, .controlCharactersInNames,
    ]

    let medium: any KeychainMedium
    let service: String
    let options: KeychainOptions
    /// Held by whoever uses the keychain, so that nobody sees half a batch.
    private let access = RecursiveLock()
    private let observers = PreferenceStoreObservers()

    package init(_ medium: any KeychainMedium, service: String, options: KeychainOptions) {
        self.medium = medium
        self.service = service
        self.options = options
        let kind = !options.usesDataProtectionKeychain ? "login " : options.isSynchronizable ? "iCloud " : ""
        let group = options.accessGroup.map { " of the group '\($0)'" } ?? ""
        // Migrations take stores with one label for one store.
        label = "\(kind)keychain '\(service)'\(group)"
    }

    package func value(for name: String) throws -> PreferenceValue? {
        try access.withLock {
            for account in accounts(of: name) {
                if let item = try item(of: account) { return KeychainMarker.value(of: item) }
            }
            return nil
        }
    }

    package func names() throws -> Set<String> {
        let query = query(account: nil)
        switch access.withLock({ medium.attributes(matching: query) }) {
        case .success(let items): return Set(items.map(\.account).filter { refusal(of: $0) == nil })
        case .failure(let failure) where failure.status == .itemNotFound: return []
        case .failure(let failure): throw problem(failure, isReading: true, account: nil)
        }
    }

    /// Asks a person for nothing, as the value is not read.
    package func source(of name: String) throws -> String? {
        try access.withLock { try presentAccount(of: name) == nil ? nil : label }
    }

    package func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        do {
            let names = try access.withLock {
                let batch = try makeBatch(value)
                try write(batch.edits)
                return Set(batch.lazy.map(\.name))
            }
            if !names.isEmpty { observers.notify(.names(names), except: writer) }
        } catch let halfMade as HalfMadeBatch {
            // The writer takes a batch that has failed for one that has changed nothing.
            observers.notify(.names(halfMade.names))
            throw halfMade.problem
        }
    }

    package func reload() {
        observers.notify(.everything)
    }

    package func observe(
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
    ) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    // MARK: - Items

    /// Why the keychain is given no such account; nil where it is. An empty one is one that is missing, and of NUL it
    /// is not documented that it is kept.
    func refusal(of name: String) -> String? {
        if name.isEmpty { return "the keychain takes no empty name" }
        return name.unicodeScalars.contains("\u{0}") ? "the keychain takes no name with the character NUL" : nil
    }

    /// The accounts that a name may have: it is one in all forms of Unicode, and the keychain compares bytes.
    func accounts(of name: String) -> [String] {
        if refusal(of: name) != nil { return [] }
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return [name] }
        let forms = [name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping, name]
        return forms.enumerated().filter { index, form in
            !forms[..<index].contains { $0.utf8.elementsEqual(form.utf8) }
        }.map(\.element)
    }

    func presentAccount(of name: String) throws -> String? {
        try accounts(of: name).first { account in
            switch medium.attributes(matching: query(account: account)) {
            case .success(let items): return !items.isEmpty
            case .failure(let failure) where failure.status == .itemNotFound: return false
            case .failure(let failure): throw problem(failure, isReading: true, account: name)
            }
        }
    }

    func item(of account: String) throws -> KeychainItem? {
        switch medium.item(matching: query(account: account)) {
        case .success(let item): return item
        case .failure(let failure) where failure.status == .itemNotFound: return nil
        case .failure(let failure): throw problem(failure, isReading: true, account: account)
        }
    }

    func query(account: String?) -> KeychainQuery {
        KeychainQuery(
            service: service,
            account: account,
            accessGroup: options.accessGroup,
            isSynchronizable: options.isSynchronizable,
            usesDataProtectionKeychain: options.usesDataProtectionKeychain,
            prompt: options.authentication?.prompt
        )
    }

    func problem(_ failure: KeychainFailure, isReading: Bool, account: String?) -> PreferenceProblem {
        let words = medium.message(of: failure.status)
        return PreferenceProblem(failure.status, words, isReading: isReading, account: account, store: label)
    }
}
