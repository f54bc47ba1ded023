extension PeerCase {
    /// Those of KConfigXT, from the messages of its parser and compiler.
    static let kconfig = [
        PeerCase("KConfigXT", "a file that does not parse", "json-syntax", "json-cut-off", "json-missing-comma"),
        PeerCase("KConfigXT", "a file with nothing in it", "json-syntax", "json-empty", "json-only-space"),
        PeerCase("KConfigXT", "an entry without a name", "invalid-name", "invalid-name-of-key"),
        PeerCase("KConfigXT", "an entry whose name has spaces", "invalid-name", "invalid-name-of-key"),
        PeerCase("KConfigXT", "an entry whose name is no identifier", "invalid-name", "invalid-name-of-key"),
        PeerCase("KConfigXT", "a name twice", "duplicate-name", "duplicate-key"),
        PeerCase("KConfigXT", "two entries that come to one accessor", "accessor-clash", "accessor-clash"),
        PeerCase("KConfigXT", "two entries that come to one stored key", "storage-name-clash", "storage-name-clash"),
        PeerCase("KConfigXT", "a type that is not supported", "unknown-type", "unknown-type"),
        PeerCase("KConfigXT", "a parameter without a type", "missing-field", "missing-type-in-struct"),
        PeerCase("KConfigXT", "a parameter of a type that cannot be one", "dictionary-key-type", "dictionary-key-type"),
        PeerCase("KConfigXT", "an enum without values", "empty-enum", "empty-enum"),
        PeerCase("KConfigXT", "a choice without a name", "invalid-name", "invalid-name-of-enum-case"),
        PeerCase("KConfigXT", "a choice whose name is no identifier", "invalid-name", "invalid-name-of-enum-case"),
        PeerCase("KConfigXT", "a default for a variant that is not known", "unknown-platform", "unknown-platform"),
        PeerCase("KConfigXT", "a bound that is no integer", "value-type", "value-type-of-ranges"),
        PeerCase("KConfigXT", "a group without a name", "invalid-name", "invalid-name-of-namespace"),
        PeerCase("KConfigXT", "a file without entries", "empty-namespace", "empty-file-with-fields"),
    ]
}
