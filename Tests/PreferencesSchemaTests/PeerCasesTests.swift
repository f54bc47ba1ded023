import Foundation
import TestSupport
import Testing

/// The cases that other schema compilers refuse and that have a counterpart here, with the fixtures that are refused
/// for the same reason.
@Suite("Cases that other schema compilers refuse")
struct PeerCasesTests {
    @Test("Every case has a refused schema with the corresponding rule", arguments: PeerCase.all)
    func isRestated(_ peerCase: PeerCase) throws {
        #expect(!peerCase.fixtures.isEmpty)
        for name in peerCase.fixtures {
            let fixture = try #require(Fixtures.refused.first { $0.name == name }, "\(name) is gone")
            let expected = try String(contentsOf: fixture.expected, encoding: .utf8)
            #expect(expected.contains("[\(peerCase.rule)]"), "\(name) is refused for another reason")
        }
    }

    @Test("Every case is listed once")
    func areDistinct() {
        let names = PeerCase.all.map(\.description)
        #expect(Set(names).count == names.count)
    }
}

/// A case that another schema compiler refuses.
struct PeerCase: Sendable, CustomStringConvertible {
    var peer: String
    /// The case in the terms of this package.
    var words: String
    var rule: String
    var fixtures: [String]

    init(_ peer: String, _ words: String, _ rule: String, _ fixtures: String...) {
        self.peer = peer
        self.words = words
        self.rule = rule
        self.fixtures = fixtures
    }

    var description: String { "\(peer): \(words)" }

    static let all = glib + kconfig + nimbus + glean
}

