#if !canImport(Security)
    import Foundation

    /// The calls of the Secret Service that stores make, as the [specification](
    /// https://specifications.freedesktop.org/secret-service-spec/latest/) describes them.
    ///
    /// Used on the thread of the connection. Only the waits for the user, ``unlock(_:)`` and ``create(_:)`` of
    /// ``withoutLimit()`` and `show`, have a thread of their own.
    ///
    /// Unchecked: the one property that changes, ``hasAnswered``, is used by the thread that makes the calls alone, and the
    /// objects of GLib and libsecret are thread-safe.
    final class SecretServiceCalls: @unchecked Sendable {
        private let service: SecretService
        private let cancellation: SecretServiceCancellation
        /// Whether a call has been answered.
        private(set) var hasAnswered = false

        private var library: Libsecret { service.library }
        private var cancellable: OpaquePointer? { cancellation.pointer(library) }

        init(service: SecretService, cancellation: SecretServiceCancellation) {
            (self.service, self.cancellation) = (service, cancellation)
        }

        /// Whether the caller no longer waits for the calls.
        var isCancelled: Bool { cancellation.isCancelled }

        /// The same calls without a limit, such as those that wait for the user.
        func withoutLimit() -> SecretServiceCalls {
            SecretServiceCalls(service: service, cancellation: SecretServiceCancellation())
        }
    }

    // MARK: - Collections

    /// A collection of items, such as the login keyring.
    struct SecretServiceCollectionState: Hashable, Sendable {
        let path: String
        let isLocked: Bool
    }

    extension SecretServiceCalls {
        /// Returns the state of a collection; nil if it does not exist.
        func state(
            of collection: SecretServiceCollection
        ) throws(SecretServiceFailure) -> SecretServiceCollectionState? {
            guard let path = try path(of: collection) else { return nil }
            let isLocked = try property("Locked", of: "Collection", at: path, "b") { library.boolean($0) != 0 }
            return SecretServiceCollectionState(path: path, isLocked: isLocked)
        }

        private func path(of collection: SecretServiceCollection) throws(SecretServiceFailure) -> String? {
            switch collection.kind {
            case .alias(let alias):
                let path = try call(
                    "ReadAlias",
                    of: "Service",
                    at: SecretService.path,
                    [library.makeString(alias)],
                    "(o)"
                ) {
                    library.text(at: 0, of: $0)
                }
                return path == "/" ? nil : path
            case .label(let label):
                let paths = try property("Collections", of: "Service", at: SecretService.path, "ao") {
                    library.texts(of: $0)
                }
                for path in paths {
                    do throws(SecretServiceFailure) {
                        let found = try property("Label", of: "Collection", at: path, "s") { library.text(of: $0) }
                        if found == label { return path }
                    } catch {
                        // It was deleted meanwhile.
                        if error.kind != .missing { throw error }
                    }
                }
                return nil
            }
        }

        /// Creates a collection, for which the service asks the user for a password.
        ///
        /// - Throws: ``SecretServiceFailure``, of the kind `dismissed` if the user does not give one.
        func create(_ collection: SecretServiceCollection) throws(SecretServiceFailure) {
            let properties = ["org.freedesktop.Secret.Collection.Label": library.makeString(collection.label)]
            let alias = if case .alias(let alias) = collection.kind { alias } else { "" }
            let parameters = [library.dictionary(of: properties), library.makeString(alias)]
            let prompt = try call("CreateCollection", of: "Service", at: SecretService.path, parameters, "(oo)") {
                library.text(at: 1, of: $0)
            }
            guard let prompt, prompt != "/" else { return }
            // GNOME Keyring returns no path if the user dismisses the prompt.
            if try show(prompt) ?? "/" == "/" { throw SecretServiceFailure.dismissed }
        }

        /// Unlocks a collection, for which the service asks the user for its password.
        ///
        /// - Throws: ``SecretServiceFailure``, of the kind `dismissed` if the user does not give it.
        func unlock(_ collection: String) throws(SecretServiceFailure) {
            var unlocked: Libsecret.Texts?
            var error: UnsafeMutableRawPointer?
            let count = collection.withCString { path in
                var paths: [Libsecret.Text?] = [path, nil]
                return library.unlock(service.proxy, &paths, cancellable, &unlocked, &error)
            }
            if count < 0 || error != nil { throw SecretServiceFailure(error, library) }
            library.freeTexts(unlocked)
            if count == 0 { throw SecretServiceFailure.dismissed }
        }

        /// Shows the prompt of a change of an item, such as a confirmation, and waits until the calls are cancelled. The
        /// prompt stays: dismissing an open one crashes GNOME Keyring (42.1), and another service may never answer that.
        ///
        /// - Returns: The path of what was created; nil if nothing was.
        /// - Throws: ``SecretServiceFailure``, of the kinds `dismissed` and `unanswered` among others.
        private func answer(_ prompt: String?) throws(SecretServiceFailure) -> String? {
            guard let prompt, prompt != "/" else { return nil }
            let call = PendingCall<String?>()
            Thread {
                call.end(with: Result { () throws(SecretServiceFailure) in try self.show(prompt) })
            }.start()
            while true {
                if let result = call.outcome(until: .now() + .milliseconds(50)) { return try result.get() }
                if isCancelled { throw SecretServiceFailure.unanswered }
            }
        }

        /// Shows a prompt, and waits until the user has answered it.
        private func show(_ prompt: String) throws(SecretServiceFailure) -> String? {
            var error: UnsafeMutableRawPointer?
            guard let result = library.prompt(service.proxy, prompt, nil, nil, &error) else {
                guard error == nil else { throw SecretServiceFailure(error, library) }
                throw SecretServiceFailure.dismissed
            }
            defer { library.releaseVariant(result) }
            return library.text(of: result)
        }
    }

    // MARK: - Items

    extension SecretServiceCalls {
        /// Returns the paths of the items of a collection that have the given attributes, and possibly others.
        func items(
            with attributes: [String: String],
            in collection: SecretServiceCollectionState
        ) throws(SecretServiceFailure) -> [String] {
            try call("SearchItems", of: "Collection", at: collection.path, [library.dictionary(attributes)], "(ao)") {
                answer in
                library.withChild(0, of: answer) { library.texts(of: $0) } ?? []
            }
        }

        func attributes(of item: String) throws(SecretServiceFailure) -> [String: String] {
            try property("Attributes", of: "Item", at: item, "a{ss}") { variant in
                var attributes: [String: String] = [:]
                library.forEachChild(of: variant) { entry in
                    if let name = library.text(at: 0, of: entry) { attributes[name] = library.text(at: 1, of: entry) }
                }
                return attributes
            }
        }

        /// Returns when an item was last changed, in seconds since 1970.
        func modificationTime(of item: String) throws(SecretServiceFailure) -> UInt64 {
            try property("Modified", of: "Item", at: item, "t") { library.unsignedInt($0) }
        }

        /// Returns the contents of an item.
        ///
        /// libsecret's function for this is not used, since it leaks a copy of the encrypted contents (0.20.5).
        func secret(of item: String) throws(SecretServiceFailure) -> [UInt8] {
            guard let session = library.pathOfSession(service.proxy) else {
                throw SecretServiceFailure(.other, "libsecret has no session")
            }
            let bytes = try call("GetSecret", of: "Item", at: item, [library.makeObjectPath(session)], "((oayays))") {
                answer in
                library.withChild(0, of: answer) { library.secretBytes(decoding: $0, service.proxy) } ?? nil
            }
            guard let bytes else { throw SecretServiceFailure(.other, "the secret cannot be decrypted") }
            return bytes
        }

        func label(of item: String) throws(SecretServiceFailure) -> String {
            try property("Label", of: "Item", at: item, "s") { library.text(of: $0) ?? "" }
        }

        /// Creates an item, or replaces one with the same attributes: GNOME Keyring also one that has others besides.
        ///
        /// The method `SetSecret` of items is not used, since GNOME Keyring sends no signal of it.
        ///
        /// - Returns: The path of the item.
        func createItem(
            label: String,
            attributes: [String: String],
            secret bytes: [UInt8],
            in collection: SecretServiceCollectionState
        ) throws(SecretServiceFailure) -> String {
            let properties = [
                "org.freedesktop.Secret.Item.Label": library.makeString(label),
                "org.freedesktop.Secret.Item.Attributes": library.dictionary(attributes),
            ]
            // The type is the one that other programs expect.
            let secret = library.makeSecret(bytes, bytes.count, "text/plain")
            defer { library.releaseSecret(secret) }
            guard let encoded = library.encodeSecret(service.proxy, secret) else {
                throw SecretServiceFailure(.other, "the secret cannot be encrypted")
            }
            let parameters = [library.dictionary(of: properties), encoded, library.makeBoolean(1)]
            let (path, prompt) = try call("CreateItem", of: "Collection", at: collection.path, parameters, "(oo)") {
                (library.text(at: 0, of: $0), library.text(at: 1, of: $0))
            }
            let created = path == "/" ? try answer(prompt) : path
            // Without the path, the item could not be distinguished from those that it replaces.
            guard let created, created != "/" else { throw SecretServiceFailure.unexpectedAnswer }
            return created
        }

        /// Deletes an item. Does nothing if there is none.
        func delete(_ item: String) throws(SecretServiceFailure) {
            do throws(SecretServiceFailure) {
                let prompt = try call("Delete", of: "Item", at: item, [], "(o)") { library.text(at: 0, of: $0) }
                _ = try answer(prompt)
            } catch {
                if error.kind != .missing { throw error }
            }
        }
    }

    // MARK: - Calling

    extension SecretServiceCalls {
        /// - Parameter type: The type of the property, as the bus writes it.
        private func property<Result>(
            _ name: String,
            of interface: String,
            at path: String,
            _ type: String,
            _ read: (OpaquePointer?) -> Result
        ) throws(SecretServiceFailure) -> Result {
            let parameters = [
                library.makeString("org.freedesktop.Secret.\(interface)"), library.makeString(name),
            ]
            let result = try call("Get", "org.freedesktop.DBus.Properties", at: path, parameters, "(v)") { answer in
                library.withChild(0, of: answer) { variant -> Result? in
                    let contents = library.variantContents(variant)
                    defer { library.releaseVariant(contents) }
                    let found = library.variantType(contents).map { String(cString: $0) }
                    return found == type ? read(contents) : nil
                } ?? nil
            }
            guard let result else { throw SecretServiceFailure.unexpectedAnswer }
            return result
        }

        /// Calls a method of an interface of the Secret Service.
        private func call<Result>(
            _ method: String,
            of interface: String,
            at path: String,
            _ parameters: [OpaquePointer?],
            _ answerType: String,
            _ read: (OpaquePointer) -> Result
        ) throws(SecretServiceFailure) -> Result {
            try call(method, "org.freedesktop.Secret.\(interface)", at: path, parameters, answerType, read)
        }

        private func call<Result>(
            _ method: String,
            _ interface: String,
            at path: String,
            _ parameters: [OpaquePointer?],
            _ answerType: String,
            _ read: (OpaquePointer) -> Result
        ) throws(SecretServiceFailure) -> Result {
            let method = (name: method, interface: interface, path: path, owner: service.owner)
            let result = try service.bus.call(method, parameters, answerType, cancellation, read)
            hasAnswered = true
            return result
        }
    }
#endif
