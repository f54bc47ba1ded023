#if !canImport(Security)
    import PreferencesSystem

    /// A connection to a bus, and the signals of the Secret Service on it. Used on one thread, which receives the signals.
    ///
    /// It is private: the end of the connection that GLib shares within the process would end the process.
    final class SecretServiceBus {
        let library: Libsecret
        let connection: OpaquePointer
        private let signals: SecretServiceSignals
        private var subscriptions: [CUnsignedInt] = []

        /// Connects to a bus.
        ///
        /// - Throws: ``SecretServiceFailure`` if there is none.
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
                throw SecretServiceFailure(
                    .unavailable,
                    "the session bus '\(address)' cannot be reached (\(error.message)): log in to a desktop session again"
                )
            }
            subscribe()
        }

        deinit {
            for subscription in subscriptions { library.unsubscribe(connection, subscription) }
            _ = library.closeConnection(connection, nil, nil)
            library.release(connection)
        }

        /// `AUTHENTICATION_CLIENT` and `MESSAGE_BUS_CONNECTION` of `GDBusConnectionFlags`.
        private static let clientFlags: CUnsignedInt = 1 << 0 | 1 << 3

        /// Returns whether another service has taken the name, or none has it, since the last call.
        func takeOwnerChange() -> Bool {
            signals.ownerHasChanged.withLock { hasChanged in
                defer { hasChanged = false }
                return hasChanged
            }
        }

        var isClosed: Bool { library.isClosed(connection) != 0 }

        /// Makes a call, and returns what a body reads from the answer.
        ///
        /// - Parameters:
        ///   - method: The method, and the name, path and interface of the object.
        ///   - parameters: The parameters, which are released.
        ///   - answerType: The type of the answer, as the bus writes it. Another answer is a failure.
        ///   - cancellation: Ends the call, which has no other limit.
        ///   - read: Reads the answer.
        func call<Result>(
            _ method: (name: String, interface: String, path: String, owner: String),
            _ parameters: [OpaquePointer?],
            _ answerType: String,
            _ cancellation: SecretServiceCancellation,
            _ read: (OpaquePointer) -> Result
        ) throws(SecretServiceFailure) -> Result {
            try library.requireDescriptors(4)
            let parameters = library.tuple(parameters)
            let answer = try library.checking { error in
                library.call(
                    connection,
                    method.owner,
                    method.path,
                    method.interface,
                    method.name,
                    parameters,
                    answerType,
                    0,
                    CInt.max,
                    cancellation.pointer(library),
                    error
                )
            }
            defer { library.releaseVariant(answer) }
            return read(answer)
        }

        private func subscribe() {
            let sources: [(sender: String, interface: String, argument: String?)] = [
                (SecretService.busName, "org.freedesktop.Secret.Collection", nil),
                (SecretService.busName, "org.freedesktop.Secret.Service", nil),
                (SecretService.busName, "org.freedesktop.DBus.Properties", "org.freedesktop.Secret.Collection"),
                ("org.freedesktop.DBus", "org.freedesktop.DBus", SecretService.busName),
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

    /// The receiver of the signals of the Secret Service.
    private final class SecretServiceSignals: Sendable {
        private let library: Libsecret
        private let events: SecretServiceEvents
        let ownerHasChanged = Locked(false)

        init(_ library: Libsecret, _ events: SecretServiceEvents) {
            (self.library, self.events) = (library, events)
        }

        func receive(_ signal: String, _ parameters: OpaquePointer?) {
            let text = { (index: UInt) in self.library.text(at: index, of: parameters) ?? "" }
            switch signal {
            case "ItemCreated", "ItemChanged": events.send(.changed(text(0)))
            case "ItemDeleted": events.send(.deleted(text(0)))
            case "NameOwnerChanged":
                ownerHasChanged.withLock { $0 = true }
                // The third argument is the new owner.
                events.send(text(2).isEmpty ? .disconnected : .connected)
            default: events.send(.collections)
            }
        }
    }

    /// The proxy of the Secret Service on a bus, with a session that encrypts secrets on the way. Used on one thread,
    /// except while the user is asked.
    final class SecretService {
        static let busName = "org.freedesktop.secrets"
        static let path = "/org/freedesktop/secrets"

        let bus: SecretServiceBus
        let proxy: OpaquePointer
        /// The unique name of the service. Calls to it do not reach one that has taken its place.
        let owner: String

        var library: Libsecret { bus.library }

        /// Opens a session of the service, which the bus starts if it can.
        ///
        /// - Throws: ``SecretServiceFailure`` if there is no service.
        init(_ bus: SecretServiceBus, _ cancellation: SecretServiceCancellation) throws(SecretServiceFailure) {
            self.bus = bus
            let library = bus.library
            do throws(SecretServiceFailure) {
                proxy = try Self.connectedProxy(bus, cancellation.pointer(library))
                do throws(SecretServiceFailure) {
                    let daemon = "org.freedesktop.DBus"
                    let name = [library.makeString(Self.busName)]
                    let owner = try bus.call(
                        ("GetNameOwner", daemon, "/org/freedesktop/DBus", daemon),
                        name,
                        "(s)",
                        cancellation
                    ) { library.text(at: 0, of: $0) }
                    guard let owner else { throw SecretServiceFailure.unexpectedAnswer }
                    self.owner = owner
                } catch {
                    library.release(proxy)
                    throw error
                }
            } catch {
                guard [.disconnected, .unavailable].contains(error.kind) else { throw error }
                throw SecretServiceFailure(
                    .unavailable,
                    "there is no Secret Service on the session bus (\(error.message)): install and start one, such as "
                        + "gnome-keyring, KWallet or KeePassXC"
                )
            }
        }

        deinit {
            library.release(proxy)
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
        private static func makeProxy(_ bus: SecretServiceBus) throws(SecretServiceFailure) -> OpaquePointer {
            let library = bus.library
            let type = registration.withLock { _ in
                let known = library.typeNamed(typeName)
                if known != 0 { return known }
                let parent = library.serviceType()
                var query = Libsecret.TypeQuery()
                library.queryType(parent, &query)
                return library.registerType(
                    parent,
                    typeName,
                    query.classSize,
                    Self.setConstructor,
                    query.instanceSize,
                    nil,
                    0
                )
            }
            var value = Libsecret.Value()
            _ = library.startValue(&value, Libsecret.objectType)
            library.setObject(&value, bus.connection)
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
            _ bus: SecretServiceBus,
            _ cancellable: OpaquePointer?
        ) throws(SecretServiceFailure) -> OpaquePointer {
            let library = bus.library
            let proxy = try makeProxy(bus)
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
