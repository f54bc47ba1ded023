/// The types of KConfigXT, and what a schema has for them.
enum ConfigType {
    case bool
    /// Of a type of Swift's.
    case number(String)
    case string
    case url
    case date
    /// What KConfig stores as a text of its own making.
    case otherText
    case enumeration
    case stringList
    case integerList
    case urlList

    /// Nil for what is no type of KConfigXT's, which does not tell capitals from small letters.
    init?(_ name: String) {
        switch name.lowercased() {
        case "bool": self = .bool
        case "int": self = .number("Int")
        case "uint": self = .number("UInt")
        case "int64", "longlong": self = .number("Int64")
        case "uint64", "ulonglong": self = .number("UInt64")
        case "double": self = .number("Double")
        case "string", "path", "password": self = .string
        case "url": self = .url
        case "datetime": self = .date
        case "font", "rect", "rectf", "size", "sizef", "color", "point", "pointf", "time": self = .otherText
        case "enum": self = .enumeration
        case "stringlist", "pathlist", "passwordlist": self = .stringList
        case "intlist": self = .integerList
        case "urllist": self = .urlList
        default: return nil
        }
    }

    /// - Parameter enumeration: The entry's enum, if it has choices.
    func importedType(enumeration: Int?) -> ImportedType {
        switch self {
        case .bool: .named("Bool")
        case .number(let name): .named(name)
        case .string, .otherText: .string
        case .url: .named("URL")
        case .date: .named("Date")
        // Without choices, KConfig stores the number.
        case .enumeration: enumeration.map(ImportedType.enumeration) ?? .named("Int")
        case .stringList: .array(.string)
        case .integerList: .array(.named("Int"))
        case .urlList: .array(.named("URL"))
        }
    }

    /// What KConfig has where an entry has no default (the arguments of the items' initialisers in
    /// `kcoreconfigskeleton.h`); nil where that is no value.
    func impliedDefault(enumeration: Int?) -> ImportedValue? {
        switch self {
        case .bool: .bool(true)
        case .number: .number("0")
        case .string: .string("")
        case .enumeration: enumeration.map { .enumCase(type: $0, index: 0) } ?? .number("0")
        case .stringList, .integerList, .urlList: .array([])
        case .url, .date, .otherText: nil
        }
    }
}
