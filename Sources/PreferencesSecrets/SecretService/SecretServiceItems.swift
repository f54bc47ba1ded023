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
        let changes = SecretServiceChangeFilter()

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
            try value(for: name, until: TimeLimit(options.timeout))
        }

        private func value(for name: String, until limit: TimeLimit) throws(PreferenceProblem) -> PreferenceValue? {
            let (accounts, changes) = (ItemNames.accounts(of: name), changes)
            let secret = try read(name, until: limit) { (items) throws(SecretServiceFailure) in
                for account in accounts {
                    guard let item = try items.item(of: account), let secret = try items.secret(of: item) else {
                        continue
                    }
                    changes.found(item.path, name, secret)
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
                let limit = TimeLimit(options.timeout)
                // The user is not asked while other processes wait for the lock.
                try access(nil, isReading: false, until: limit) { _ in }
                let names = try excludingOthers(until: limit) { lock in
                    let batch = try makeBatch { try value(for: $0, until: limit) }
                    try write(batch.edits, until: limit, holding: lock)
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
            until limit: TimeLimit? = nil,
            _ body: @escaping @Sendable (SecretServiceItemCalls) throws(SecretServiceFailure) -> Result?
        ) throws(PreferenceProblem) -> Result? {
            try access(name, isReading: true, until: limit ?? TimeLimit(options.timeout), body) ?? nil
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
                if changes.hasFailed { connection.reportRecovery() }
                return result
            } catch {
                // The failure of one item says nothing of the others.
                if !PreferenceProblem.isOfItem(error.kind) { changes.failed() }
                throw PreferenceProblem(error, isReading: isReading, name: name, store: label, options, limit)
            }
        }

        private func unlocking<Result: Sendable>(
            asksAgain: Bool,
            createsCollection: Bool,
            until limit: TimeLimit,
            _ body: @escaping @Sendable (SecretServiceItemCalls) throws(SecretServiceFailure) -> Result
        ) throws(SecretServiceFailure) -> Result? {
            let (service, options) = (service, options)
            let texts =
                [service, options.collection.label, options.label ?? ""] + options.attributes.flatMap { [$0, $1] }
            if texts.contains(where: { $0.utf8.contains(0) }) {
                throw SecretServiceFailure(
                    .other,
                    "its service, collection, label or attributes contain the character NUL"
                )
            }
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
                case .missing where options.collection == .session:
                    throw SecretServiceFailure(.missing, "the Secret Service has no collection for the session")
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
        private func excludingOthers<Result>(
            until limit: TimeLimit,
            _ body: (LockedStoreFile?) throws -> Result
        ) throws -> Result {
            let file = StoreFile(path: lockedPath)
            let lock: LockedStoreFile?
            do throws(SystemError) {
                // This may be an update within the closure of another one.
                let isHeld = try file.isLockedByThisThread()
                lock = isHeld ? nil : try file.lock(FileLockWait(timeout: limit.remaining), isPrivate: true)
            } catch {
                if error.isLockTimeout { throw PreferenceProblem(busyFileOf: label, error, options.timeout) }
                throw PreferenceProblem(.storeUnwritable, store: label, error: error)
            }
            return try withExtendedLifetime(lock) { try body(lock) }
        }

        /// The path whose lock a store holds while it changes items.
        private var lockedPath: String {
            // A name of a file has at most 255 bytes. Two services that share a lock wait for each other.
            let name = service.utf8.map { byte in
                let character = Character(Unicode.Scalar(byte))
                return character.isASCII && (character.isLetter || character.isNumber) ? "\(character)" : "%\(byte)"
            }
            return "\(connection.lockFolder)/keyring-\(name.joined().prefix(200))"
        }

        /// Applies a batch.
        ///
        /// - Parameters:
        ///   - batch: The edits.
        ///   - limit: When to give up. The steps that were performed are then undone, on the thread of the connection.
        ///   - lock: The lock that excludes others, held until then; nil for an update within another one.
        /// - Throws: ``PreferenceProblem`` if nothing was changed; ``PartialBatchError`` otherwise.
        private func write(
            _ batch: [String: PreferenceEdit],
            until limit: TimeLimit,
            holding lock: LockedStoreFile?
        ) throws {
            if batch.isEmpty { return }
            let steps = try batch.sorted { $0.key < $1.key }.map { name, edit in
                SecretServiceStep(name: name, secret: try edit.value.map { try secret($0, for: name) })
            }
            // Removals come last, because undoing one requires a new item.
            let ordered = steps.filter { $0.secret != nil } + steps.filter { $0.secret == nil }
            let limit = limit.extended(by: Self.timePerEdit * (steps.count - 1))
            let onlyRemoves = steps.allSatisfy { $0.secret == nil }
            let (label, options, observers, changes) = (label, options, observers, changes)
            do {
                let result = try access(nil, isReading: false, createsCollection: !onlyRemoves, until: limit) { items in
                    Swift.Result {
                        defer { withExtendedLifetime(lock) {} }
                        try items.apply(ordered) { failure, name in
                            PreferenceProblem(failure, isReading: false, name: name, store: label, options, limit)
                        } noting: { step, deleted in
                            if !observers.isEmpty { changes.wrote(step, deleting: deleted) }
                            // The caller has been told that the change failed, and is notified of it like others.
                            if items.isCancelled { changes.forget([step.name]) }
                        }
                    }
                }
                // Without a collection, there is nothing to remove.
                try result?.get()
            } catch {
                changes.forget(Set(batch.keys))
                throw error
            }
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
            if events.contains(.disconnected) { changes.forgetItems() }
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
                    let collection = try calls.state(of: options.collection)
                    let isOther = changes.moved(to: collection?.path)
                    if isOther { changes.forgetItems() }
                    guard let collection, !isOther else { return nil }
                    if collection.isLocked { throw SecretServiceFailure.locked }
                    let items = SecretServiceItemCalls(calls, collection, service, options)
                    return try changes.names(changedBy: events, items)
                }
                if changes.succeeded() || names == nil || events.contains(.disconnected) {
                    observers.notify(.everything)
                } else if let names, !names.isEmpty {
                    observers.notify(.names(names))
                }
            } catch {
                becomeUnreadable(because: error)
            }
        }

        private func becomeUnreadable(because failure: SecretServiceFailure) {
            guard changes.becameUnreadable() else { return }
            let problem = PreferenceProblem(failure, isReading: true, name: nil, store: label, options)
            observers.notify(.unreadable(problem))
        }
    }
#endif
