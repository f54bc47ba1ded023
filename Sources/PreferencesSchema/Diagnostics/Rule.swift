/// Everything that can be found wrong with a schema, and with what belongs to it. The raw value is the stable id that every diagnostic ends with.
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

    // Host files.
    case invalidHost = "invalid-host"
    case hostDirectory = "host-directory"
    case hostMissing = "host-missing"
    case hostEncoding = "host-encoding"
    case hostMarkers = "host-markers"
    case hostRegionMissing = "host-region-missing"
    case hostRegionStale = "host-region-stale"
    case hostRegionEdited = "host-region-edited"
    case hostRegionUnwanted = "host-region-unwanted"

    // What `check` compares.
    case outputMissing = "output-missing"
    case outputStale = "output-stale"

    // The configuration.
    case invalidImport = "invalid-import"
    case invalidHostDirectory = "invalid-host-directory"

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

    /// Those that are found in host files and outputs, and in no schema.
    package static let ofGeneratedCode: Set<Rule> = [
        .hostDirectory, .hostMissing, .hostEncoding, .hostMarkers, .hostRegionMissing, .hostRegionStale,
        .hostRegionEdited, .hostRegionUnwanted, .outputMissing, .outputStale,
    ]

    /// Those that are found in configurations alone.
    package static let ofConfigurations: Set<Rule> = [.invalidImport, .invalidHostDirectory]
}
