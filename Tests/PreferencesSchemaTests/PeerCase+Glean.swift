extension PeerCase {
    /// Those of Glean, from the tests of its parser and its lints.
    static let glean = [
        PeerCase("Glean", "a category whose name is reserved", "reserved-name", "reserved-name"),
        PeerCase("Glean", "a storage name that is reserved", "reserved-storage-name", "reserved-storage-name"),
        PeerCase(
            "Glean",
            "a name that is not of the permitted letters",
            "invalid-name",
            "invalid-name-of-key",
            "invalid-name-of-namespace"
        ),
        PeerCase("Glean", "a metric twice in different files", "accessor-clash", "cross-file-accessor-clash"),
        PeerCase("Glean", "a category twice in one file", "duplicate-name", "duplicate-namespace"),
        PeerCase("Glean", "names that differ in case only", "similar-names", "similar-names"),
        PeerCase(
            "Glean",
            "names that differ in punctuation only",
            "similar-names",
            "similar-names-of-namespaces",
            "similar-names-of-ids"
        ),
        PeerCase("Glean", "a field that is not known", "unknown-field", "unknown-field-in-key"),
        PeerCase("Glean", "a file that is empty", "json-syntax", "json-empty"),
        PeerCase("Glean", "a file without the version of its format", "missing-field", "missing-format-version"),
        PeerCase("Glean", "a version of the format that is not known", "format-version", "format-version-2"),
        PeerCase("Glean", "a type that is not known", "unknown-type", "unknown-type"),
        PeerCase("Glean", "an object whose structure has no type", "missing-field", "missing-type-in-struct"),
        PeerCase(
            "Glean",
            "an object whose structure has a type that is none",
            "unknown-type",
            "unknown-type-in-struct"
        ),
        PeerCase("Glean", "an object without a structure", "empty-struct", "empty-struct"),
        PeerCase("Glean", "a structure of two kinds", "type-kind", "type-kind"),
        PeerCase("Glean", "a label twice", "duplicate-enum-case", "duplicate-enum-case"),
        PeerCase("Glean", "a list with one thing twice", "duplicate-element", "duplicate-element-of-imports"),
        PeerCase("Glean", "a text that says nothing", "empty-deprecation", "empty-deprecation"),
        PeerCase("Glean", "an ignored lint that there is none of", "unknown-rule", "unknown-rule"),
        PeerCase("Glean", "an ignored lint that finds nothing", "unused-ignore", "unused-ignore"),
        PeerCase(
            "Glean",
            "several faults, of which none hides another",
            "unknown-type",
            "many-faults",
            "many-faults-of-every-field"
        ),
    ]
}
