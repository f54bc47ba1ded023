#if !canImport(Security)
    /// The failure of a call of the Secret Service.
    struct SecretServiceFailure: Error, Sendable {
        enum Kind: Hashable, Sendable {
            /// A library, the bus or the service is missing.
            case unavailable
            /// The service has ended, or the connection is closed.
            case disconnected
            /// The collection is locked.
            case locked
            /// The user has dismissed the prompt.
            case dismissed
            /// The user has not answered the prompt within the limit.
            case unanswered
            /// The call has taken longer than its limit. It may yet take effect.
            case timedOut
            /// The call was not made, because the service has not answered an earlier one.
            case hanging
            /// The item or collection does not exist, or no longer.
            case missing
            /// The service has refused the call. The message is the service's.
            case refused
            case other
        }

        let kind: Kind
        /// The fault and what to do, as a clause. Contains nothing of an item, unless it is the service's own text.
        let message: String

        init(_ kind: Kind, _ message: String) {
            self.kind = kind
            self.message = message
        }
    }

    extension SecretServiceFailure {
        static let timeout = SecretServiceFailure(.timedOut, "the Secret Service has not answered")
        static let unanswered = SecretServiceFailure(.unanswered, "the user has not answered the prompt yet")
        static let unexpectedAnswer = SecretServiceFailure(.other, "the Secret Service has given an unexpected answer")
        /// The user has dismissed a prompt. The Secret Service reports one that cannot be shown in the same way.
        static let dismissed = SecretServiceFailure(
            .dismissed,
            "the user has dismissed the prompt, or the desktop could not show it"
        )

        static let hanging = SecretServiceFailure(.hanging, "the Secret Service does not answer")
        static let locked = SecretServiceFailure(.locked, "its collection is locked")

        /// Creates a failure of an error of GLib, and frees it.
        init(_ error: UnsafeMutableRawPointer?, _ library: Libsecret) {
            guard let error else {
                self.init(.other, "libsecret reported no reason")
                return
            }
            defer { library.freeError(error) }
            let name = library.text(freeing: library.nameOfError(error))
            _ = library.stripError(error)
            let contents = error.load(as: Libsecret.GLibError.self)
            let isOfStreams = contents.domain == library.ioErrorDomain()
            let kind = Self.kind(isOfStreams ? nil : name, contents.code)
            let message = contents.message.map { String(cString: $0) }
            switch kind {
            case .timedOut: self = .timeout
            case .locked: self = .locked
            default: self.init(kind, String((message ?? name).prefix(300)))
            }
        }

        /// - Parameters:
        ///   - name: The name of the bus's error; nil for an error of a stream.
        ///   - code: The code of an error of a stream: `GIOErrorEnum`, of which these are `CLOSED`, `CANCELLED`, `TIMED_OUT`,
        ///     `CONNECTION_CLOSED` and `NOT_CONNECTED`.
        private static func kind(_ name: String?, _ code: CInt) -> Kind {
            switch name {
            case nil where [19, 24].contains(code): .timedOut
            case nil where [18, 44, 45].contains(code): .disconnected
            case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
                "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected",
                "org.freedesktop.Secret.Error.NoSession":
                .disconnected
            case "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut": .timedOut
            case "org.freedesktop.Secret.Error.IsLocked": .locked
            case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
                "org.freedesktop.DBus.Error.UnknownMethod":
                .missing
            case let name? where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"): .unavailable
            default: .refused
            }
        }
    }
#endif
