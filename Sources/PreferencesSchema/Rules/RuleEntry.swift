/// What the catalogue says of a rule.
package struct RuleEntry: Sendable {
    package var group: RuleGroup
    /// What is found, as one sentence that fits on a line of the list of all rules.
    package var finding: String
    /// Why it matters, or what to do instead, as one sentence.
    package var reason: String
    /// A schema in which the rule finds something.
    package var badExample: RuleExample
    /// The other rules that find something in it, where that cannot be helped.
    package var alsoFound: [Rule] = []
    /// The same schema as it should be, in which nothing is found.
    package var goodExample: RuleExample

    /// What is wrong and why that matters.
    package var meaning: String { "\(finding) \(reason)" }
}

/// What the rules are about, in the order of the catalogue.
package enum RuleGroup: String, CaseIterable, Sendable {
    case text = "Text"
    case fields = "Fields"
    case includes = "Includes and imports"
    case names = "Names"
    case access = "Access"
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

    /// The rule whose id a misspelt one was surely meant to be.
    package static func nearest(to id: String) -> Rule? {
        var suggestions = Suggestions()
        return suggestions.nearest(to: id, among: allCases.map(\.rawValue)).flatMap(Rule.init)
    }
}

/// A schema that shows a rule, with the files that belong to it.
package struct RuleExample: Sendable {
    /// The schema first, then what it includes, or what else is at fault.
    package var files: [File]

    package struct File: Sendable {
        package var name: String
        /// What is shown of the file: all of it, or members of its object.
        package var shown: String
        /// The whole file; of what is generated, nothing, where it is as it should be.
        package var text: String
        var encoding = Encoding.utf8

        enum Encoding {
            case utf8
            /// Big-endian, with a byte order mark.
            case utf16
        }

        /// The file's bytes.
        package var bytes: [UInt8] {
            switch encoding {
            case .utf8: Array(text.utf8)
            case .utf16: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            }
        }
    }
}

extension RuleExample {
    /// Members of a schema's object, beside its format version.
    static func members(_ members: String, in name: String = "Weather.preferences.json") -> RuleExample {
        let lines = members.split(separator: "\n", omittingEmptySubsequences: false)
        let text = "{\n  \"formatVersion\": 1,\n\(lines.map { "  \($0)\n" }.joined())}\n"
        return RuleExample(files: [File(name: name, shown: members, text: text)])
    }

    /// A whole schema.
    static func file(_ text: String, named name: String = "Weather.preferences.json") -> RuleExample {
        RuleExample(files: [File(name: name, shown: text, text: text + "\n")])
    }

    /// The same with a file more, of whose object these are members.
    func including(_ members: String, from name: String) -> RuleExample {
        RuleExample(files: files + Self.members(members, in: "\(name).preferences-include.json").files)
    }
}

extension Rule {
    /// What the catalogue says of the rule.
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
        case .formerNameClash: .formerNameClash
        case .unknownAccess: .unknownAccess
        case .setAccess: .setAccess
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
        }
    }
}
