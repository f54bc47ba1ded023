import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type of KConfigXT.
enum KConfigType {
    case bool
    /// A number, by its Swift type.
    case number(String)
    case string
    case url
    case date
    /// A value that KConfig stores as text in its own format.
    case otherText
    case enumeration
    case stringList
    case integerList
    case urlList

    /// Creates a type from its name, which is case-insensitive; `nil` if there is no such type.
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

    /// Returns the type in a schema.
    ///
    /// - Parameter enumeration: The index of the entry's enum, if it has choices.
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

    /// Returns KConfig's implicit default (the default arguments of the initializers in `kcoreconfigskeleton.h`); `nil`
    /// if that is an invalid value.
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

// MARK: - Defaults

extension KConfigImporter {
    /// Imports the default of an entry. A default that a schema cannot represent makes the key optional.
    mutating func readDefault(
        of key: inout ImportedKey,
        _ entry: MarkupElement,
        _ type: KConfigType,
        _ enumeration: Int?,
        _ variant: Variant
    ) {
        let defaults = entry.children(named: "default")
        let own = defaults.first { element in
            element.attributes["param"].map { $0 == variant.value || $0 == String(variant.index) } == true
        }
        guard let element = own ?? defaults.first(where: { $0.attributes["param"] == nil }) else {
            key.defaultValue = type.impliedDefault(enumeration: enumeration)
            guard let value = key.defaultValue else {
                key.type = key.type.asOptional
                return
            }
            guard let shown = shown(value) else { return }
            remarks.add(entry.line, "entry '\(key.id)' has no default; KConfig's implicit default \(shown) is used")
            return
        }
        remarks.remarkOnUnknownContents(of: element, attributes: ["param", "code"])
        let text = variant.substituting(in: element.text)
        let isCode = element.attributes["code"] == "true"
        if let value = value(text, isCode: isCode, type, enumeration, of: entry) {
            guard key.isSecret, !value.isEmpty else {
                key.defaultValue = value
                return
            }
            key.type = key.type.asOptional
            remarks.add(
                element.line,
                "the default of entry '\(key.id)' is left out and its type made optional: "
                    + "schemas must not contain secrets"
            )
            return
        }
        key.type = key.type.asOptional
        guard !text.trimmed.isEmpty else { return }
        remarks.add(
            element.line,
            "the default of entry '\(key.id)' is left out and its type made optional: '\(text.singleLine)' is "
                + (isCode ? "C++" : "not a value of its type, or is C++")
        )
    }

    /// Returns the description of a value in remarks; `nil` if a remark is not needed.
    private func shown(_ value: ImportedValue) -> String? {
        switch value {
        case .bool(let bool): "\(bool)"
        case .number(let text): text
        case .enumCase(let type, let index): "'\(schema.enums[type].cases[index].name)'"
        default: nil
        }
    }

    private func value(
        _ text: String,
        isCode: Bool,
        _ type: KConfigType,
        _ enumeration: Int?,
        of entry: MarkupElement
    ) -> ImportedValue? {
        let trimmed = text.trimmed
        switch type {
        case .bool:
            return ["true": .bool(true), "false": .bool(false), "1": .bool(true), "0": .bool(false)][
                trimmed.lowercased()
            ]
        case .number(let name):
            if trimmed.isEmpty { return .number("0") }
            return NumberParser.number(trimmed, ofType: name).map(ImportedValue.number)
        case .string:
            return (isCode ? Self.literal(trimmed) : text).map(ImportedValue.string)
        case .otherText:
            return (isCode ? Self.literal(trimmed) : trimmed.nilIfEmpty).map(ImportedValue.string)
        case .url:
            return (isCode ? Self.literal(trimmed) : trimmed).flatMap(Self.url)
        case .date:
            return DateText.date(from: trimmed).map { _ in .string(trimmed) }
        case .enumeration:
            return choice(trimmed, enumeration, of: entry)
        case .stringList, .integerList, .urlList:
            return isCode ? nil : list(trimmed, of: type)
        }
    }

    private func list(_ text: String, of type: KConfigType) -> ImportedValue? {
        let parts = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let values: [ImportedValue] = parts.compactMap { part in
            switch type {
            case .integerList: NumberParser.number(part.trimmed, ofType: "Int").map(ImportedValue.number)
            case .urlList: Self.url(part.trimmed)
            default: .string(part)
            }
        }
        return values.count == parts.count ? .array(values) : nil
    }

    private static func url(_ text: String) -> ImportedValue? {
        // A URL without a scheme is a path.
        let text = text.hasPrefix("/") ? "file://\(text)" : text
        return URL(string: text, encodingInvalidCharacters: false)?.scheme == nil ? nil : .string(text)
    }

