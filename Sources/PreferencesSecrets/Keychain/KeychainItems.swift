package import Foundation
package import PreferencesRuntime
import PreferencesSystem

/// A store in the generic passwords of a service, over any keychain backend.
package final class KeychainItems: WriterExcludingStore, CapabilityDeclaringStore, SourceReportingStore {
    package let label: String
    package let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .crashSafety, .exclusiveUpdates, .emptyName, .controlCharactersInNames,
    ]

    /// The service of a store that is created without one: the bundle identifier of the program, or its name if it has
    /// none, as a command-line tool.
    package static var defaultService: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

    let backend: any KeychainBackend
    let service: String
    let options: KeychainOptions
    /// Held during keychain calls, so that other threads do not see a partial batch.
    private let access = RecursiveLock()
    private let observers = PreferenceStoreObservers()

    package init(
        _ backend: any KeychainBackend,
        service: String = KeychainItems.defaultService,
        options: KeychainOptions = KeychainOptions()
    ) {
        self.backend = backend
        self.service = service
        self.options = options
        let kind = !options.usesDataProtectionKeychain ? "login " : options.isSynchronizable ? "iCloud " : ""
        let group = options.accessGroup.map { " of the group '\($0)'" } ?? ""
        // Migrations compare stores by their labels.
        label = "\(kind)keychain '\(service)'\(group)"
    }

    package func value(for name: String) throws -> PreferenceValue? {
        try access.withLock {
            for account in ItemNames.accounts(of: name) {
                if let item = try item(of: account) { return KeychainMarker.value(of: item) }
            }
            return nil
        }
    }

    package func names() throws -> Set<String> {
        let query = query(account: nil)
        switch access.withLock({ backend.attributes(matching: query) }) {
        case .success(let items): return Set(items.map(\.account).filter { !ItemNames.accounts(of: $0).isEmpty })
        case .failure(let failure) where failure.status == .itemNotFound: return []
        case .failure(let failure): throw problem(failure, isReading: true, account: nil)
        }
    }

    /// Returns the item's account if it exists. The value is not read, so no authentication is required.
    package func source(of name: String) throws -> PreferenceSource? {
        try access.withLock { try existingAccount(of: name).map { PreferenceSource(store: label, name: $0) } }
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
        } catch let error as PartialBatchError {
            // The writer assumes that a failed batch has changed nothing.
            observers.notify(.names(error.names))
            throw error.problem
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

    func existingAccount(of name: String) throws -> String? {
        try ItemNames.accounts(of: name).first { account in
            switch backend.attributes(matching: query(account: account)) {
            case .success(let items): return !items.isEmpty
            case .failure(let failure) where failure.status == .itemNotFound: return false
            case .failure(let failure): throw problem(failure, isReading: true, account: name)
            }
        }
    }

    func item(of account: String) throws(PreferenceProblem) -> KeychainItem? {
        switch backend.item(matching: query(account: account)) {
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

    func problem(_ failure: KeychainError, isReading: Bool, account: String?) -> PreferenceProblem {
        let systemMessage = backend.message(of: failure.status)
        return PreferenceProblem(failure.status, systemMessage, isReading: isReading, account: account, store: label)
    }
}

extension KeychainItems {
    /// The change of one item.
    private struct Step: ItemStep {
        let name: String
        let account: String
        /// The new contents; nil to remove the item.
        let contents: KeychainContents?
    }

    /// Applies a batch.
    ///
    /// - Throws: ``PreferenceProblem`` if nothing was changed; ``PartialBatchError`` otherwise.
    func write(_ batch: [String: PreferenceEdit]) throws {
        let contents = try batch.mapValues { $0.value }.map { name, value in
            (name, try value.map { try newContents($0, for: name) })
        }
        // Removals come last, because undoing one requires a new item.
        let steps = try contents.sorted { ($0.1 == nil ? 1 : 0, $0.0) < ($1.1 == nil ? 1 : 0, $1.0) }
            .flatMap { name, contents in try self.steps(of: name, contents) }
        try performAll(steps) { (step) throws(PreferenceProblem) in
            let old = try item(of: step.account)
            return Step(name: step.name, account: step.account, contents: old.map { self.contents(of: $0) })
        } undo: { (step) throws(PreferenceProblem) in
            try perform(step)
        } _: { (step) throws(PreferenceProblem) in
            try perform(step)
        }
    }

    private func steps(of name: String, _ contents: KeychainContents?) throws -> [Step] {
        let accounts = ItemNames.accounts(of: name)
        guard let contents else { return accounts.map { Step(name: name, account: $0, contents: nil) } }
        // An existing item keeps its account, by which other programs may find it. An ASCII name has only one form.
        let account = accounts.count == 1 ? name : try existingAccount(of: name) ?? name
        return [Step(name: name, account: account, contents: contents)]
    }

    private func newContents(_ value: PreferenceValue, for name: String) throws -> KeychainContents {
        let reason: String
        do {
            let plain = try ValueBytes(value)
            guard let rejectionReason = ItemNames.rejectionReason(of: name, in: "keychain") else {
                return contents(plain.bytes, KeychainMarker.mark(of: plain.kind))
            }
            reason = rejectionReason
        } catch {
            reason = String(describing: error)
        }
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: reason)
    }

    private func contents(_ data: Data, _ generic: Data?) -> KeychainContents {
        KeychainContents(
            data: data,
            generic: generic,
            label: options.label,
            comment: options.comment,
            protection: KeychainProtection(
                accessibility: options.accessibility,
                constraint: options.authentication?.constraint
            )
        )
    }

    private func perform(_ step: Step) throws(PreferenceProblem) {
        do throws(KeychainError) {
            try set(step.contents, of: step.account)
        } catch {
            throw problem(error, isReading: false, account: step.name)
        }
    }

    private func set(_ contents: KeychainContents?, of account: String) throws(KeychainError) {
        let query = query(account: account)
        guard let contents else {
            let status = backend.delete(query)
            if status != .success, status != .itemNotFound { throw KeychainError(status) }
            return
        }
        // Another process may add or remove the item between the calls.
        for _ in 0..<3 {
            let update = backend.update(query, contents)
            if update == .success { return }
            if update != .itemNotFound { throw KeychainError(update) }
            let addition = backend.add(query, contents)
            if addition == .success { return }
            if addition != .duplicateItem { throw KeychainError(addition) }
        }
        throw KeychainError(.duplicateItem)
    }

    /// Returns the contents that restore an item. The keychain does not report an item's access control, so that of the
    /// options is used.
    private func contents(of item: KeychainItem) -> KeychainContents {
        // An empty marker replaces the new one if the item had none.
        var contents = contents(item.data ?? Data(), item.generic ?? Data())
        contents.label = item.label
        contents.comment = item.comment
        contents.protection.accessibility = item.accessibility ?? options.accessibility
        return contents
    }
}

/// The attributes and data of an item.
package struct KeychainItem: Sendable {
    package var account: String
    /// The data; nil if it was not requested or there is none.
    package var data: Data?
    package var generic: Data?
    package var label: String?
    package var comment: String?
    /// The accessibility; nil if it is not one of the cases.
    package var accessibility: KeychainAccessibility?

    package init(
        account: String,
        data: Data? = nil,
        generic: Data? = nil,
        label: String? = nil,
        comment: String? = nil,
        accessibility: KeychainAccessibility? = nil
    ) {
        self.account = account
        self.data = data
        self.generic = generic
        self.label = label
        self.comment = comment
        self.accessibility = accessibility
    }
}

/// The access control of an item.
package struct KeychainProtection: Hashable, Sendable {
    package var accessibility: KeychainAccessibility
    package var constraint: KeychainAuthentication.Constraint?

    package init(accessibility: KeychainAccessibility, constraint: KeychainAuthentication.Constraint?) {
        self.accessibility = accessibility
        self.constraint = constraint
    }
}

/// The attributes and data to write to an item.
package struct KeychainContents: Hashable, Sendable {
    package var data: Data
    /// `kSecAttrGeneric`, which is free for use by programs.
    package var generic: Data?
    package var label: String?
    package var comment: String?
    package var protection: KeychainProtection

    package init(data: Data, generic: Data?, label: String?, comment: String?, protection: KeychainProtection) {
        self.data = data
        self.generic = generic
        self.label = label
        self.comment = comment
        self.protection = protection
    }
}

/// The marker in an item's `kSecAttrGeneric` attribute that states how its value is encoded.
///
/// Other programs usually store text without a marker. An item without a marker, or whose data does not match it
/// because another program has changed the data, is read as text if it is valid UTF-8, and as data otherwise.
enum KeychainMarker {
    private static let marks: [ValueBytes.Kind: String] = [
        .text: "swift-preferences text", .data: "swift-preferences data", .json: "swift-preferences json",
    ]

    static func mark(of kind: ValueBytes.Kind) -> Data {
        Data(marks[kind, default: ""].utf8)
    }

    static func value(of item: KeychainItem) -> PreferenceValue {
        let data = item.data ?? Data()
        if let kind = marks.first(where: { Data($0.value.utf8) == item.generic })?.key,
            let value = ValueBytes(kind, data).value
        {
            return value
        }
        return ValueBytes(.text, data).value ?? .data(data)
    }
}
