import PreferencesSchema

extension Rule {
    /// The ids of the other rules that find something in the bad example; nil where there are none.
    var alsoFound: String? {
        entry.alsoFound.isEmpty ? nil : entry.alsoFound.map(\.rawValue).joined(separator: ", ")
    }
}
