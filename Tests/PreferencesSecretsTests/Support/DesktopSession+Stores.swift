#if !canImport(Security)
    import TestSupport

    @testable import PreferencesSecrets

    extension DesktopSession {
        /// Returns a store of the service `weather` on the session's bus, with a connection of its own, as in another
        /// process.
        func store(
            service: String = "weather",
            _ options: SecretServiceOptions = SecretServiceOptions(timeout: .seconds(120))
        ) -> SecretServiceStore {
            SecretServiceStore(service: service, options: options, connection: connection)
        }

        /// A new connection to the session's bus.
        var connection: SecretServiceConnection {
            let address = address
            return SecretServiceConnection(
                address: { () throws(SecretServiceFailure) in address },
                library: Libsecret.library
            )
        }
    }
#endif
