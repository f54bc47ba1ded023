// Forms with a leading dot, where a store is expected: `Preferences(store: .ubiquitous)`.

#if canImport(Darwin)
    public import Foundation
    public import PreferencesRuntime

    extension PreferenceStore where Self == UbiquitousStore {
        /// The store in iCloud's key-value store.
        public static var ubiquitous: UbiquitousStore { UbiquitousStore() }
    }

    extension PreferenceStore where Self == KeyValueCodingStore {
        /// A store in the properties of an object: ``KeyValueCodingStore/init(_:)``.
        public static func keyValueCoding(_ object: NSObject) -> KeyValueCodingStore { KeyValueCodingStore(object) }
    }
#endif

#if canImport(CoreData)
    public import CoreData
    public import PreferencesRuntime

    extension PreferenceStore where Self == ManagedObjectStore {
        /// A store in the attributes of a Core Data object: ``ManagedObjectStore/init(_:in:)``.
        public static func managedObject(
            _ object: NSManagedObject,
            in context: NSManagedObjectContext
        ) -> ManagedObjectStore {
            ManagedObjectStore(object, in: context)
        }
    }
#endif
