/// The remarks of one import, as they are found.
struct Remarks {
    private(set) var list: [Remark] = []
    /// What remarks are about that name no other file.
    let path: String

    init(path: String) {
        self.path = path
    }

    mutating func add(_ line: Int?, _ message: String, path: String? = nil) {
        list.append(Remark(path: path ?? self.path, line: line, message: message))
    }

    mutating func append(_ remarks: [Remark]) {
        list += remarks
    }

    /// Remarks on whatever an element has that is not known here.
    mutating func checkContents(
        of element: MarkupElement,
        attributes: Set<String> = [],
        children: Set<String> = [],
        path: String? = nil
    ) {
        // Namespaces, and where their schemas are, say nothing about settings.
        let unknown = element.attributes.keys.filter { !attributes.contains($0) && !$0.hasPrefix("xml") }
        for name in unknown.sorted() where !name.hasPrefix("xsi:") {
            add(
                element.line,
                "attribute \(name)='\(element.attributes[name] ?? "")' of <\(element.name)> is left out",
                path: path
            )
        }
        for child in element.children where !children.contains(child.name) {
            add(child.line, "element <\(child.name)> is left out", path: path)
        }
    }
}
