/// Tells stores apart: objects by which they are, others by their labels, and stores over others by those, too.
struct StoreIdentity: Hashable {
    private let objects: [ObjectIdentifier]
    private let labels: [String]

    init(_ store: any PreferenceStore) {
        let store = (store as? RedactingStore)?.base ?? store
        if type(of: store) is AnyClass {
            (objects, labels) = ([ObjectIdentifier(store as AnyObject)], [])
        } else if let adapter = store as? any PreferenceStoreAdapter {
            let base = StoreIdentity(adapter.base)
            (objects, labels) = (base.objects, base.labels + ["\(type(of: store)) \(store.label)"])
        } else {
            (objects, labels) = ([], [store.label])
        }
    }
}
