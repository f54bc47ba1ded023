/// What becomes of one name.
struct UbiquitousEdit {
    let name: String
    /// A property-list object; nil where the name is to be removed.
    let object: Any?
}
