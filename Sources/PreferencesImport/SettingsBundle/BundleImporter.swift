/// Imports an iOS settings bundle: its `Root.plist`, and the panes that lead on from there (Apple, "Settings
/// Application Schema Reference").
struct BundleImporter {
    let rootPath: String
    private let files: SourceFiles
    /// The file that is read at the moment.
    var path: String
    var remarks: Remarks
    var schema = ImportedSchema()
    /// The panes that were read, which may lead back to each other.
    private var readPaths: Set<String> = []

    init(path: String, files: SourceFiles) {
        rootPath = path
        self.path = path
        self.files = files
        remarks = Remarks(path: path)
    }

    mutating func run() throws(ImportFault) {
        try readPane(rootPath, try files.read(rootPath))
    }

    private mutating func readPane(_ panePath: String, _ bytes: [UInt8]) throws(ImportFault) {
        guard readPaths.insert(panePath).inserted else { return }
        let outer = path
        path = panePath
        defer { path = outer }
        let root = try PropertyListReader.read(bytes, path: panePath)
        guard let specifiers = root["PreferenceSpecifiers"], case .array(let elements) = specifiers.content else {
            throw .faulty(path: path, line: root.line, message: "there is no array 'PreferenceSpecifiers'")
        }
        for member in root.members ?? [] where !["PreferenceSpecifiers", "Title"].contains(member.name) {
            remark(member.line, "\(member.name) is left out: \(Self.reason(forLeavingOut: member.name))")
        }
        for element in elements { try read(element) }
    }

    private static func reason(forLeavingOut name: String) -> String {
        switch name {
        case "StringsTable": "texts are as they are here, untranslated"
        case "ApplicationGroupContainerIdentifier": "a schema does not say where values are stored"
        default: "a schema has no words for it"
        }
    }

    mutating func remark(_ line: Int?, _ message: String) { remarks.add(line, message, path: path) }
}

// MARK: - Specifiers

extension BundleImporter {
    private mutating func read(_ element: PresentValue) throws(ImportFault) {
        guard element.members != nil else {
            remark(element.line, "a specifier is left out: it is no dictionary")
            return
        }
        guard let type = element["Type"]?.string else {
            remark(element.line, "a specifier is left out: it has no 'Type'")
            return
        }
        switch type {
        case "PSGroupSpecifier":
            let texts = ["Title", "FooterText"].compactMap { element[$0]?.string?.nilIfEmpty }
            let shown = texts.isEmpty ? "" : " '\(texts.joined(separator: "', '"))'"
            remark(element.line, "group\(shown) is left out: keys are not grouped for show")
        case "PSChildPaneSpecifier":
            try readChild(element)
        case "PSToggleSwitchSpecifier", "PSTextFieldSpecifier", "PSSliderSpecifier", "PSTitleValueSpecifier",
            "PSMultiValueSpecifier", "PSRadioGroupSpecifier":
            guard let id = element["Key"]?.string?.nilIfEmpty else {
                remark(element.line, "a specifier of type '\(type)' is left out: it has no 'Key'")
                return
            }
            guard var key = key(id, element, type) else { return }
            key.label = element["Title"]?.string?.onOneLine.nilIfEmpty
            key.description = element["FooterText"]?.string?.asParagraphs.nilIfEmpty
            if path != rootPath { key.path = path }
            remarkOnRest(of: element, type, id: id)
            schema.root.keys.append(key)
        default:
            remark(element.line, "a specifier of type '\(type)' is left out: no such type is known")
        }
    }

    private mutating func readChild(_ element: PresentValue) throws(ImportFault) {
        guard let name = element["File"], let file = name.string?.nilIfEmpty else {
            let title = element["Title"]?.string ?? ""
            remark(element.line, "child pane '\(title)' is left out: it names no file")
            return
        }
        let panePath = "\(rootPath.pathFolder)\(file).plist"
        let bytes: [UInt8]
        do throws(ImportFault) {
            bytes = try files.read(panePath)
        } catch {
            remark(name.line, "child pane '\(file)' is left out: \(error)")
            return
        }
        remark(element.line, "child pane '\(file)' makes no namespace: its keys are stored beside all others")
        try readPane(panePath, bytes)
    }

    /// What says how a setting is shown, and nothing about its value.
    private mutating func remarkOnRest(of element: PresentValue, _ type: String, id: String) {
        var known: Set = ["Type", "Key", "Title", "FooterText", "DefaultValue"]
        switch type {
        case "PSTextFieldSpecifier": known.insert("IsSecure")
        case "PSSliderSpecifier": known.formUnion(["MinimumValue", "MaximumValue"])
        case "PSToggleSwitchSpecifier": known.formUnion(["TrueValue", "FalseValue"])
        default: known.formUnion(["Values", "Titles"])
        }
        for member in element.members ?? [] where !known.contains(member.name) {
            remark(member.line, "\(member.name) of '\(id)' is left out: it is only for show")
        }
    }
}
