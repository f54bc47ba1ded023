/// Why a managed object cannot be saved as it is.
package struct ManagedFault: Hashable {
    /// The attribute; nil where it is another rule of the model.
    let attribute: String?
    /// In a sentence without a full stop.
    let message: String

    package init(attribute: String?, message: String) {
        self.attribute = attribute
        self.message = message
    }
}
