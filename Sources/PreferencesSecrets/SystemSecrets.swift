import PreferencesRuntime
import PreferencesSystem

// Takes effect in every program that links this module, also in one that does not import it.
@_dynamicReplacement(for:systemSecrets())
private func systemSecretsOfPlatform() -> AvailableSecrets {
    #if canImport(Security)
        .store(AvailableSecrets.keychain)
    #else
        .ofDesktop { getenv($0).map { String(cString: $0) } }
    #endif
}

extension AvailableSecrets {
    #if canImport(Security)
        fileprivate static let keychain = KeychainStore()
    #else
        /// Returns the desktop's keyring, or the reason that this process cannot use one. That the bus has no keyring is
        /// a problem of the store, because it may be started later.
        ///
        /// - Parameters:
        ///   - library: The name of libsecret.
        ///   - variable: Returns the value of an environment variable.
        static func ofDesktop(
            library: String = "libsecret-1.so.0",
            variable: (_ name: String) -> String?
        ) -> AvailableSecrets {
            guard hasSessionBus(variable) else {
                return missing(
                    "there is no session bus with the desktop's keyring, neither DBUS_SESSION_BUS_ADDRESS nor "
                        + "$XDG_RUNTIME_DIR/bus: "
                )
            }
            guard dlopen(library, RTLD_NOW) != nil else {
                let failure = LoadingFailure.last(of: library)
                return missing(
                    failure.map { "libsecret cannot be loaded (\($0)): " }
                        ?? "libsecret is not installed (\(library)): install the package libsecret-1-0 (Debian, Ubuntu) "
                        + "or libsecret (Fedora, Alpine), and link the program dynamically, or "
                )
            }
            return missing("this version has no store over libsecret: ")
        }

        private static func missing(_ cause: String) -> AvailableSecrets {
            missing(", as \(cause)", giving: " and an 'EncryptedStore'")
        }

        /// Whether the process finds the user's session bus, in the places where libraries of D-Bus look for it.
        private static func hasSessionBus(_ variable: (_ name: String) -> String?) -> Bool {
            if variable("DBUS_SESSION_BUS_ADDRESS")?.isEmpty == false { return true }
            guard let folder = variable("XDG_RUNTIME_DIR"), !folder.isEmpty else { return false }
            return access("\(folder)/bus", F_OK) == 0
        }
    #endif
}
