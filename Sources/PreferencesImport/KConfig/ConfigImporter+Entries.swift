extension ConfigImporter {
    /// What an entry is called in one of its variants; an entry without parameter has one.
    struct Variant {
        /// `$(Number)`; nil without parameter.
        var placeholder: String?
        var value = ""
        var index = 0

        /// A text with the variant's value in the parameter's place.
        func filled(_ text: String, separator: String = "") -> String {
            guard let placeholder else { return text }
            return text.split(separator: placeholder, omittingEmptySubsequences: false)
                .joined(separator: separator + value + separator)
        }

        /// A text without the parameter, as all variants have it.
        func emptied(_ text: String) -> String {
            placeholder.map { text.split(separator: $0).joined() } ?? text
        }
    }

    /// More keys than this make no sense as keys.
    private static let maximumVariants = 256

    /// The key of an entry or, of one with a parameter, a key for each of its values.
    mutating func keys(of entry: MarkupElement) -> [ImportedKey] {
        remarks.checkContents(
            of: entry,
            attributes: ["name", "key", "type", "hidden"],
            children: [
                "parameter", "label", "whatsthis", "tooltip", "choices", "code", "default", "min", "max", "emit",
            ]
        )
        guard let id = entry.attributes["key"]?.nilIfEmpty ?? entry.attributes["name"]?.nilIfEmpty else {
            leaveOut(entry, "it has neither a name nor a key")
            return []
        }
        let name = entry.attributes["name"]?.nilIfEmpty ?? id
        let typeName = entry.attributes["type"]?.nilIfEmpty
        guard let type = ConfigType(typeName ?? "String") else {
            leaveOut(entry, "no type '\(typeName ?? "")' is known")
            return []
        }
        if typeName == nil { remarks.add(entry.line, "entry '\(name)' has no type; KConfig takes it for a String") }
        if case .otherText = type {
            remarks.add(entry.line, "type '\(typeName ?? "")' of entry '\(name)' is a String: the text KConfig stores")
        }
        remarkOnCode(of: entry, name: name)
        guard let variants = variants(of: entry, name: name) else { return [] }
        let enumeration = enumeration(of: entry, type, name: variants[0].emptied(name))
        let isSecret = ["password", "passwordlist"].contains(typeName?.lowercased())
        var keys: [ImportedKey] = []
        for variant in variants {
            var key = ImportedKey(
                id: variant.filled(id),
                name: variant.filled(name, separator: " "),
                type: type.importedType(enumeration: enumeration),
                line: entry.line
            )
            key.isSecret = isSecret
            readTexts(of: &key, entry, variant)
            readDefault(of: &key, entry, type, enumeration, variant)
            readRange(of: &key, entry, type, variant)
            keys.append(key)
        }
        return keys
    }

    private mutating func remarkOnCode(of entry: MarkupElement, name: String) {
        if entry.attributes["hidden"] == "true" {
            remarks.add(entry.line, "hidden='true' of entry '\(name)' is left out")
        }
        for code in entry.children(named: "code") {
            remarks.add(code.line, "the code of entry '\(name)' is left out: it is C++")
        }
        for signal in entry.children(named: "emit") {
            let signalName = signal.attributes["signal"] ?? ""
            remarks.add(signal.line, "signal '\(signalName)' of entry '\(name)' is left out")
        }
        for text in ["label", "whatsthis", "tooltip"].flatMap(entry.children(named:)) {
            remarks.checkContents(of: text, attributes: ["context"])
            guard let context = text.attributes["context"] else { continue }
            remarks.add(text.line, "context='\(context)' of <\(text.name)> is left out: it is for translators")
        }
    }

    /// Nil, and remarked on, where there are too many, or nobody knows how many.
    private mutating func variants(of entry: MarkupElement, name: String) -> [Variant]? {
        guard let parameter = entry.child(named: "parameter") else {
            if name.contains("$(") {
                remarks.add(entry.line, "entry '\(name)' keeps its parameter as it is: names are the same in every run")
            }
            return [Variant()]
        }
        remarks.checkContents(of: parameter, attributes: ["name", "type", "max"], children: ["values"])
        guard let parameterName = parameter.attributes["name"]?.nilIfEmpty else {
            leaveOut(entry, "its parameter has no name", line: parameter.line)
            return nil
        }
        let values: [String]
        let listed = parameter.children(named: "values").flatMap { $0.children(named: "value") }.map(\.text.trimmed)
        if !listed.isEmpty {
            values = listed
        } else if let maximum = parameter.attributes["max"].flatMap({ Int($0) }), maximum >= 0 {
            guard maximum < Self.maximumVariants else {
                leaveOut(entry, "\(maximum + 1) keys would be made of it", line: parameter.line)
                return nil
            }
            values = (0...maximum).map(String.init)
        } else {
            let reason = "its parameter '\(parameterName)' has neither a maximum nor values"
            leaveOut(entry, reason, line: parameter.line)
            return nil
        }
        let count = values.count == 1 ? "1 key" : "\(values.count) keys"
        remarks.add(parameter.line, "entry '\(name)' is \(count), one for each value of its parameter")
        return values.enumerated().map { index, value in
            Variant(placeholder: "$(\(parameterName))", value: value, index: index)
        }
    }

    private mutating func readTexts(of key: inout ImportedKey, _ entry: MarkupElement, _ variant: Variant) {
        func text(_ name: String) -> String? {
            entry.child(named: name).flatMap { variant.filled($0.text).asParagraphs.nilIfEmpty }
        }
        key.label = text("label")?.onOneLine
        key.description = text("whatsthis") ?? text("tooltip")
        if let tooltip = entry.child(named: "tooltip"), entry.child(named: "whatsthis") != nil {
            remarks.add(tooltip.line, "the tooltip of entry '\(key.id)' is left out, as it has a longer text too")
        }
        if key.description == key.label { key.description = nil }
    }

    private mutating func readRange(
        of key: inout ImportedKey,
        _ entry: MarkupElement,
        _ type: ConfigType,
        _ variant: Variant
    ) {
        for element in ["min", "max"].flatMap(entry.children(named:)) {
            remarks.checkContents(of: element, attributes: ["code"])
            let text = variant.filled(element.text).trimmed
            guard case .number(let name) = type, let number = NumberText.number(text, ofType: name) else {
                remarks.add(
                    element.line,
                    "<\(element.name)> of entry '\(key.id)' is left out: '\(text)' is no number of its type"
                )
                continue
            }
            if element.name == "min" { key.minimum = number } else { key.maximum = number }
        }
    }
}
