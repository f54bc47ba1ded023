#if !canImport(Security)
    import Foundation
    import PreferencesRuntime
    import PreferencesSystem

    /// An item of a store.
    struct SecretServiceItem: Sendable {
        let path: String
        let account: String
        let attributes: [String: String]
    }

    /// The change of one item.
    struct SecretServiceStep: ItemStep, Sendable {
        let name: String
        /// The account; nil for that of the item that holds the name, or for the name.
        var account: String?
        /// The new contents; nil to delete the items that hold the name.
        let secret: SecretServiceSecret?
        /// The label and attributes of the item if it must be created again; nil for those of the options.
        var properties: Properties?

        struct Properties: Sendable {
            let label: String
            let attributes: [String: String]
        }
    }

    /// The calls that a store makes for its items in one collection.
    struct SecretServiceItemCalls: Sendable {
        private let calls: SecretServiceCalls
        private let collection: SecretServiceCollectionState
        private let service: String
        private let options: SecretServiceOptions

        init(
            _ calls: SecretServiceCalls,
            _ collection: SecretServiceCollectionState,
            _ service: String,
            _ options: SecretServiceOptions
        ) {
            (self.calls, self.collection, self.service, self.options) = (calls, collection, service, options)
        }

        /// Whether the caller no longer waits for the calls.
        var isCancelled: Bool { calls.isCancelled }

        // MARK: - Reading

        /// Returns the item of an account; nil if there is none. Of several, as other programs may have stored, it is the
        /// last changed one.
        func item(of account: String) throws(SecretServiceFailure) -> SecretServiceItem? {
            try items(of: account).first
        }

        /// Returns the items of an account, the last changed one first.
        private func items(of account: String) throws(SecretServiceFailure) -> [SecretServiceItem] {
            let paths = try calls.items(with: ["service": service, "account": account], in: collection)
            var items: [(item: SecretServiceItem, time: UInt64)] = []
            for path in paths {
                guard let item = try item(at: path) else { continue }
                items.append((item, paths.count == 1 ? 0 : try calls.modificationTime(of: path)))
            }
            return items.sorted { ($0.time, $0.item.path) > ($1.time, $1.item.path) }.map(\.item)
        }

        /// Returns all items of the service.
        func all() throws(SecretServiceFailure) -> [SecretServiceItem] {
            var items: [SecretServiceItem] = []
            for path in try calls.items(with: ["service": service], in: collection) {
                if let item = try item(at: path) { items.append(item) }
            }
            return items
        }

        /// Returns the item of a path; nil if it does not exist, or is not one of the store.
        func item(at path: String) throws(SecretServiceFailure) -> SecretServiceItem? {
            guard contains(path) else { return nil }
            let attributes = try existing { () throws(SecretServiceFailure) in try calls.attributes(of: path) }
            guard let attributes, attributes["service"] == service, let account = attributes["account"] else {
                return nil
            }
            return SecretServiceItem(path: path, account: account, attributes: attributes)
        }

        /// Returns whether an item is in the collection.
        func contains(_ path: String) -> Bool { path.hasPrefix("\(collection.path)/") }

        /// Returns the contents of an item; nil if it was deleted meanwhile.
        func secret(of item: SecretServiceItem) throws(SecretServiceFailure) -> SecretServiceSecret? {
            let bytes = try existing { () throws(SecretServiceFailure) in try calls.secret(of: item.path) }
            return bytes.map { SecretServiceSecret($0, encoding: item.attributes[SecretServiceSecret.attribute]) }
        }

        private func existing<Result>(
            _ body: () throws(SecretServiceFailure) -> Result
        ) throws(SecretServiceFailure) -> Result? {
            do throws(SecretServiceFailure) {
                return try body()
            } catch {
                if error.kind == .missing { return nil }
                throw error
            }
        }

        // MARK: - Writing

        /// Performs the steps of a batch, or none.
        ///
        /// - Parameters:
        ///   - steps: The steps.
        ///   - problem: Returns the problem of the failure of a step of a name.
        ///   - note: Notes a step that was performed, and the paths of the items that it deleted.
        /// - Throws: ``PreferenceProblem`` if nothing was changed; ``PartialBatchError`` otherwise.
        func apply(
            _ steps: [SecretServiceStep],
            problem: (SecretServiceFailure, _ name: String) -> PreferenceProblem,
            noting note: (SecretServiceStep, _ deleted: [String]) -> Void
        ) throws {
            func mapping<Value>(
                _ step: SecretServiceStep,
                _ body: () throws(SecretServiceFailure) -> Value
            ) throws(PreferenceProblem) -> Value {
                do throws(SecretServiceFailure) { return try body() } catch { throw problem(error, step.name) }
            }
            // A batch is undone because its limit has passed, among other reasons. A service that hangs may yet perform the
            // step that failed, before those that undo it.
            let undoing = SecretServiceItemCalls(calls.withoutLimit(), collection, service, options)
            try performAll(steps, undoesFailedSteps: true) { (step) throws(PreferenceProblem) in
                try mapping(step) { () throws(SecretServiceFailure) in try inverse(of: step) }
            } undo: { (step) throws(PreferenceProblem) in
                try mapping(step) { () throws(SecretServiceFailure) in _ = try undoing.perform(step) }
            } _: { (step) throws(PreferenceProblem) in
                note(step, try mapping(step) { () throws(SecretServiceFailure) in try perform(step) })
            }
        }

        /// Returns the step that restores the item that a step changes.
        private func inverse(of step: SecretServiceStep) throws(SecretServiceFailure) -> SecretServiceStep {
            for account in ItemNames.accounts(of: step.name) {
                guard let item = try item(of: account), let secret = try secret(of: item) else { continue }
                return SecretServiceStep(
                    name: step.name,
                    account: account,
                    secret: secret,
                    properties: try properties(of: item)
                )
            }
            return SecretServiceStep(name: step.name, secret: nil)
        }

        /// Returns the label and attributes of an item; nil if it was deleted meanwhile.
        private func properties(
            of item: SecretServiceItem
        ) throws(SecretServiceFailure) -> SecretServiceStep.Properties? {
            let label = try existing { () throws(SecretServiceFailure) in try calls.label(of: item.path) }
            return label.map { SecretServiceStep.Properties(label: $0, attributes: item.attributes) }
        }

        /// Performs a step.
        ///
        /// - Returns: The paths of the items that were deleted.
        private func perform(_ step: SecretServiceStep) throws(SecretServiceFailure) -> [String] {
            var items: [SecretServiceItem] = []
            for account in ItemNames.accounts(of: step.name) { items += try self.items(of: account) }
            var kept: String?
            if let secret = step.secret {
                // A service replaces an item of the same encoding; one of another encoding is deleted after that.
                let old = items.first { $0.attributes[SecretServiceSecret.attribute] == secret.encoding }
                var properties = step.properties
                if let item = old ?? items.first { properties = try self.properties(of: item) }
                kept = try create(step.account ?? step.name, secret, properties)
            }
            // Only now, so that the name always has a value: the changed item is the last changed one.
            let superfluous = items.map(\.path).filter { $0 != kept }
            for path in superfluous { try calls.delete(path) }
            return superfluous
        }

        /// Creates an item, or replaces the one that has these attributes.
        ///
        /// - Parameter properties: Those of the old item, by which other programs may find it; nil for those of the options.
        private func create(
            _ account: String,
            _ secret: SecretServiceSecret,
            _ properties: SecretServiceStep.Properties?
        ) throws(SecretServiceFailure) -> String {
            let generic = ["xdg:schema": "org.freedesktop.Secret.Generic"].merging(options.attributes) { $1 }
            var attributes = properties?.attributes ?? generic.merging(["service": service, "account": account]) { $1 }
            attributes[SecretServiceSecret.attribute] = secret.encoding
            return try calls.createItem(
                label: properties?.label ?? options.label ?? "\(service): \(account)",
                attributes: attributes,
                secret: secret.bytes,
                in: collection
            )
        }
    }

    /// The contents of an item: text, with the attribute that says how a value is encoded as text.
    struct SecretServiceSecret: Hashable, Sendable {
        /// The name of the attribute.
        static let attribute = "encoding"

        let bytes: [UInt8]
        /// `json` or `base64`; nil for text.
        let encoding: String?

        /// Creates the contents of an item that was read.
        init(_ bytes: [UInt8], encoding: String?) {
            (self.bytes, self.encoding) = (bytes, encoding)
        }

        /// - Throws: A self-explanatory error if the value is nested too deeply.
        init(_ value: PreferenceValue) throws {
            switch value {
            // Services may end a text at NUL.
            case .string(let text) where !text.utf8.contains(0): self.init(Array(text.utf8), encoding: nil)
            case .data(let data): self.init(Array(data.base64EncodedString().utf8), encoding: "base64")
            default: self.init(Array(try value.jsonText().utf8), encoding: "json")
            }
        }

        /// The value. Contents that do not fit the attribute, because another program has changed them, are text, or data
        /// if they are not UTF-8.
        var value: PreferenceValue {
            guard let text = String(validating: bytes, as: UTF8.self) else { return .data(Data(bytes)) }
            switch encoding {
            case "json": return PreferenceValue(jsonText: text) ?? .string(text)
            case "base64": return Data(base64Encoded: text).map(PreferenceValue.data) ?? .string(text)
            default: return .string(text)
            }
        }
    }
#endif
