import PreferencesSecrets

extension KeychainDouble.State {
    func matches(_ query: KeychainQuery) -> [KeychainDouble.Item] {
        items.filter { place, item in
            KeychainDouble.Place(query, account: query.account ?? item.account) == place
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
