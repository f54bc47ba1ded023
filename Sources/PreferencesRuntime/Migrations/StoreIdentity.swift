/// Tells stores apart: objects by which they are, others by their labels.
struct StoreIdentity: Hashable {
    private let object: ObjectIdentifier?
    private let label: String

    init(_ store: any PreferenceStore) {
        object = type(of: store) is AnyClass ? ObjectIdentifier(store as AnyObject) : nil
        label = object == nil ? store.label : ""
    }
}
