/// Everything that can be found wrong with a schema. The raw value is the stable id that every diagnostic ends with.
package enum Rule: String, CaseIterable, Hashable, Sendable {
    // The text.
    case jsonSyntax = "json-syntax"
    case jsonEncoding = "json-encoding"
    case jsonNesting = "json-nesting"
    case duplicateName = "duplicate-name"

    // The fields.
    case wrongJSONType = "wrong-json-type"
    case unknownField = "unknown-field"
    case missingField = "missing-field"
    case formatVersion = "format-version"
    case unknownAccess = "unknown-access"

    // Names.
    case invalidName = "invalid-name"
    case invalidFileName = "invalid-file-name"
    case invalidID = "invalid-id"
    case reservedName = "reserved-name"
    case reservedTypeName = "reserved-type-name"
    case accessorClash = "accessor-clash"
    case typeNameClash = "type-name-clash"
    case storageNameClash = "storage-name-clash"

    // Types.
    case invalidType = "invalid-type"
    case unknownType = "unknown-type"
    case nestedOptional = "nested-optional"
    case dictionaryKeyType = "dictionary-key-type"
    case emptyEnum = "empty-enum"
    case duplicateEnumCase = "duplicate-enum-case"
    case mixedRawValues = "mixed-raw-values"

    // Defaults.
    case missingDefault = "missing-default"
    case defaultType = "default-type"
    case defaultRange = "default-range"
    case defaultFormat = "default-format"
    case unknownEnumCase = "unknown-enum-case"
    case duplicateElement = "duplicate-element"

    // Legal, and surely unwanted.
    case emptyNamespace = "empty-namespace"
    case unusedType = "unused-type"
    case accessTooWide = "access-too-wide"
    case unreachableAccessor = "unreachable-accessor"

    package var severity: Diagnostic.Severity {
        switch self {
        case .emptyNamespace, .unusedType, .accessTooWide, .unreachableAccessor: .warning
        default: .error
        }
    }
}
