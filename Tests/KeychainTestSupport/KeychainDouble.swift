package import Foundation
import PreferencesRuntime
package import PreferencesSecrets
import PreferencesSystem

/// An in-memory keychain that behaves as Apple documents.
package final class KeychainDouble: KeychainBackend {
    /// An item of the keychain.
    package struct Item: Sendable {
        package let account: String
        package var contents: KeychainContents
    }

    /// The primary key of an item, compared by bytes.
    struct PrimaryKey: Hashable {
        let service: [UInt8]
        let account: [UInt8]
        let group: String?
        let isSynchronizable: Bool
        let isLogin: Bool

        init(_ query: KeychainQuery, account: String) {
            service = Array(query.service.utf8)
            self.account = Array(account.utf8)
            group = query.accessGroup
            isSynchronizable = query.isSynchronizable
            isLogin = !query.usesDataProtectionKeychain
        }
    }

    struct State {
        var items: [PrimaryKey: Item] = [:]
        var calls: [String] = []
        var prompts: [String] = []
        var isLocked = false
        var groups: Set<String> = []
        var answer = KeychainStatus.success
        var failures: [String: [KeychainStatus]] = [:]
        var fault: KeychainStatus?
        var events: [String: @Sendable (KeychainDouble) -> Void] = [:]
    }

    let state = Locked(State())

    /// - Parameter groups: The access groups that the program is signed for.
    package init(groups: Set<String> = []) {
        state.withLock { $0.groups = groups }
    }

    // MARK: - Backend

    package func item(matching query: KeychainQuery) -> Result<KeychainItem, KeychainError> {
        using("read", query) { state in
            guard let item = state.matches(query).first else { return .itemNotFound }
            return state.refusal(of: item.contents.protection, query, isReading: true) ?? .success
        } result: { state in
            state.matches(query).first.map { Self.item($0, withData: true) }
        }
    }

    package func attributes(matching query: KeychainQuery) -> Result<[KeychainItem], KeychainError> {
        using("list", query) { state in
            state.matches(query).isEmpty ? .itemNotFound : .success
        } result: { state in
            state.matches(query).map { Self.item($0, withData: false) }
        }
    }

    package func add(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus {
        using("add", query) { state in
            guard let account = query.account, !account.isEmpty else { return .invalidParameter }
            if let refusal = state.refusal(ofNew: contents.protection, query) { return refusal }
            guard state.items[PrimaryKey(query, account: account)] == nil else { return .duplicateItem }
            state.items[PrimaryKey(query, account: account)] = Item(account: account, contents: contents)
            return .success
        }
    }

    package func update(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus {
        using("update", query) { state in
            let items = state.matches(query)
            guard !items.isEmpty else { return .itemNotFound }
            if let refusal = state.refusal(ofNew: contents.protection, query) { return refusal }
            for old in items {
                if let refusal = state.refusal(of: old.contents.protection, query, isReading: false) { return refusal }
                var item = old
                item.contents.data = contents.data
                item.contents.protection = contents.protection
                item.contents.generic = contents.generic ?? item.contents.generic
                item.contents.label = contents.label ?? item.contents.label
                item.contents.comment = contents.comment ?? item.contents.comment
                state.items[PrimaryKey(query, account: item.account)] = item
            }
            return .success
        }
    }

    package func delete(_ query: KeychainQuery) -> KeychainStatus {
        using("delete", query) { state in
            let items = state.matches(query)
            for item in items { state.items[PrimaryKey(query, account: item.account)] = nil }
            return items.isEmpty ? .itemNotFound : .success
        }
    }

    package func message(of status: KeychainStatus) -> String? {
        [
            KeychainStatus.interactionNotAllowed: "User interaction is not allowed.",
            .authenticationFailed: "The user name or passphrase you entered is not correct.",
            .userCanceled: "User canceled the operation.",
            .missingEntitlement: "A required entitlement isn't present.",
            .duplicateItem: "The specified item already exists in the keychain.",
            .invalidParameter: "One or more parameters passed to a function were not valid.",
        ][status]
    }
}

/// The controls for tests.
extension KeychainDouble {
    /// The recorded calls, such as `update token`.
    package var calls: [String] { state.withLock { $0.calls } }
    /// The prompts that were shown.
    package var prompts: [String] { state.withLock { $0.prompts } }

    package func forgetCalls() {
        state.withLock { $0.calls = [] }
    }

    /// Returns the item that a query finds.
    package func item(_ account: String, of query: KeychainQuery) -> Item? {
        state.withLock { $0.items[PrimaryKey(query, account: account)] }
    }

    /// Adds or changes an item, as another program does.
    package func put(_ account: String, _ contents: KeychainContents, for query: KeychainQuery) {
        state.withLock { $0.items[PrimaryKey(query, account: account)] = Item(account: account, contents: contents) }
    }

    package func setLocked(_ isLocked: Bool) {
        state.withLock { $0.isLocked = isLocked }
    }

    /// Sets the result of authentication.
    package func answer(_ status: KeychainStatus) {
        state.withLock { $0.answer = status }
    }

    /// Makes the next calls of a kind fail, such as `add token`.
    package func fail(_ call: String, _ statuses: KeychainStatus...) {
        state.withLock { $0.failures[call, default: []] += statuses }
    }

    /// Makes every call fail; nil for none.
    package func failAll(_ status: KeychainStatus?) {
        state.withLock { $0.fault = status }
    }

    /// Runs a closure once before the next call of a kind, such as `add token`.
    package func before(_ call: String, _ event: @escaping @Sendable (KeychainDouble) -> Void) {
        state.withLock { $0.events[call] = event }
    }
}

extension KeychainDouble {
    static func item(_ item: Item, withData isWithData: Bool) -> KeychainItem {
        KeychainItem(
            account: item.account,
            data: isWithData ? item.contents.data : nil,
            generic: item.contents.generic,
            label: item.contents.label,
            comment: item.contents.comment,
            accessibility: item.contents.protection.accessibility
        )
    }

    func using<Value>(
        _ kind: String,
        _ query: KeychainQuery,
        _ body: (inout State) -> KeychainStatus,
        result: (State) -> Value?
    ) -> Result<Value, KeychainError> {
        let call = query.account.map { "\(kind) \($0)" } ?? kind
        if let event = state.withLock({ $0.events.removeValue(forKey: call) }) { event(self) }
        return state.withLock { state in
            state.calls.append(call)
            var status = state.fault ?? state.refusal(of: query)
            if status == nil, state.failures[call]?.isEmpty == false { status = state.failures[call]?.removeFirst() }
            let outcome = status ?? body(&state)
            guard outcome == .success, let value = result(state) else { return .failure(KeychainError(outcome)) }
            return .success(value)
        }
    }

    func using(
        _ kind: String,
        _ query: KeychainQuery,
        _ body: (inout State) -> KeychainStatus
    ) -> KeychainStatus {
        switch using(kind, query, body, result: { _ in () }) {
        case .success: .success
        case .failure(let failure): failure.status
        }
    }
}

extension KeychainDouble.State {
    func matches(_ query: KeychainQuery) -> [KeychainDouble.Item] {
        items.filter { key, item in
            KeychainDouble.PrimaryKey(query, account: query.account ?? item.account) == key
        }.map(\.value)
    }

    func refusal(of query: KeychainQuery) -> KeychainStatus? {
        guard let group = query.accessGroup, !groups.contains(group) else { return nil }
        return .missingEntitlement
    }

    func refusal(ofNew protection: KeychainProtection, _ query: KeychainQuery) -> KeychainStatus? {
        if query.isSynchronizable, protection.isOfThisDevice || protection.constraint != nil {
            return .invalidParameter
        }
        return isLocked && protection.needsUnlocked ? .interactionNotAllowed : nil
    }

    mutating func refusal(
        of protection: KeychainProtection,
        _ query: KeychainQuery,
        isReading: Bool
    ) -> KeychainStatus? {
        if isLocked, protection.needsUnlocked { return .interactionNotAllowed }
        guard isReading, protection.constraint != nil else { return nil }
        prompts.append(query.prompt ?? "")
        return answer == .success ? nil : answer
    }
}

extension KeychainProtection {
    fileprivate var needsUnlocked: Bool {
        switch accessibility {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: false
        }
    }

    fileprivate var isOfThisDevice: Bool {
        switch accessibility {
        case .whenUnlocked, .afterFirstUnlock: false
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        }
    }
}

extension KeychainQuery {
    /// Creates a query for the items of a service with default options.
    package init(service: String) {
        self.init(
            service: service,
            account: nil,
            accessGroup: nil,
            isSynchronizable: false,
            usesDataProtectionKeychain: true,
            prompt: nil
        )
    }
}

extension KeychainContents {
    /// Creates the contents of an item of another program.
    package init(data: Data, label: String? = nil) {
        self.init(
            data: data,
            generic: nil,
            label: label,
            comment: nil,
            protection: KeychainProtection(accessibility: .afterFirstUnlock, constraint: nil)
        )
    }
}
