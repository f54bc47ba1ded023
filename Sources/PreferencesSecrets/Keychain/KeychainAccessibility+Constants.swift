#if canImport(Security)
    import Security

    extension KeychainAccessibility {
        var constant: CFString {
            switch self {
            case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
            case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
            case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            }
        }
    }

    extension KeychainAuthentication.Constraint {
        var flags: SecAccessControlCreateFlags {
            switch self {
            case .userPresence: .userPresence
            case .biometryAny: .biometryAny
            case .biometryCurrentSet: .biometryCurrentSet
            case .devicePasscode: .devicePasscode
            }
        }
    }
#endif
