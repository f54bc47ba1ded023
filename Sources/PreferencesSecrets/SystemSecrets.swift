import PreferencesRuntime
import PreferencesSystem

// Takes effect in every program that links this module, also in one that does not import it, and the runtime remains
// without libsecret. Registering a store would take a line of configuration in each program, and generated code does
// not know what the program links.
@_dynamicReplacement(for:systemSecrets())
private func systemSecretsOfPlatform() -> AvailableSecrets {
    #if canImport(Security)
        .store(AvailableSecrets.keychain)
    #else
        .ofDesktop()
    #endif
}

extension AvailableSecrets {
    #if canImport(Security)
        fileprivate static let keychain = KeychainStore()
    #else
        private static let keyring = SecretServiceStore()

        /// Returns the desktop's keyring, or the reason that this process cannot use one. That the bus has no keyring is
        /// a problem of the store, because it may be started later.
        ///
        /// - Parameters:
        ///   - bus: Returns the address of the bus.
        ///   - library: The library.
        static func ofDesktop(
            bus: () throws(SecretServiceFailure) -> String = SessionBus.address,
            library: LazyLibrary<Libsecret, SecretServiceFailure> = Libsecret.library
        ) -> AvailableSecrets {
            do throws(SecretServiceFailure) {
                _ = try bus()
                _ = try library.get()
                return .store(keyring)
            } catch {
                return .unavailable(error.message)
            }
        }
    #endif
}
