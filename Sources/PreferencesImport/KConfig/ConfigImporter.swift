/// Imports what KConfigXT describes, as `kcfg.xsd` and `kconfig_compiler` of KDE's KConfig have it.
struct ConfigImporter {
    let path: String
    var remarks: Remarks
    var schema = ImportedSchema()
    /// The enums that have names of their own, which several entries may have.
    var enumsByName: [String: Int] = [:]

    init(path: String) {
        self.path = path
        remarks = Remarks(path: path)
    }

    mutating func run(_ root: MarkupElement) throws(ImportFault) {
        guard root.name == "kcfg" else {
            throw fault(root, "the document is a <\(root.name)>; expected KConfigXT's <kcfg>")
        }
        remarks.checkContents(of: root, children: ["include", "kcfgfile", "signal", "group"])
        for include in root.children(named: "include") {
            remarks.add(include.line, "<include> of \(include.text.onOneLine) is left out: it is C++")
        }
        for signal in root.children(named: "signal") {
            remarks.add(
                signal.line,
                "signal '\(signal.attributes["name"] ?? "")' is left out: every preference can be watched"
            )
        }
        for file in root.children(named: "kcfgfile") { remark(onFile: file) }
        for group in root.children(named: "group") { read(group) }
    }

    private mutating func remark(onFile file: MarkupElement) {
        remarks.checkContents(of: file, attributes: ["name", "arg", "stateConfig"], children: ["parameter"])
        if let name = file.attributes["name"] {
            remarks.add(file.line, "file name '\(name)' is left out: a schema does not say where values are stored")
        }
        for attribute in ["arg", "stateConfig"] where file.attributes[attribute]?.lowercased() == "true" {
            remarks.add(
                file.line,
                "\(attribute)='true' is left out: a schema does not say where values are stored"
            )
        }
        for parameter in file.children(named: "parameter") {
            remarks.add(
                parameter.line,
                "parameter '\(parameter.attributes["name"] ?? "")' is left out: names are the same in every run"
            )
        }
    }

    private func fault(_ element: MarkupElement, _ message: String) -> ImportFault {
        .faulty(path: path, line: element.line, message: message)
    }
}

// MARK: - Groups

extension ConfigImporter {
    private mutating func read(_ group: MarkupElement) {
        remarks.checkContents(of: group, attributes: ["name", "parentGroupName"], children: ["entry"])
        let entries = group.children(named: "entry")
        guard let name = group.attributes["name"], !name.isEmpty else {
            // KConfig's compiler refuses such a group, so that nothing says where its values would be.
            remarks.add(group.line, "<group> is left out: it has no name")
            for entry in entries { leaveOut(entry, "its group has no name") }
            return
        }
        var groups = [name]
        if let parent = group.attributes["parentGroupName"], !parent.isEmpty { groups.insert(parent, at: 0) }
        for name in groups where name.contains("$(") {
            remarks.add(group.line, "group '\(name)' keeps its parameter as it is: names are the same in every run")
        }
        var keys: [ImportedKey] = []
        for entry in entries { keys += self.keys(of: entry) }
        Self.add(keys, to: &schema.root, groups[...], line: group.line)
    }

    /// - Parameter line: That of what is at fault in it; nil for its own.
    mutating func leaveOut(_ entry: MarkupElement, _ reason: String, line: Int? = nil) {
        remarks.add(line ?? entry.line, "\(entry.called("entry", by: ["name", "key"])) is left out: \(reason)")
    }

    /// Adds keys to the namespace that a path leads to, and makes what is missing on the way: a group may be declared
    /// in parts.
    private static func add(
        _ keys: [ImportedKey],
        to namespace: inout ImportedNamespace,
        _ path: ArraySlice<String>,
        line: Int
    ) {
        guard let id = path.first else {
            namespace.keys += keys
            return
        }
        if !namespace.namespaces.contains(where: { $0.id == id }) {
            namespace.namespaces.append(ImportedNamespace(id: id, names: [id], line: line))
        }
        for index in namespace.namespaces.indices where namespace.namespaces[index].id == id {
            add(keys, to: &namespace.namespaces[index], path.dropFirst(), line: line)
        }
    }
}
