import PreferencesSchema

extension Rule {
    /// Whether a JSON Schema can say what the rule says, of one value and what is in it.
    var isStructural: Bool {
        switch self {
        case .wrongJSONType, .unknownField, .missingField, .formatVersion, .invalidImport, .invalidName, .invalidID,
            .unknownAccess, .invalidHost, .invalidType, .nestedOptional, .dictionaryKeyType, .typeKind, .emptyEnum,
            .mixedRawValues, .emptyStruct, .missingDefault, .defaultConflict, .unknownPlatform, .invalidLimit,
            .emptyChoices, .unknownRule, .ruleNotIgnorable, .includePath:
            true
        // No JSON, or such as a validator reads otherwise.
        case .jsonSyntax, .jsonEncoding, .jsonNesting, .duplicateName:
            false
        // About other files, and names that other places give.
        case .missingInclude, .includeCycle, .includeConflict, .invalidFileName, .reservedName, .reservedTypeName,
            .reservedStorageName, .accessorClash, .typeNameClash, .storageNameClash, .formerNameClash, .setAccess,
            .hostConflict, .unknownType, .duplicateEnumCase, .recursiveStruct, .unhashableElement, .externalDefault,
            .unknownEnumCase, .unknownStructField, .missingStructField:
            false
        // About files that are no schemas.
        case .hostDirectory, .hostMissing, .hostEncoding, .hostMarkers, .hostRegionMissing, .hostRegionStale,
            .hostRegionEdited, .hostRegionUnwanted, .outputMissing, .outputStale, .unreadableFile,
            .unwritableFile, .invalidHostDirectory:
            false
        // About constraints on types that are declared.
        case .constraintType:
            false
        // About values inside those of types that are built up or declared, or beside each other.
        case .valueType, .valueRange, .valueFormat, .duplicateElement, .invertedRange, .brokenConstraint:
            false
        // In a language of their own.
        case .invalidExpression, .invalidPattern:
            false
        // Legal.
        case .emptyNamespace, .unusedType, .missingImport, .accessTooWide, .unreachableAccessor, .unusedHost,
            .similarNames,
            .secretDefault, .emptyDeprecation, .unusedIgnore:
            false
        }
    }
}
