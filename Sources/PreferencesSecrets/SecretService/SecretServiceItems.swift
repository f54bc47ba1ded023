#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import PreferencesSystem

    /// A store in the items of a service in a collection of the Secret Service.
    final class SecretServiceItems: WriterExcludingStore, CapabilityDeclaringStore, SourceReportingStore {
        let label: String
        let notifiesAllChanges = true
        let unsupportedCapabilities: PreferenceStoreCapabilities = [
            .crashSafety, .emptyName, .controlCharactersInNames,
        ]

        let connection: SecretServiceConnection
        let service: String
        let options: SecretServiceOptions
        let observers = PreferenceStoreObservers()
        let changes = SecretServiceChanges()

        init(_ connection: SecretServiceConnection, service: String, options: SecretServiceOptions) {
            (self.connection, self.service, self.options) = (connection, service, options)
            let place =
                switch options.collection.kind {
                case .alias("default"): ""
                case .alias(let alias): " of the \(alias)"
                case .label(let label): " in '\(label)'"
                }
            // Migrations compare stores by their labels.
            label = "keyring '\(service)'\(place)"
        }

        func value(for name: String) throws -> PreferenceValue? {
            let (accounts, changes) = (ItemNames.accounts(of: name), changes)
            let secret = try read(name) { (items) throws(SecretServiceFailure) in
                for account in accounts {
                    guard let item = try items.item(of: account), let secret = try items.secret(of: item) else {
                        continue
                    }
                    changes.found(item.path, name)
                    return secret
                }
                return nil
            }
            return secret?.value
        }

        func names() throws -> Set<String> {
            let changes = changes
            let names = try read(nil) { (items) throws(SecretServiceFailure) in
                let found = try items.all()
                for item in found { changes.found(item.path, item.account) }
                return Set(found.map(\.account).filter { !ItemNames.accounts(of: $0).isEmpty })
            }
            return names ?? []
        }

        /// Returns the item's account if it exists. The secret is not read.
        func source(of name: String) throws -> PreferenceSource? {
            let accounts = ItemNames.accounts(of: name)
            let account = try read(name) { (items) throws(SecretServiceFailure) in
                for account in accounts where try items.item(of: account) != nil { return account }
                return nil
            }
            return account.map { PreferenceSource(store: label, name: $0) }
        }

        func update(
            by writer: PreferenceStoreObservation?,
            _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
        ) throws {
            do {
                // The user is not asked while other processes wait for the lock.
                try access(nil, isReading: false, until: TimeLimit(options.timeout)) { _ in }
                let names = try excludingOthers {
                    let batch = try makeBatch(value)
                    try write(batch.edits)
                    return Set(batch.lazy.map(\.name))
                }
                if !names.isEmpty { observers.notify(.names(names), except: writer) }
            } catch let error as PartialBatchError {
                // The writer assumes that a failed batch has changed nothing.
                observers.notify(.names(error.names))
                throw error.problem
            }
        }

        /// Permits prompts again that the user has dismissed.
        func reload() {
            connection.permitPrompts()
            observers.notify(.everything)
        }

        func observe(
            _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
        ) -> PreferenceStoreObservation {
            observers.add(observer) {
                connection.observe { [weak self] events in self?.handle(events) }
            }
        }
    }

    // MARK: - Access

    extension SecretServiceItems {
        private func read<Result: Sendable>(
            _ name: String?,
            _ body: @escaping @Sendable (SecretServiceItemCalls) throws(SecretServiceFailure) -> Result?
        ) throws(PreferenceProblem) -> Result? {
            try access(name, isReading: true, until: TimeLimit(options.timeout), body) ?? nil
        }

        /// Runs a body with the items of an unlocked collection. Asks the user to unlock it, if the options say so.
        ///
        /// - Parameters:
        ///   - name: The storage name; nil for all items.
        ///   - isReading: Whether the body only reads.
        ///   - createsCollection: Whether to create the collection if it is missing.
        ///   - limit: When to give up.
        ///   - body: Makes the calls.
        /// - Returns: The result; nil if there is no such collection.
        private func access<Result: Sendable>(
            _ name: String?,
            isReading: Bool,
            createsCollection: Bool = false,
            until limit: TimeLimit,
            _ body: @escaping @Sendable (SecretServiceItemCalls) throws(SecretServiceFailure) -> Result
        ) throws(PreferenceProblem) -> Result? {
            do throws(SecretServiceFailure) {
                let result = try unlocking(
                    asksAgain: !isReading,
                    createsCollection: createsCollection,
                    until: limit,
                    body
                )
                if changes.succeeded() { observers.notify(.everything) }
                return result
            } catch {
                changes.failed()
                throw PreferenceProblem(error, isReading: isReading, name: name, store: label, options)
            }
        }

        private func unlocking<Result: Sendable>(
            asksAgain: Bool,
            createsCollection: Bool,
            until limit: TimeLimit,
            _ body: @escaping @Sendable (SecretServiceItemCalls) throws(SecretServiceFailure) -> Result
        ) throws(SecretServiceFailure) -> Result? {
            let (service, options) = (service, options)
            var hasAsked = false
            while true {
                let access = try connection.perform(until: limit) {
                    (calls) throws(SecretServiceFailure) -> Access<Result> in
                    guard let collection = try calls.state(of: options.collection) else { return .missing }
                    if collection.isLocked { return .locked(collection.path) }
                    return .unlocked(try body(SecretServiceItemCalls(calls, collection, service, options)))
                }
                let prompt: SecretServicePrompts.Request
                switch access {
                case .unlocked(let result): return result
                case .missing where !createsCollection: return nil
                case .missing: prompt = .creation(options.collection)
                case .locked(let path): prompt = .unlocking(path)
                }
                guard options.unlocking == .prompt, !hasAsked else { throw prompt.refusal }
                try connection.ask(prompt, again: asksAgain, until: limit)
                hasAsked = true
            }
        }

        private enum Access<Result: Sendable>: Sendable {
            case missing
            case locked(_ collection: String)
            case unlocked(Result)
        }
    }

    // MARK: - Writing

    extension SecretServiceItems {
        /// Runs a body while no other store of this package, in this or another process, changes items of the service.
        private func excludingOthers<Result>(_ body: () throws -> Result) throws -> Result {
            let file = StoreFile(path: lockedPath)
            let lock: LockedStoreFile?
            do throws(SystemError) {
                // This may be an update within the closure of another one.
                let isHeld = try file.isLockedByThisThread()
                lock = isHeld ? nil : try file.lock(FileLockWait(timeout: options.timeout), isPrivate: true)
            } catch {
                if error.isLockTimeout { throw PreferenceProblem(busyFileOf: label, error, options.timeout) }
                throw PreferenceProblem(.storeUnwritable, store: label, error: error)
            }
            return try withExtendedLifetime(lock, body)
        }

        /// The path whose lock a store holds while it changes items: in the folder of the user's session, or, without one,
        /// of the user's caches.
        private var lockedPath: String {
            let environment = ProcessInfo.processInfo.environment
            let folders = ["XDG_RUNTIME_DIR", "XDG_CACHE_HOME"].compactMap { environment[$0] }.filter { $0.hasPrefix("/") }
            let folder = folders.first ?? NSHomeDirectory() + "/.cache"
            // A name of a file has at most 255 bytes. Two services that share a lock wait for each other.
            let name = service.utf8.map { byte in
                let scalar = Unicode.Scalar(byte)
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar))
                return isPlain ? String(scalar) : "%\(byte)"
            }
            return "\(folder)/swift-preferences/keyring-\(String(name.joined().prefix(200)))"
        }

        /// Applies a batch.
        ///
        /// - Throws: ``PreferenceProblem`` if nothing was changed; ``PartialBatchError`` otherwise.
        private func write(_ batch: [String: PreferenceEdit]) throws {
            if batch.isEmpty { return }
            let steps = try batch.sorted { $0.key < $1.key }.map { name, edit in
                SecretServiceStep(name: name, secret: try edit.value.map { try secret($0, for: name) })
            }
            // Removals come last, because undoing one requires a new item.
            let ordered = steps.filter { $0.secret != nil } + steps.filter { $0.secret == nil }
            let limit = TimeLimit(options.timeout + Self.timePerEdit * (steps.count - 1))
            let (label, options) = (label, options)
            let onlyRemoves = steps.allSatisfy { $0.secret == nil }
            let outcome = try access(nil, isReading: false, createsCollection: !onlyRemoves, until: limit) { items in
                Swift.Result {
                    var changes: [SecretServiceChanges.Entry] = []
                    func mapping<Value>(
                        _ step: SecretServiceStep,
                        _ body: () throws(SecretServiceFailure) -> Value
                    ) throws(PreferenceProblem) -> Value {
                        do throws(SecretServiceFailure) {
                            return try body()
                        } catch {
                            throw PreferenceProblem(error, isReading: false, name: step.name, store: label, options)
                        }
                    }
                    try performAll(ordered) { (step) throws(PreferenceProblem) in
                        try mapping(step) { () throws(SecretServiceFailure) in try items.inverse(of: step) }
                    } undo: { [undoing = items.forUndoing()] (step) throws(PreferenceProblem) in
                        try mapping(step) { () throws(SecretServiceFailure) in _ = try undoing.perform(step) }
                    } _: { (step) throws(PreferenceProblem) in
                        let deleted = try mapping(step) { () throws(SecretServiceFailure) in try items.perform(step) }
                        changes.append(SecretServiceChanges.Entry(step: step, deleted: deleted))
                    }
                    return changes
                }
            }
            // Without a collection, there is nothing to remove.
            guard let entries = try outcome?.get() else { return }
            if !observers.isEmpty { changes.wrote(entries) }
        }

        /// Returns the contents of the item of a value.
        ///
        /// - Throws: ``PreferenceProblem`` with `unsupportedValue` if an item cannot have the name or the value.
        private func secret(_ value: PreferenceValue, for name: String) throws -> SecretServiceSecret {
            let reason: String
            do {
                let secret = try SecretServiceSecret(value)
                guard let rejectionReason = ItemNames.rejectionReason(of: name, in: "keyring") else { return secret }
                reason = rejectionReason
            } catch {
                reason = String(describing: error)
            }
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: reason, isMessagePublic: true)
        }

        /// How much longer a batch waits for each further edit. GNOME Keyring writes all items of a collection each time.
        private static let timePerEdit: Duration = .milliseconds(200)
    }

    // MARK: - Events

    extension SecretServiceItems {
        /// Notifies observers of events.
        private func handle(_ events: Set<SecretServiceEvent>) {
            if events.contains(.disconnected), !events.contains(.connected) {
                let failure = SecretServiceFailure(.disconnected, "the connection has ended")
                return becomeUnreadable(because: failure)
            }
            // The call that has connected for the first time may ask the user, and reports its own failure.
            if events == [.connected], !changes.hasFailed { return }
            do throws(SecretServiceFailure) {
                let (service, options, changes) = (service, options, changes)
                let names = try connection.perform(until: TimeLimit(options.timeout)) {
                    (calls) throws(SecretServiceFailure) -> Set<String>? in
                    guard let collection = try calls.state(of: options.collection) else { return nil }
                    if collection.isLocked { throw SecretServiceFailure(.locked, "its collection is locked") }
                    let items = SecretServiceItemCalls(calls, collection, service, options)
                    return try changes.names(changedBy: events, items)
                }
                if changes.succeeded() || names == nil {
                    observers.notify(.everything)
                } else if let names, !names.isEmpty {
                    observers.notify(.names(names))
                }
            } catch {
                becomeUnreadable(because: error)
            }
        }

        private func becomeUnreadable(because failure: SecretServiceFailure) {
            guard changes.failed() else { return }
            let problem = PreferenceProblem(failure, isReading: true, name: nil, store: label, options)
            observers.notify(.unreadable(problem))
        }
    }
#endif
