#if canImport(CoreData)
    public import PreferencesRuntime
    public import CoreData

    /// Preferences in the attributes of one Core Data object.
    ///
    /// ```swift
    /// let context = container.newBackgroundContext()
    /// let settings = try context.existingObject(with: settingsID)
    /// let preferences = Preferences(store: ManagedObjectStore(settings, in: context))
    /// ```
    ///
    /// A name is an attribute of the object's entity with a type that is a preference value: all but object identifiers,
    /// and of the transformable ones those of property-list classes. Any other name is not set, and setting it is refused,
    /// as is a value that its attribute does not hold, such as 40,000 for an integer of 16 bits, and resetting one that is
    /// not optional. A batch that the model's validation has something against is undone, and refused. An object that is
    /// deleted can neither be read nor written, which is reported.
    ///
    /// What is set is in the context; ``flush()`` saves it, with all else that is unsaved in that context. Where another
    /// context has saved the same object meanwhile, the context's merge policy decides: with the default one ``flush()``
    /// fails, with `NSMergePolicy.mergeByPropertyObjectTrump` it goes on. ``reload()`` takes what others have saved.
    ///
    /// - Important: Give it a context that nothing else waits for, such as one from `newBackgroundContext()`, and use the
    ///   preferences from outside that context's blocks: who is in one has its queue, and could wait for a thread that
    ///   waits for this queue. A context for the main thread has its store used there; from any other thread it throws,
    ///   and so a ``PersistentObject`` in it is not saved by itself when the program ends.
    ///
    /// Watchers hear of changes through the store, and of those that the context tells of.
    public struct ManagedObjectStore: PreferenceStoreAdapter {
        /// What the values are in.
        public let base: any PreferenceStore

        /// Always true.
        public var excludesWriters: Bool { true }

        /// Makes a store.
        ///
        /// - Parameters:
        ///   - object: What has the attributes. The store keeps it alive, as well as its context.
        ///   - context: The context that the object is in.
        public init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
            base = ManagedAttributes(SystemManagedBackend(object, in: context))
        }
    }
#endif

#if canImport(CoreData)
    import CoreData
    import Dispatch
    import Foundation

    /// A managed object.
    ///
    /// It is sent to other threads, which no managed object may be: ``ManagedAttributes`` uses it in ``onQueue(_:)`` alone,
    /// where Core Data allows that. What is asked from elsewhere was read when this was made.
    final class SystemManagedBackend: ManagedBackend, @unchecked Sendable {  // `object` and `context`: on their queue.
        let entityName: String
        private let object: NSManagedObject
        private let attributes: [String: ManagedAttribute]
        private let context: NSManagedObjectContext
        /// Where observers are told of changes in a context with a queue of its own.
        private let telling = DispatchQueue(label: "preferences.managed-object")

        init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
            self.object = object
            self.context = context
            // The model does not change once it is in use.
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

        var isOfAnotherThread: Bool { isForMainThread && !MainThread.isCurrent }

        func onQueue<Result>(_ body: () throws -> Result) throws -> Result {
            try withoutActuallyEscaping(body) { body in
                let work = QueueWork(body: body)
                return try context.performAndWait { try work.body() }
            }
        }

        /// What Core Data asks to be able to send to its queue, though `performAndWait` returns when that has run it: what the
        /// body has captured is used by one thread at a time.
        private struct QueueWork<Result>: @unchecked Sendable {  // Its caller waits for `body`, which runs once.
            let body: () throws -> Result
        }

        func afterwards(_ body: @escaping @Sendable () -> Void) {
            (isForMainThread ? DispatchQueue.main : telling).async(execute: body)
        }

        var isAlive: Bool { object.managedObjectContext === context && !object.isDeleted }

        func value(of name: String) -> Any? {
            object.value(forKey: name)
        }

        func setValue(_ value: Any?, of name: String) {
            object.setValue(value, forKey: name)
        }

        func validate() -> [ManagedFault] {
            do {
                if object.isInserted { try object.validateForInsert() } else { try object.validateForUpdate() }
                return []
            } catch {
                return Self.faults(of: error as NSError)
            }
        }

        func processChanges() {
            context.processPendingChanges()
        }

        func save() throws {
            if context.hasChanges { try context.save() }
        }

        func refresh() {
            // An object that was never saved has nothing to take.
            guard !object.objectID.isTemporaryID else { return }
            // What the coordinator remembers of the row is what this process has last seen of it.
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
                self?.note(notification.userInfo ?? [:], handler)
            }
            return PreferenceStoreObservation { observation.end() }
        }

        /// - Parameter facts: What a notification of the context says.
        private func note(_ facts: [AnyHashable: Any], _ handler: (_ names: Set<String>?) -> Void) {
            func hasObject(_ key: String) -> Bool {
                (facts[key] as? Set<NSManagedObject>)?.contains(object) == true
            }
            let isAnything =
                facts[NSInvalidatedAllObjectsKey] != nil || hasObject(NSRefreshedObjectsKey)
                || hasObject(NSInvalidatedObjectsKey) || hasObject(NSDeletedObjectsKey)
            if isAnything { return handler(nil) }
            guard hasObject(NSUpdatedObjectsKey) || hasObject(NSInsertedObjectsKey) else { return }
            let names = Set(object.changedValuesForCurrentEvent().keys)
            handler(names.isEmpty ? nil : names.intersection(attributes.keys))
        }

        private static func faults(of error: NSError) -> [ManagedFault] {
            if let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] { return parts.flatMap(faults) }
            let attribute = error.userInfo[NSValidationKeyErrorKey] as? String
            return [ManagedFault(attribute: attribute, message: error.localizedDescription)]
        }
    }
#endif

#if canImport(Darwin)
    import Foundation

    /// Has a handler told of notifications, on the threads that post them, until its end.
    final class NotificationObservation: @unchecked Sendable {  // The token is made and handed back here alone.
        private let token: any NSObjectProtocol

        init(of name: Notification.Name, from object: AnyObject, _ handler: @escaping @Sendable (Notification) -> Void)
        {
            token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: handler)
        }

        func end() {
            NotificationCenter.default.removeObserver(token)
        }
    }
#endif
