#if canImport(Security)
    import Foundation
    import Security

    #if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
        import LocalAuthentication
    #endif

    /// The system's keychain.
    struct SystemKeychainBackend: KeychainBackend {
        func item(matching query: KeychainQuery) -> Result<KeychainItem, KeychainError> {
            var attributes = Self.attributes(of: query)
            attributes[kSecMatchLimit] = kSecMatchLimitOne
            attributes[kSecReturnAttributes] = true
            attributes[kSecReturnData] = true
            return Self.copyMatching(attributes).map { Self.item($0 as? [String: Any] ?? [:]) }
        }

        func attributes(matching query: KeychainQuery) -> Result<[KeychainItem], KeychainError> {
            var attributes = Self.attributes(of: query)
            attributes[kSecMatchLimit] = kSecMatchLimitAll
            attributes[kSecReturnAttributes] = true
            return Self.copyMatching(attributes).map { ($0 as? [[String: Any]] ?? []).map(Self.item) }
        }

        func add(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus {
            Self.withAttributes(of: contents, query) { attributes in
                let all = Self.attributes(of: query).merging(attributes) { own, _ in own }
                return SecItemAdd(all as CFDictionary, nil)
            }
        }

        func update(_ query: KeychainQuery, _ contents: KeychainContents) -> KeychainStatus {
            Self.withAttributes(of: contents, query) { attributes in
                SecItemUpdate(Self.attributes(of: query) as CFDictionary, attributes as CFDictionary)
            }
        }

        func delete(_ query: KeychainQuery) -> KeychainStatus {
            KeychainStatus(rawValue: SecItemDelete(Self.attributes(of: query) as CFDictionary))
        }

        func message(of status: KeychainStatus) -> String? {
            SecCopyErrorMessageString(status.rawValue, nil) as String?
        }

        private static func copyMatching(_ attributes: [CFString: Any]) -> Result<CFTypeRef?, KeychainError> {
            var result: CFTypeRef?
            let status = KeychainStatus(rawValue: SecItemCopyMatching(attributes as CFDictionary, &result))
            return status == .success ? .success(result) : .failure(KeychainError(status))
        }

        private static func item(_ attributes: [String: Any]) -> KeychainItem {
            let accessibility = attributes[kSecAttrAccessible as String] as? String
            return KeychainItem(
                account: attributes[kSecAttrAccount as String] as? String ?? "",
                data: attributes[kSecValueData as String] as? Data,
                generic: attributes[kSecAttrGeneric as String] as? Data,
                label: attributes[kSecAttrLabel as String] as? String,
                comment: attributes[kSecAttrComment as String] as? String,
                accessibility: KeychainAccessibility.allCases.first { $0.constant as String == accessibility }
            )
        }

        private static func attributes(of query: KeychainQuery) -> [CFString: Any] {
            var attributes: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: query.service,
            ]
            attributes[kSecAttrAccount] = query.account
            attributes[kSecAttrAccessGroup] = query.accessGroup
            if query.isSynchronizable { attributes[kSecAttrSynchronizable] = true }
            if query.usesDataProtectionKeychain { attributes[kSecUseDataProtectionKeychain] = true }
            #if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
                if let prompt = query.prompt {
                    let context = LAContext()
                    context.localizedReason = prompt
                    attributes[kSecUseAuthenticationContext] = context
                }
            #endif
            return attributes
        }

        private static func withAttributes(
            of contents: KeychainContents,
            _ query: KeychainQuery,
            _ body: ([CFString: Any]) -> OSStatus
        ) -> KeychainStatus {
            var attributes: [CFString: Any] = [kSecValueData: contents.data]
            attributes[kSecAttrGeneric] = contents.generic
            attributes[kSecAttrLabel] = contents.label
            attributes[kSecAttrComment] = contents.comment
            let accessibility = contents.protection.accessibility.constant
            if let constraint = contents.protection.constraint {
                let control = SecAccessControlCreateWithFlags(nil, accessibility, constraint.flags, nil)
                // Fails rather than omit the requested protection.
                guard let control else { return .invalidParameter }
                attributes[kSecAttrAccessControl] = control
            } else if query.supportsAccessibility {
                attributes[kSecAttrAccessible] = accessibility
            }
            return KeychainStatus(rawValue: body(attributes))
        }
    }

    extension KeychainQuery {
        /// Whether the keychain supports accessibility: the login keychain of a Mac does not.
        fileprivate var supportsAccessibility: Bool {
            #if os(macOS)
                usesDataProtectionKeychain
            #else
                true
            #endif
        }
    }

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
