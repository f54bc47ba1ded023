#if !canImport(Security)
    import PreferencesSystem

    /// The proxy of the Secret Service on a bus, with a session that encrypts secrets on the way. It is used on one
    /// thread, except while the user is asked.
    final class SecretService {
        static let busName = "org.freedesktop.secrets"
        static let path = "/org/freedesktop/secrets"

        let library: Libsecret
        let connection: OpaquePointer
        let proxy: OpaquePointer
        /// The unique name of the service. Calls to it do not reach one that has taken its place.
        let owner: String
        private let signals: SecretServiceSignals
        private var subscriptions: [CUnsignedInt] = []

        /// Connects to the bus, and opens a session of the service, which the bus starts if it can.
        ///
        /// - Throws: ``SecretServiceFailure`` if there is no bus or service.
        init(
            _ library: Libsecret,
            address: String,
            events: SecretServiceEvents,
            _ cancellation: SecretServiceCancellation
        ) throws(SecretServiceFailure) {
            self.library = library
            signals = SecretServiceSignals(library, events)
            let cancellable = cancellation.pointer(library)
            do throws(SecretServiceFailure) {
                connection = try library.checking { error in
                    library.connect(address, Self.clientFlags, nil, cancellable, error)
                }
            } catch {
                if error.kind == .timedOut { throw error }
                throw SecretServiceFailure(.unavailable, "the session bus cannot be reached: \(error.message)")
            }
            do throws(SecretServiceFailure) {
                proxy = try Self.connectedProxy(library, connection, cancellable)
                owner = library.text(freeing: library.ownerOfProxy(proxy))
            } catch {
                library.release(connection)
                guard [.disconnected, .unavailable].contains(error.kind) else { throw error }
                throw SecretServiceFailure(.unavailable, "\(Self.missing): \(error.message)")
            }
            listen()
        }

        deinit {
            for subscription in subscriptions { library.unsubscribe(connection, subscription) }
            library.release(proxy)
            _ = library.closeConnection(connection, nil, nil)
            library.release(connection)
        }

        private static let missing =
            "there is no Secret Service on the session bus; install and start one, such as gnome-keyring, KWallet or KeePassXC"

        /// Whether the connection is closed, or the service has ended.
        var hasEnded: Bool { signals.hasEnded || library.isClosed(connection) != 0 }

        /// `AUTHENTICATION_CLIENT` and `MESSAGE_BUS_CONNECTION` of `GDBusConnectionFlags`.
        private static let clientFlags: CUnsignedInt = 1 << 0 | 1 << 3

        /// Begins to send the events of the service, from the thread of this call, while it waits for signals.
        private func listen() {
            let sources: [(sender: String, interface: String, argument: String?)] = [
                (owner, "org.freedesktop.Secret.Collection", nil),
                (owner, "org.freedesktop.Secret.Service", nil),
                (owner, "org.freedesktop.DBus.Properties", "org.freedesktop.Secret.Collection"),
                ("org.freedesktop.DBus", "org.freedesktop.DBus", Self.busName),
            ]
            subscriptions = sources.map { source in
                library.subscribe(
                    connection,
                    source.sender,
                    source.interface,
                    nil,
                    nil,
                    source.argument,
                    0,
                    { _, _, _, _, signal, parameters, signals in
                        guard let signals, let signal else { return }
                        Unmanaged<SecretServiceSignals>.fromOpaque(signals).takeUnretainedValue()
                            .receive(String(cString: signal), parameters)
                    },
                    Unmanaged.passRetained(signals).toOpaque(),
                    { signals in signals.map { Unmanaged<SecretServiceSignals>.fromOpaque($0).release() } }
                )
            }
        }
    }

    /// The receiver of a service's signals.
    private final class SecretServiceSignals: Sendable {
        private let library: Libsecret
        private let events: SecretServiceEvents
        private let ownerHasChanged = Locked(false)

        init(_ library: Libsecret, _ events: SecretServiceEvents) {
            (self.library, self.events) = (library, events)
        }

        /// Whether the service has ended.
        var hasEnded: Bool { ownerHasChanged.withLock { $0 } }

        func receive(_ signal: String, _ parameters: OpaquePointer?) {
            switch signal {
            case "ItemCreated", "ItemChanged": library.text(at: 0, of: parameters).map { events.send(.changed($0)) }
            case "ItemDeleted": library.text(at: 0, of: parameters).map { events.send(.deleted($0)) }
            case "NameOwnerChanged": ownerHasChanged.withLock { $0 = true }
            default: events.send(.collections)
            }
        }
    }

    // MARK: - The proxy

    extension SecretService {
        /// `DO_NOT_LOAD_PROPERTIES` and `DO_NOT_CONNECT_SIGNALS` of `GDBusProxyFlags`.
        private static let proxyFlags: CUnsignedInt = 1 << 0 | 1 << 1

        private static let typeName = "SwiftPreferencesSecretService"
        private static let registration = Locked(())

        /// Creates a proxy over a connection.
        ///
        /// libsecret's constructor sets the bus to the one that GLib shares within the process. A subclass, whose
        /// constructor runs after it, sets the given connection instead.
        private static func makeProxy(
            _ library: Libsecret,
            _ connection: OpaquePointer
        ) throws(SecretServiceFailure) -> OpaquePointer {
            let type = registration.withLock { _ in
                let known = library.typeNamed(typeName)
                if known != 0 { return known }
                let parent = library.serviceType()
                var query = Libsecret.TypeQuery()
                library.queryType(parent, &query)
                return library.registerType(
                    parent, typeName, query.classSize, Self.setConstructor, query.instanceSize, nil, 0
                )
            }
            var value = Libsecret.Value()
            _ = library.startValue(&value, Libsecret.objectType)
            library.setObject(&value, connection)
            defer { library.endValue(&value) }
            let proxy = "g-connection".withCString { name in
                var name: Libsecret.Text? = name
                return library.makeObject(type, 1, &name, &value)
            }
            guard let proxy else { throw SecretServiceFailure(.other, "libsecret cannot create a proxy") }
            return proxy
        }

        /// Creates a proxy, starts the service if the bus can, and opens a session.
        private static func connectedProxy(
            _ library: Libsecret,
            _ connection: OpaquePointer,
            _ cancellable: OpaquePointer?
        ) throws(SecretServiceFailure) -> OpaquePointer {
            let proxy = try makeProxy(library, connection)
            do throws(SecretServiceFailure) {
                try library.requiringSuccess { library.initialize(proxy, cancellable, $0) }
                try library.requiringSuccess { library.openSession(proxy, cancellable, $0) }
                return proxy
            } catch {
                library.release(proxy)
                throw error
            }
        }

        /// The offset of `constructor` in `GObjectClass`, after `g_type_class` and `construct_properties`.
        private static let constructorOffset = 2 * MemoryLayout<UInt>.size

        private static let setConstructor: Libsecret.ClassInitializer = { subclass, _ in
            subclass?.storeBytes(of: construct, toByteOffset: constructorOffset, as: Libsecret.Constructor.self)
        }

        private static let construct: Libsecret.Constructor = { type, count, properties in
            guard let library = try? Libsecret.library.get(),
                let object = library.classOfType(library.serviceType())?
                    .load(fromByteOffset: constructorOffset, as: Libsecret.Constructor.self)(type, count, properties)
            else { return nil }
            var value = Libsecret.Value()
            _ = library.startValue(&value, library.busTypeType())
            // `G_BUS_TYPE_NONE`
            library.setEnum(&value, 0)
            library.setProperty(object, "g-bus-type", &value)
            library.endValue(&value)
            value = Libsecret.Value()
            _ = library.startValue(&value, library.proxyFlagsType())
            library.setFlags(&value, proxyFlags)
            library.setProperty(object, "g-flags", &value)
            library.endValue(&value)
            return object
        }
    }
#endif
