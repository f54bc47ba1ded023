/// The documentation of a rule.
package struct RuleEntry: Sendable {
    package var group: RuleGroup
    /// The condition that the rule reports, as one sentence that fits on a line of the list of all rules.
    package var finding: String
    /// The reason for the rule, or what to do instead, as one sentence.
    package var reason: String
    /// A schema that breaks the rule.
    package var badExample: RuleExample
    /// The other rules that this schema breaks, where that is unavoidable.
    package var alsoFound: [Rule] = []
    /// The same schema corrected, which breaks no rule.
    package var goodExample: RuleExample

    /// The condition and the reason.
    package var meaning: String { "\(finding) \(reason)" }
}

/// The subject of a rule, in the order of the documentation.
package enum RuleGroup: String, CaseIterable, Sendable {
    case text = "Text"
    case fields = "Fields"
    case includes = "Includes and imports"
    case names = "Names"
    case access = "Access"
    case sharing = "Values that several machines share"
    case hosts = "Host files, generated files and the configuration"
    case types = "Types"
    case values = "Values"
    case constraints = "Constraints"
    case ignoring = "Ignoring rules"
    case warnings = "Warnings"

    package var rules: [Rule] { Rule.allCases.filter { $0.entry.group == self } }
}

extension Rule {
    package var group: RuleGroup { entry.group }
    package var meaning: String { entry.meaning }
    package var badExample: RuleExample { entry.badExample }
    package var goodExample: RuleExample { entry.goodExample }

    /// Returns the rule with the id nearest to a misspelled one, or nil if none is near enough.
    package static func nearest(to id: String) -> Rule? {
        var suggestions = Suggestions()
        return suggestions.nearest(to: id, among: allCases.map(\.rawValue)).flatMap(Rule.init)
    }
}

/// A schema that illustrates a rule, with the files that belong to it.
package struct RuleExample: Sendable {
    /// The schema, then the files that it includes and others that are involved.
    package var files: [File]

    package init(files: [File]) {
        self.files = files
    }

    package struct File: Sendable {
        package var name: String
        /// The part of the file that the documentation shows: all of it, or members of its object.
        package var shown: String
        /// The whole text of the file. Empty for a generated file that is up to date.
        package var text: String
        var encoding = Encoding.utf8

        enum Encoding {
            case utf8
            /// Big-endian, with a byte order mark.
            case utf16
        }

        /// The contents of the file.
        package var bytes: [UInt8] {
            switch encoding {
            case .utf8: Array(text.utf8)
            case .utf16: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            }
        }
    }
}

extension RuleExample {
    /// Returns an example of members of a schema, beside its format version.
    package static func members(_ members: String, in name: String = "Weather.preferences.json") -> RuleExample {
        let lines = members.split(separator: "\n", omittingEmptySubsequences: false)
        let text = "{\n  \"formatVersion\": 1,\n\(lines.map { "  \($0)\n" }.joined())}\n"
        return RuleExample(files: [File(name: name, shown: members, text: text)])
    }

    /// Returns an example of a whole schema.
    static func file(_ text: String, named name: String = "Weather.preferences.json") -> RuleExample {
        RuleExample(files: [File(name: name, shown: text, text: text + "\n")])
    }

    /// Returns the example with another file, an included one with the given members.
    package func including(_ members: String, from name: String) -> RuleExample {
        RuleExample(files: files + Self.members(members, in: "\(name).preferences-include.json").files)
    }
}

extension Rule {
    /// The documentation of the rule.
    package var entry: RuleEntry {
        switch self {
        case .jsonSyntax: .jsonSyntax
        case .jsonEncoding: .jsonEncoding
        case .jsonNesting: .jsonNesting
        case .duplicateName: .duplicateName
        case .wrongJSONType: .wrongJSONType
        case .unknownField: .unknownField
        case .missingField: .missingField
        case .formatVersion: .formatVersion
        case .includePath: .includePath
        case .missingInclude: .missingInclude
        case .includeCycle: .includeCycle
        case .includeConflict: .includeConflict
        case .invalidImport: .invalidImport
        case .invalidName: .invalidName
        case .invalidFileName: .invalidFileName
        case .invalidID: .invalidID
        case .reservedName: .reservedName
        case .reservedTypeName: .reservedTypeName
        case .reservedStorageName: .reservedStorageName
        case .accessorClash: .accessorClash
        case .typeNameClash: .typeNameClash
        case .storageNameClash: .storageNameClash
        case .storageNameConflict: .storageNameConflict
        case .formerNameClash: .formerNameClash
        case .unknownAccess: .unknownAccess
        case .setAccess: .setAccess
        case .managedSecret: .managedSecret
        case .unknownScope: .unknownScope
        case .unknownMergeRule: .unknownMergeRule
        case .sharedSecret: .sharedSecret
        case .mergeScope: .mergeScope
        case .mergeType: .mergeType
        case .mergeDefault: .mergeDefault
        case .mergeConstraint: .mergeConstraint
        case .invalidHost: .invalidHost
        case .hostConflict: .hostConflict
        case .hostDirectory: .hostDirectory
        case .hostMissing: .hostMissing
        case .hostEncoding: .hostEncoding
        case .hostMarkers: .hostMarkers
        case .hostRegionMissing: .hostRegionMissing
        case .hostRegionStale: .hostRegionStale
        case .hostRegionEdited: .hostRegionEdited
        case .hostRegionUnwanted: .hostRegionUnwanted
        case .outputMissing: .outputMissing
        case .outputStale: .outputStale
        case .unreadableFile: .unreadableFile
        case .unwritableFile: .unwritableFile
        case .invalidHostDirectory: .invalidHostDirectory
        case .invalidType: .invalidType
        case .unknownType: .unknownType
        case .nestedOptional: .nestedOptional
        case .dictionaryKeyType: .dictionaryKeyType
        case .typeKind: .typeKind
        case .emptyEnum: .emptyEnum
        case .duplicateEnumCase: .duplicateEnumCase
        case .mixedRawValues: .mixedRawValues
        case .emptyStruct: .emptyStruct
        case .recursiveStruct: .recursiveStruct
        case .unhashableElement: .unhashableElement
        case .missingDefault: .missingDefault
        case .defaultConflict: .defaultConflict
        case .invalidExpression: .invalidExpression
        case .externalDefault: .externalDefault
        case .unknownPlatform: .unknownPlatform
        case .valueType: .valueType
        case .valueRange: .valueRange
        case .valueFormat: .valueFormat
        case .unknownEnumCase: .unknownEnumCase
        case .unknownStructField: .unknownStructField
        case .missingStructField: .missingStructField
        case .duplicateElement: .duplicateElement
        case .constraintType: .constraintType
        case .invertedRange: .invertedRange
        case .invalidLimit: .invalidLimit
        case .invalidPattern: .invalidPattern
        case .emptyChoices: .emptyChoices
        case .brokenConstraint: .brokenConstraint
        case .unknownRule: .unknownRule
        case .ruleNotIgnorable: .ruleNotIgnorable
        case .emptyNamespace: .emptyNamespace
        case .unusedType: .unusedType
        case .missingImport: .missingImport
        case .accessTooWide: .accessTooWide
        case .unreachableAccessor: .unreachableAccessor
        case .unusedHost: .unusedHost
        case .similarNames: .similarNames
        case .secretDefault: .secretDefault
        case .emptyDeprecation: .emptyDeprecation
        case .unusedIgnore: .unusedIgnore
        case .moduleTypeClash: .moduleTypeClash
        }
    }
}
