/// One element of an XML document, and where it stands.
struct MarkupElement: Sendable {
    /// With its prefix, if it has one.
    var name: String
    var attributes: [String: String]
    /// The file that it is in.
    var path: String
    /// The line that its start tag ends on, from 1.
    var line: Int
    var children: [MarkupElement] = []
    /// All text that stands directly in it.
    var text = ""

    /// The children of a name.
    func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    /// The first child of a name.
    func child(named name: String) -> MarkupElement? { children.first { $0.name == name } }

    /// What a remark calls it: `key 'size'`, or `<key>` where it has no name.
    ///
    /// - Parameter attributes: Those that may have its name.
    func called(_ kind: String, by attributes: [String]) -> String {
        let names = attributes.lazy.compactMap { self.attributes[$0]?.nilIfEmpty }
        return names.first.map { "\(kind) '\($0)'" } ?? "<\(name)>"
    }
}
