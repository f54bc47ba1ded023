extension PeerCase {
    /// Those of Nimbus's feature manifests, from the tests and the messages of its parser.
    static let nimbus = [
        PeerCase(
            "Nimbus FML",
            "an optional of an optional",
            "nested-optional",
            "nested-optional",
            "nested-optional-in-struct"
        ),
        PeerCase(
            "Nimbus FML",
            "a dictionary whose keys are no strings",
            "dictionary-key-type",
            "dictionary-key-type",
            "dictionary-key-type-in-struct"
        ),
        PeerCase("Nimbus FML", "an enum that is not declared", "unknown-type", "unknown-type-near-a-declared-one"),
        PeerCase("Nimbus FML", "an object that is not declared", "unknown-type", "unknown-type"),
        PeerCase("Nimbus FML", "a list of what is not declared", "unknown-type", "unknown-type"),
        PeerCase(
            "Nimbus FML",
            "a field of a type that is not declared",
            "unknown-type",
            "unknown-type-in-struct",
            "unknown-type-in-every-field"
        ),
        PeerCase("Nimbus FML", "two definitions of one name in a file", "duplicate-name", "duplicate-type"),
        PeerCase(
            "Nimbus FML",
            "two definitions of one name in two files",
            "type-name-clash",
            "include-with-a-type-twice"
        ),
        PeerCase(
            "Nimbus FML",
            "a feature redefined by what is included",
            "accessor-clash",
            "include-with-a-nested-key-twice"
        ),
        PeerCase("Nimbus FML", "a feature described in two ways", "include-conflict", "include-conflict"),
        PeerCase(
            "Nimbus FML",
            "a default of another type",
            "value-type",
            "default-type",
            "default-type-of-every-scalar"
        ),
        PeerCase("Nimbus FML", "an element of another type", "value-type", "default-type-of-elements"),
        PeerCase("Nimbus FML", "a default that is no variant", "unknown-enum-case", "unknown-enum-case"),
        PeerCase(
            "Nimbus FML",
            "an object with a field that it has not",
            "unknown-struct-field",
            "unknown-struct-field"
        ),
        PeerCase(
            "Nimbus FML",
            "an object without a field that it needs",
            "missing-struct-field",
            "missing-struct-field"
        ),
        PeerCase(
            "Nimbus FML",
            "a field of another type",
            "value-type",
            "value-type-of-struct",
            "value-type-of-field-default"
        ),
        PeerCase("Nimbus FML", "an included file that is missing", "missing-include", "missing-include"),
        PeerCase(
            "Nimbus FML",
            "files that include each other",
            "include-cycle",
            "include-cycle-of-two",
            "include-cycle-of-three"
        ),
        PeerCase("Nimbus FML", "a channel that is not known", "unknown-platform", "unknown-platform"),
        PeerCase(
            "Nimbus FML",
            "a field that is not known",
            "unknown-field",
            "unknown-field-in-key",
            "unknown-field-in-struct"
        ),
        PeerCase("Nimbus FML", "two variables in one preference", "storage-name-clash", "storage-name-clash"),
        PeerCase("Nimbus FML", "a preference that must not be used", "reserved-storage-name", "reserved-storage-name"),
        PeerCase("Nimbus FML", "a version of the format that is not known", "format-version", "format-version-2"),
    ]
}
