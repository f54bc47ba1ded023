/// A rule that schemas, and the files that belong to them, must satisfy. The raw value is the stable id at the end of
/// every diagnostic.
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

    // Includes.
    case includePath = "include-path"
    case missingInclude = "missing-include"
    case includeCycle = "include-cycle"
    case includeConflict = "include-conflict"
    case invalidImport = "invalid-import"

    // Names.
    case invalidName = "invalid-name"
    case invalidFileName = "invalid-file-name"
    case invalidID = "invalid-id"
    case reservedName = "reserved-name"
    case reservedTypeName = "reserved-type-name"
    case reservedStorageName = "reserved-storage-name"
    case accessorClash = "accessor-clash"
    case typeNameClash = "type-name-clash"
    case storageNameClash = "storage-name-clash"
    case storageNameConflict = "storage-name-conflict"
    case formerNameClash = "former-name-clash"

    // Access.
    case unknownAccess = "unknown-access"
    case setAccess = "set-access"
    case managedSecret = "managed-secret"

    // Values that several machines share.
    case unknownScope = "unknown-scope"
    case unknownMergeRule = "unknown-merge-rule"
    case sharedSecret = "shared-secret"
    case mergeScope = "merge-scope"
    case mergeType = "merge-type"
    case mergeDefault = "merge-default"
    case mergeConstraint = "merge-constraint"

    // Host files.
    case invalidHost = "invalid-host"
    case hostConflict = "host-conflict"
    case hostDirectory = "host-directory"
    case hostMissing = "host-missing"
    case hostEncoding = "host-encoding"
    case hostMarkers = "host-markers"
    case hostRegionMissing = "host-region-missing"
    case hostRegionStale = "host-region-stale"
    case hostRegionEdited = "host-region-edited"
    case hostRegionUnwanted = "host-region-unwanted"

    // Generated files.
    case outputMissing = "output-missing"
    case outputStale = "output-stale"
    case unreadableFile = "unreadable-file"
    case unwritableFile = "unwritable-file"

    // The configuration.
    case invalidHostDirectory = "invalid-host-directory"

    // Types.
    case invalidType = "invalid-type"
    case unknownType = "unknown-type"
    case nestedOptional = "nested-optional"
    case dictionaryKeyType = "dictionary-key-type"
    case typeKind = "type-kind"
    case emptyEnum = "empty-enum"
    case duplicateEnumCase = "duplicate-enum-case"
    case mixedRawValues = "mixed-raw-values"
    case emptyStruct = "empty-struct"
    case recursiveStruct = "recursive-struct"
    case unhashableElement = "unhashable-element"

    // Values: defaults, bounds and choices.
    case missingDefault = "missing-default"
    case defaultConflict = "default-conflict"
    case invalidExpression = "invalid-expression"
    case externalDefault = "external-default"
    case unknownPlatform = "unknown-platform"
    case valueType = "value-type"
    case valueRange = "value-range"
    case valueFormat = "value-format"
    case unknownEnumCase = "unknown-enum-case"
    case unknownStructField = "unknown-struct-field"
    case missingStructField = "missing-struct-field"
    case duplicateElement = "duplicate-element"

    // Constraints.
    case constraintType = "constraint-type"
    case invertedRange = "inverted-range"
    case invalidLimit = "invalid-limit"
    case invalidPattern = "invalid-pattern"
    case emptyChoices = "empty-choices"
    case brokenConstraint = "broken-constraint"

    // Ignored rules.
    case unknownRule = "unknown-rule"
    case ruleNotIgnorable = "rule-not-ignorable"

    // Warnings: legal, but most likely unintended.
    case emptyNamespace = "empty-namespace"
    case unusedType = "unused-type"
    case missingImport = "missing-import"
    case accessTooWide = "access-too-wide"
    case unreachableAccessor = "unreachable-accessor"
    case unusedHost = "unused-host"
    case similarNames = "similar-names"
    case secretDefault = "secret-default"
    case emptyDeprecation = "empty-deprecation"
    case unusedIgnore = "unused-ignore"
    case moduleTypeClash = "module-type-clash"

    package var severity: Diagnostic.Severity {
        switch self {
        case .emptyNamespace, .unusedType, .missingImport, .accessTooWide, .unreachableAccessor, .unusedHost,
            .similarNames,
            .secretDefault, .emptyDeprecation, .unusedIgnore, .moduleTypeClash:
            .warning
        default:
            .error
        }
    }

    /// The rules about host files, other Swift files, generated files and unreadable files, which the text of a schema alone cannot
    /// break.
    package static let ofGeneratedCode: Set<Rule> = [
        .hostDirectory, .hostMissing, .hostEncoding, .hostMarkers, .hostRegionMissing, .hostRegionStale,
        .hostRegionEdited, .hostRegionUnwanted, .outputMissing, .outputStale, .unreadableFile,
        .unwritableFile, .moduleTypeClash,
    ]

    /// The rules about configurations.
    package static let ofConfigurations: Set<Rule> = [.invalidHostDirectory]

    /// Whether a schema's `lint` can suppress the rule. Warnings can, since legal schemas may be intended; but a clash
    /// with another file of the module cannot be compiled.
    package var isIgnorable: Bool { severity == .warning && self != .unusedIgnore && self != .moduleTypeClash }
}
