#if canImport(CoreData)
    public import CoreData
    import Dispatch
    import Foundation
    public import PreferencesRuntime

    /// A store in the attributes of a Core Data object.
    ///
    /// ```swift
    /// let context = container.newBackgroundContext()
    /// let settings = try context.existingObject(with: settingsID)
    /// let preferences = Preferences(store: ManagedObjectStore(settings, in: context))
    /// ```
    ///
    /// A name is that of an attribute of the object's entity with a supported type: all types except object
    /// identifiers, and transformable attributes of other classes than those of property lists. Any other name is not
    /// set. Setting it is refused, as is a value that the attribute cannot hold, such as 40,000 for a 16-bit integer,
    /// and resetting an attribute that is not optional. A batch that fails the model's validation is undone and
    /// refused. Reading or writing a deleted object throws an error.
    ///
    /// Changes are made in the context; ``flush()`` saves the whole context. If another context has saved the same
    /// object meanwhile, the context's merge policy decides: with the default policy ``flush()`` fails, and with
    /// `NSMergePolicy.mergeByPropertyObjectTrump` it succeeds. ``reload()`` reads the values that other contexts have
    /// saved.
    ///
    /// - Important: Use a context that no other code waits for, such as one from `newBackgroundContext()`, and use the
    ///   preferences outside that context's blocks: a block occupies the queue, and could wait for a thread that waits
    ///   for the queue. A store of a context for the main thread must be used on the main thread, and throws an error
    ///   on any other thread. Therefore a `PersistentObject` in it is not saved automatically when the program ends.
    ///
    /// Watchers observe changes through the store, and those that the context reports.
    public struct ManagedObjectStore: PreferenceStoreAdapter {
        /// The store of the values.
        public let base: any PreferenceStore

        /// Creates a store.
        ///
        /// - Parameters:
        ///   - object: The object that has the attributes. The store retains it and its context.
        ///   - context: The context of the object.
        public init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
            base = ManagedAttributes(SystemManagedBackend(object, in: context))
        }
    }

    /// A managed object.
    ///
    /// The conformance to `Sendable` is unchecked because managed objects and contexts are not `Sendable`.
    /// ``ManagedAttributes`` uses them only in ``onQueue(_:)``, where Core Data permits it on any thread. Properties
    /// for use elsewhere are read when this is created.
    final class SystemManagedBackend: ManagedBackend, @unchecked Sendable {  // Used on the context's queue.
        let entityName: String
        private let object: NSManagedObject
        private let attributes: [String: ManagedAttribute]
        private let context: NSManagedObjectContext
        /// The queue of later closures for a context with a private queue.
        private let laterQueue = DispatchQueue(label: "preferences.managed-object")

        init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
            self.object = object
            self.context = context
            // A model that is in use does not change.
            let entity = object.objectID.entity
            entityName = entity.name ?? String(describing: type(of: object))
            attributes = entity.attributesByName.mapValues { attribute in
                ManagedAttribute(
                    typeNumber: attribute.attributeType.rawValue,
                    className: attribute.attributeValueClassName,
                    isOptional: attribute.isOptional,
                    isDerived: attribute is NSDerivedAttributeDescription
                )
            }
        }

        var names: Set<String> { Set(attributes.keys) }

        func attribute(named name: String) -> ManagedAttribute? {
            attributes[name]
        }

        private var isForMainThread: Bool { context.concurrencyType == .mainQueueConcurrencyType }

        var isOnWrongThread: Bool { isForMainThread && !Thread.isMainThread }

        func onQueue<Result>(_ body: () throws -> Result) throws -> Result {
            try withoutActuallyEscaping(body) { body in
                // Core Data requires a `Sendable` closure. This one captures values of the caller, who waits until it
                // has run.
                nonisolated(unsafe) let body = body
                return try context.performAndWait { try body() }
            }
        }

        func performLater(_ body: @escaping @Sendable () -> Void) {
            (isForMainThread ? DispatchQueue.main : laterQueue).async(execute: body)
        }

        var isAlive: Bool { object.managedObjectContext === context && !object.isDeleted }

        func value(of name: String) -> Any? {
            object.value(forKey: name)
        }

        func setValue(_ value: Any?, of name: String) {
            object.setValue(value, forKey: name)
        }

        func validate() -> [ManagedValidationError] {
            do {
                if object.isInserted { try object.validateForInsert() } else { try object.validateForUpdate() }
                return []
            } catch {
                return Self.validationErrors(of: error as NSError)
            }
        }

        func processChanges() {
            context.processPendingChanges()
        }

        func save() throws {
            if context.hasChanges { try context.save() }
        }

        func refresh() {
            // There are no saved values of an object that was never saved.
            guard !object.objectID.isTemporaryID else { return }
            // The coordinator caches the row as this process has last read it.
            let interval = context.stalenessInterval
            context.stalenessInterval = 0
            context.refresh(object, mergeChanges: true)
            context.stalenessInterval = interval
        }

        func observe(
            _ handler: @escaping @Sendable (_ names: Set<String>?) -> Void
        ) -> PreferenceStoreObservation {
            let observation = NotificationObservation(
                of: NSManagedObjectContext.didChangeObjectsNotification,
                from: context
            ) { [weak self] notification in
                self?.receive(notification.userInfo ?? [:], handler)
            }
            return PreferenceStoreObservation { observation.end() }
        }

        /// Calls a handler with the attributes that have changed according to a notification of the context.
        private func receive(_ userInfo: [AnyHashable: Any], _ handler: (_ names: Set<String>?) -> Void) {
            func hasObject(_ key: String) -> Bool {
                (userInfo[key] as? Set<NSManagedObject>)?.contains(object) == true
            }
            let isAnything =
                userInfo[NSInvalidatedAllObjectsKey] != nil || hasObject(NSRefreshedObjectsKey)
                || hasObject(NSInvalidatedObjectsKey) || hasObject(NSDeletedObjectsKey)
            if isAnything { return handler(nil) }
            guard hasObject(NSUpdatedObjectsKey) || hasObject(NSInsertedObjectsKey) else { return }
            let names = Set(object.changedValuesForCurrentEvent().keys)
            handler(names.isEmpty ? nil : names.intersection(attributes.keys))
        }

        private static func validationErrors(of error: NSError) -> [ManagedValidationError] {
            if let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] { return parts.flatMap(validationErrors) }
            let attribute = error.userInfo[NSValidationKeyErrorKey] as? String
            return [ManagedValidationError(attribute: attribute, message: error.localizedDescription)]
        }
    }
#endif

#if canImport(Darwin)
    import Foundation

    /// Calls a handler for notifications, on the threads that post them, until ``end()``.
    final class NotificationObservation: Sendable {
        // Foundation does not declare the token `Sendable`. It is only passed back to the notification center, which is
        // thread-safe.
        nonisolated(unsafe) private let token: any NSObjectProtocol

        init(of name: Notification.Name, from object: AnyObject, _ handler: @escaping @Sendable (Notification) -> Void)
        {
            token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: handler)
        }

        func end() {
            NotificationCenter.default.removeObserver(token)
        }
    }
#endif