    /// Returns the contents of a C++ string literal, which can be wrapped in a Qt macro; `nil` for any other
    /// expression.
    private static func literal(_ code: String) -> String? {
        var text = code
        for macro in ["QStringLiteral(", "QLatin1String(", "QString::fromLatin1(", "QString("]
        where code.hasPrefix(macro) && code.hasSuffix(")") {
            text = String(code.dropFirst(macro.count).dropLast()).trimmed
        }
        if code == "QString()" { return "" }
        let inner = text.dropFirst().dropLast()
        guard text.count > 1, text.first == "\"", text.last == "\"", !inner.contains("\\"), !inner.contains("\"") else {
            return nil
        }
        return String(inner)
    }

    private func choice(_ text: String, _ enumeration: Int?, of entry: MarkupElement) -> ImportedValue? {
        guard let enumeration else { return NumberParser.number(text, ofType: "Int").map(ImportedValue.number) }
        let cases = schema.enums[enumeration].cases
        // A choice may be qualified by its enum.
        let name = text.split(separator: ":").last.map(String.init) ?? text
        let choices = entry.child(named: "choices")?.children(named: "choice") ?? []
        var index = cases.firstIndex { $0.name == name } ?? Int(text)
        if !choices.isEmpty {
            // Choices that are not among the cases still count in the numbering of the others.
            let place = choices.firstIndex { $0.attributes["name"] == name } ?? Int(text)
            let choice = place.flatMap { choices.indices.contains($0) ? choices[$0] : nil }
            index = choice.flatMap { choice in cases.firstIndex { $0.value == Self.storedValue(of: choice) } }
        }
        return index.flatMap { cases.indices.contains($0) ? .enumCase(type: enumeration, index: $0) : nil }
    }

    private static func storedValue(of choice: MarkupElement) -> ImportedEnum.Value {
        .string(choice.attributes["value"]?.nilIfEmpty ?? choice.attributes["name"] ?? "")
    }
}

// MARK: - Choices

extension KConfigImporter {
    /// Returns the index of the enum for the choices of an entry; `nil` without choices.
    mutating func enumeration(of entry: MarkupElement, _ type: KConfigType, name: String) -> Int? {
        guard let choices = entry.child(named: "choices") else {
            if case .enumeration = type {
                remarks.add(
                    entry.line,
                    "entry '\(name)' has no choices; it is imported as an Int, as KConfig stores it"
                )
            }
            return nil
        }
        guard case .enumeration = type else {
            remarks.add(choices.line, "the choices of entry '\(name)' are left out: its type is not Enum")
            return nil
        }
        remarks.remarkOnUnknownContents(of: choices, attributes: ["name", "prefix"], children: ["choice"])
        if let prefix = choices.attributes["prefix"]?.nilIfEmpty {
            remarks.add(choices.line, "prefix='\(prefix)' is left out: it affects generated C++, not stored values")
        }
        var cases: [ImportedEnum.Case] = []
        for choice in choices.children(named: "choice") {
            guard let made = enumCase(choice, entry: name) else { continue }
            if cases.contains(where: { $0.value == made.value }) {
                remarks.add(choice.line, "choice '\(made.name)' is left out: another choice has the same stored value")
            } else {
                cases.append(made)
            }
        }
        let ownName = choices.attributes["name"]?.split(separator: ":").last.map(String.init)
        if cases.isEmpty {
            // Choices with that name may be declared elsewhere in the file.
            if let ownName, let place = enumsByName[ownName] { return place }
            remarks.add(choices.line, "entry '\(name)' has no choices; it is imported as an Int, as KConfig stores it")
            return nil
        }
        if let ownName, let place = enumsByName[ownName], schema.enums[place].cases.map(\.value) == cases.map(\.value) {
            return place
        }
        schema.enums.append(ImportedEnum(names: [ownName ?? name], cases: cases, line: choices.line))
        if let ownName { enumsByName[ownName] = schema.enums.count - 1 }
        return schema.enums.count - 1
    }

    private mutating func enumCase(_ choice: MarkupElement, entry: String) -> ImportedEnum.Case? {
        remarks.remarkOnUnknownContents(
            of: choice,
            attributes: ["name", "value"],
            children: ["label", "whatsthis", "tooltip"]
        )
        guard let name = choice.attributes["name"]?.nilIfEmpty else {
            remarks.add(choice.line, "<choice> of entry '\(entry)' is left out: it has no name")
            return nil
        }
        for text in choice.children {
            remarks.remarkOnUnknownContents(of: text, attributes: ["context"])
            guard let context = text.attributes["context"] else { continue }
            remarks.add(text.line, "context='\(context)' of <\(text.name)> is left out: it is for translators")
        }
        func text(_ name: String) -> String? { choice.child(named: name)?.text.asParagraphs.nilIfEmpty }
        if let tooltip = choice.child(named: "tooltip"), choice.child(named: "whatsthis") != nil {
            remarks.add(tooltip.line, "the tooltip of choice '\(name)' is left out: its 'whatsthis' is used")
        }
        return ImportedEnum.Case(
            name: name,
            value: Self.storedValue(of: choice),
            label: text("label")?.singleLine,
            description: text("whatsthis") ?? text("tooltip")
        )
    }
}
