import PreferencesSystem
import PreferencesRuntime
package import PreferencesSecrets

/// A keychain that does what Apple documents of it, and refuses what Apple's refuses.
package final class KeychainDouble: KeychainMedium {
    /// An item, as the keychain has it.
    package struct Item: Sendable {
        package let account: String
        package var contents: KeychainContents
    }

    /// What the keychain tells items apart by. It compares bytes.
    struct Place: Hashable {
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
        var items: [Place: Item] = [:]
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

    // MARK: For the store

    package func item(matching query: KeychainQuery) -> Result<KeychainItem, KeychainFailure> {
        using("read", query) { state in
            guard let item = state.matches(query).first else { return .itemNotFound }
            return state.refusal(of: item.contents.protection, query, isReading: true) ?? .success
        } result: { state in
            state.matches(query).first.map { Self.found($0, withData: true) }
        }
    }

    package func attributes(matching query: KeychainQuery) -> Result<[KeychainItem], KeychainFailure> {
        using("list", query) { state in
            state.matches(query).isEmpty ? .itemNotFound : .success
        } result: { state in
            state.matches(query).map { Self.found($0, withData: false) }
        }
    }

    package func add(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus {
        using("add", query) { state in
            guard let account = query.account, !account.isEmpty else { return .invalidParameter }
            if let refusal = state.refusal(ofNew: contents.protection, query) { return refusal }
            guard state.items[Place(query, account: account)] == nil else { return .duplicateItem }
            state.items[Place(query, account: account)] = Item(account: account, contents: contents)
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
                state.items[Place(query, account: item.account)] = item
            }
            return .success
        }
    }

    package func delete(_ query: KeychainQuery) -> KeychainStatus {
        using("delete", query) { state in
            let items = state.matches(query)
            for item in items { state.items[Place(query, account: item.account)] = nil }
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
