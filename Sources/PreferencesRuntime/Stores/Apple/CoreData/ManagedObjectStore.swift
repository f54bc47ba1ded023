#if canImport(CoreData)
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
            base = ManagedAttributes(SystemManagedMedium(object, in: context))
        }
    }
#endif