extension PeerCase {
    /// The cases of GSettings, from the tests and the messages of its schema compiler.
    static let glib = [
        PeerCase("GLib", "a key without a default", "missing-default", "missing-default"),
        PeerCase("GLib", "a text default without quotes", "json-syntax", "json-unquoted-value"),
        PeerCase("GLib", "a list that is not closed", "json-syntax", "json-unclosed-array"),
        PeerCase("GLib", "an unknown type", "unknown-type", "unknown-type"),
        PeerCase("GLib", "a malformed type", "invalid-type", "invalid-type"),
        PeerCase("GLib", "a number too large for its type", "value-range", "default-range-of-integers"),
        PeerCase("GLib", "a range for a string", "constraint-type", "constraint-type-of-strings"),
        PeerCase(
            "GLib",
            "a range for a type without order",
            "constraint-type",
            "constraint-type-of-booleans",
            "constraint-type-of-structs"
        ),
        PeerCase("GLib", "a bound that is not a number", "value-type", "value-type-of-ranges"),
        PeerCase("GLib", "a maximum below the minimum", "inverted-range", "inverted-range"),
        PeerCase("GLib", "a default below the range", "broken-constraint", "broken-constraint-below-the-minimum"),
        PeerCase("GLib", "a default above the range", "broken-constraint", "broken-constraint-above-the-maximum"),
        PeerCase(
            "GLib",
            "choices for a type without choices",
            "constraint-type",
            "constraint-type-of-booleans",
            "constraint-type-of-data"
        ),
        PeerCase("GLib", "choices of another type than the key", "value-type", "value-type-of-choices"),
        PeerCase("GLib", "a choice without a value", "value-type", "value-type-of-choices"),
        PeerCase("GLib", "choices without any", "empty-choices", "empty-choices"),
        PeerCase("GLib", "a choice twice", "duplicate-element", "duplicate-element-of-choices"),
        PeerCase("GLib", "a default that is not a choice", "broken-constraint", "broken-constraint-not-among-choices"),
        PeerCase(
            "GLib",
            "an element of a default that is not a choice",
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
        PeerCase("GLib", "an invalid path", "invalid-id", "invalid-id"),
        PeerCase("GLib", "an enum without values", "empty-enum", "empty-enum"),
        PeerCase("GLib", "an enum value that is not a number", "wrong-json-type", "raw-values-that-are-no-integers"),
        PeerCase("GLib", "an enum's name twice", "duplicate-enum-case", "duplicate-enum-case"),
        PeerCase("GLib", "an enum's value twice", "duplicate-enum-case", "duplicate-enum-case-by-raw-value"),
        PeerCase("GLib", "an enum default that is not a member", "unknown-enum-case", "unknown-enum-case"),
        PeerCase("GLib", "a default by another name than the member's", "unknown-enum-case", "unknown-enum-case"),
        PeerCase("GLib", "an older name given twice", "duplicate-element", "duplicate-element-of-former-names"),
        PeerCase("GLib", "an older name of two keys", "former-name-clash", "former-name-clash-of-two-keys"),
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
            "an unknown element",
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

extension PeerCase {
    /// The cases of KConfigXT, from the messages of its parser and compiler.
    static let kconfig = [
        PeerCase("KConfigXT", "a file that does not parse", "json-syntax", "json-cut-off", "json-missing-comma"),
        PeerCase("KConfigXT", "a file with nothing in it", "json-syntax", "json-empty", "json-only-space"),
        PeerCase("KConfigXT", "an entry without a name", "invalid-name", "invalid-name-of-key"),
        PeerCase("KConfigXT", "an entry whose name has spaces", "invalid-name", "invalid-name-of-key"),
        PeerCase("KConfigXT", "an entry whose name is not an identifier", "invalid-name", "invalid-name-of-key"),
        PeerCase("KConfigXT", "a name twice", "duplicate-name", "duplicate-key"),
        PeerCase("KConfigXT", "two entries with the same accessor", "accessor-clash", "accessor-clash"),
        PeerCase("KConfigXT", "two entries with the same stored key", "storage-name-clash", "storage-name-clash"),
        PeerCase("KConfigXT", "a type that is not supported", "unknown-type", "unknown-type"),
        PeerCase("KConfigXT", "a parameter without a type", "missing-field", "missing-type-in-struct"),
        PeerCase("KConfigXT", "a parameter of a type that cannot be one", "dictionary-key-type", "dictionary-key-type"),
        PeerCase("KConfigXT", "an enum without values", "empty-enum", "empty-enum"),
        PeerCase("KConfigXT", "a choice without a name", "invalid-name", "invalid-name-of-enum-case"),
        PeerCase("KConfigXT", "a choice whose name is not an identifier", "invalid-name", "invalid-name-of-enum-case"),
        PeerCase("KConfigXT", "a default for an unknown variant", "unknown-platform", "unknown-platform"),
        PeerCase("KConfigXT", "a bound that is not an integer", "value-type", "value-type-of-ranges"),
        PeerCase("KConfigXT", "a group without a name", "invalid-name", "invalid-name-of-namespace"),
        PeerCase("KConfigXT", "a file without entries", "empty-namespace", "empty-file-with-fields"),
    ]
}

extension PeerCase {
    /// The cases of Nimbus's feature manifests, from the tests and the messages of its parser.
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
            "a dictionary whose keys are not strings",
            "dictionary-key-type",
            "dictionary-key-type",
            "dictionary-key-type-in-struct"
        ),
        PeerCase("Nimbus FML", "an enum that is not declared", "unknown-type", "unknown-type-near-a-declared-one"),
        PeerCase("Nimbus FML", "an object that is not declared", "unknown-type", "unknown-type"),
        PeerCase("Nimbus FML", "a list of a type that is not declared", "unknown-type", "unknown-type"),
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
        PeerCase("Nimbus FML", "a default that is not a variant", "unknown-enum-case", "unknown-enum-case"),
        PeerCase(
            "Nimbus FML",
            "an object with an unknown field",
            "unknown-struct-field",
            "unknown-struct-field"
        ),
        PeerCase(
            "Nimbus FML",
            "an object without a required field",
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
        PeerCase("Nimbus FML", "an unknown channel", "unknown-platform", "unknown-platform"),
        PeerCase(
            "Nimbus FML",
            "an unknown field",
            "unknown-field",
            "unknown-field-in-key",
            "unknown-field-in-struct"
        ),
        PeerCase("Nimbus FML", "two variables in one preference", "storage-name-clash", "storage-name-clash"),
        PeerCase("Nimbus FML", "a preference that must not be used", "reserved-storage-name", "reserved-storage-name"),
        PeerCase("Nimbus FML", "an unknown format version", "format-version", "format-version-2"),
    ]
}

extension PeerCase {
    /// The cases of Glean, from the tests of its parser and its lints.
    static let glean = [
        PeerCase("Glean", "a category whose name is reserved", "reserved-name", "reserved-name"),
        PeerCase("Glean", "a storage name that is reserved", "reserved-storage-name", "reserved-storage-name"),
        PeerCase(
            "Glean",
            "a name with characters that are not permitted",
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
        PeerCase("Glean", "an unknown field", "unknown-field", "unknown-field-in-key"),
        PeerCase("Glean", "a file that is empty", "json-syntax", "json-empty"),
        PeerCase("Glean", "a file without the version of its format", "missing-field", "missing-format-version"),
        PeerCase("Glean", "an unknown format version", "format-version", "format-version-2"),
        PeerCase("Glean", "an unknown type", "unknown-type", "unknown-type"),
        PeerCase("Glean", "an object whose structure has no type", "missing-field", "missing-type-in-struct"),
        PeerCase(
            "Glean",
            "an object whose structure has an unknown type",
            "unknown-type",
            "unknown-type-in-struct"
        ),
        PeerCase("Glean", "an object without a structure", "empty-struct", "empty-struct"),
        PeerCase("Glean", "a structure of two kinds", "type-kind", "type-kind"),
        PeerCase("Glean", "a label twice", "duplicate-enum-case", "duplicate-enum-case"),
        PeerCase("Glean", "a list with one thing twice", "duplicate-element", "duplicate-element-of-imports"),
        PeerCase("Glean", "an empty text", "empty-deprecation", "empty-deprecation"),
        PeerCase("Glean", "an ignored lint that does not exist", "unknown-rule", "unknown-rule"),
        PeerCase("Glean", "an ignored lint that finds nothing", "unused-ignore", "unused-ignore"),
        PeerCase(
            "Glean",
            "several faults, all of which are reported",
            "unknown-type",
            "many-faults",
            "many-faults-of-every-field"
        ),
    ]
}
