extension PeerCase {
    /// Those of GSettings, from the tests and the messages of its schema compiler.
    static let glib = [
        PeerCase("GLib", "a key without a default", "missing-default", "missing-default"),
        PeerCase("GLib", "a text default without quotes", "json-syntax", "json-unquoted-value"),
        PeerCase("GLib", "a list that is not closed", "json-syntax", "json-unclosed-array"),
        PeerCase("GLib", "a type that is none", "unknown-type", "unknown-type"),
        PeerCase("GLib", "a type that is spelt wrongly", "invalid-type", "invalid-type"),
        PeerCase("GLib", "a number too large for its type", "value-range", "default-range-of-integers"),
        PeerCase("GLib", "a range for a text", "constraint-type", "constraint-type-of-strings"),
        PeerCase(
            "GLib",
            "a range for a type without order",
            "constraint-type",
            "constraint-type-of-booleans",
            "constraint-type-of-structs"
        ),
        PeerCase("GLib", "a bound that is no number", "value-type", "value-type-of-ranges"),
        PeerCase("GLib", "a maximum below the minimum", "inverted-range", "inverted-range"),
        PeerCase("GLib", "a default below the range", "broken-constraint", "broken-constraint-below-the-minimum"),
        PeerCase("GLib", "a default above the range", "broken-constraint", "broken-constraint-above-the-maximum"),
        PeerCase(
            "GLib",
            "choices for a type that can have none",
            "constraint-type",
            "constraint-type-of-booleans",
            "constraint-type-of-data"
        ),
        PeerCase("GLib", "choices of another type than the key", "value-type", "value-type-of-choices"),
        PeerCase("GLib", "a choice without a value", "value-type", "value-type-of-choices"),
        PeerCase("GLib", "choices without any", "empty-choices", "empty-choices"),
        PeerCase("GLib", "a choice twice", "duplicate-element", "duplicate-element-of-choices"),
        PeerCase("GLib", "a default that is no choice", "broken-constraint", "broken-constraint-not-among-choices"),
        PeerCase(
            "GLib",
            "an element of a default that is no choice",
            "broken-constraint",
            "broken-constraint-not-among-choices"
        ),
        PeerCase(
            "GLib",
            "a default of another case than a choice",
            "broken-constraint",
            "broken-constraint-not-among-choices"
        ),
        PeerCase("GLib", "a key whose name has a space or a sign", "invalid-name", "invalid-name-of-key"),
        PeerCase("GLib", "a key whose name begins with a digit", "invalid-name", "invalid-name-of-key"),
        PeerCase("GLib", "a key without a name", "invalid-name", "invalid-name-of-key"),
        PeerCase("GLib", "a path that is none", "invalid-id", "invalid-id"),
        PeerCase("GLib", "an enum without values", "empty-enum", "empty-enum"),
        PeerCase("GLib", "an enum value that is no number", "wrong-json-type", "raw-values-that-are-no-integers"),
        PeerCase("GLib", "an enum's name twice", "duplicate-enum-case", "duplicate-enum-case"),
        PeerCase("GLib", "an enum's value twice", "duplicate-enum-case", "duplicate-enum-case-by-raw-value"),
        PeerCase("GLib", "an enum default that is no member", "unknown-enum-case", "unknown-enum-case"),
        PeerCase("GLib", "a default by another name than the member's own", "unknown-enum-case", "unknown-enum-case"),
        PeerCase("GLib", "an older name given twice", "duplicate-element", "duplicate-element-of-former-names"),
        PeerCase("GLib", "an older name of two", "former-name-clash", "former-name-clash-of-two-keys"),
        PeerCase("GLib", "an older name that is a present one", "former-name-clash", "former-name-clash"),
        PeerCase("GLib", "a type that is not declared", "unknown-type", "unknown-type-near-a-declared-one"),
        PeerCase("GLib", "neither type nor enum", "missing-field", "missing-type", "missing-enum"),
        PeerCase("GLib", "both type and enum", "type-kind", "type-kind"),
        PeerCase(
            "GLib",
            "an extension of what is missing",
            "missing-include",
            "missing-include",
            "missing-include-of-an-include"
        ),
        PeerCase("GLib", "an extension of itself", "include-cycle", "include-cycle"),
        PeerCase("GLib", "a key that shadows an inherited one", "accessor-clash", "include-with-a-key-twice"),
        PeerCase("GLib", "a key that shadows one of further up", "accessor-clash", "include-with-a-nested-key-twice"),
        PeerCase("GLib", "an override of another type", "value-type", "value-type-of-platform-defaults"),
        PeerCase(
            "GLib",
            "an override outside the range",
            "broken-constraint",
            "broken-constraint-of-platform-defaults"
        ),
        PeerCase("GLib", "an override twice", "duplicate-name", "duplicate-platform"),
        PeerCase("GLib", "a key twice", "duplicate-name", "duplicate-key"),
        PeerCase("GLib", "a group twice", "duplicate-name", "duplicate-namespace"),
        PeerCase(
            "GLib",
            "an element that is not known",
            "unknown-field",
            "unknown-field-in-file",
            "unknown-field-in-key"
        ),
        PeerCase("GLib", "an element in the wrong place", "unknown-field", "unknown-field-in-namespace"),
        PeerCase(
            "GLib",
            "text where an element belongs",
            "wrong-json-type",
            "wrong-type-in-namespace",
            "wrong-type-root"
        ),
    ]
}
