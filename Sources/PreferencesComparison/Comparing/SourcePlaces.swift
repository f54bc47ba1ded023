import PreferencesSchema

/// Finds fields in the texts of schemas, of which the model has only the places of names.
///
/// Texts are parsed when a change in them is reported.
final class SourcePlaces {
    private let sources: [SchemaSource]
    private var tables: [Int: ScalarTable] = [:]
    private var documents: [Int: Document] = [:]

    private struct Document {
        var root: JSONNode?
        /// The objects that are values of members, by the places of the members' names.
        var objects: [Int: JSONNode] = [:]
    }

    init(_ sources: [SchemaSource]) {
        self.sources = sources
    }

    /// Returns the path and the position of a place.
    func position(of place: Place) -> (path: String, position: TextPosition) {
        guard sources.indices.contains(place.source) else { return ("", TextPosition(line: 1, column: 1)) }
        let table = tables[place.source] ?? ScalarTable(sources[place.source].bytes)
        tables[place.source] = table
        return (sources[place.source].path, table.position(at: place.range.lowerBound))
    }

    /// Returns the value of a field.
    ///
    /// - Parameters:
    ///   - path: The name of the field, preceded by those of the fields around it.
    ///   - name: The place of a declaration's name.
    func value(_ path: [String], of name: Place) -> JSONNode? {
        var node = document(name.source).objects[name.range.lowerBound]
        for field in path { node = node?.member(field)?.value }
        return node
    }

    /// Returns the place of a field's value, or that of the name if there is no such field.
    func place(of path: [String], in name: Place) -> Place {
        value(path, of: name).map { Place(source: name.source, range: $0.range) } ?? name
    }

    /// Returns the place of a file's object.
    func root(ofSource source: Int) -> Place {
        let start = document(source).root?.range.lowerBound ?? 0
        return Place(source: source, range: start..<start)
    }

    /// Returns the value of a file's field.
    func value(ofField field: String, inSource source: Int) -> JSONNode? { document(source).root?.member(field)?.value }

    /// Returns the place of the value of a file's field, or that of its object if there is no such field.
    func place(ofField field: String, inSource source: Int) -> Place {
        value(ofField: field, inSource: source).map { Place(source: source, range: $0.range) } ?? root(ofSource: source)
    }

    private func document(_ source: Int) -> Document {
        if let document = documents[source] { return document }
        var document = Document()
        if sources.indices.contains(source) {
            document.root = JSONReader.read(sources[source].bytes).root
            var pending = document.root.map { [$0] } ?? []
            while let node = pending.popLast() {
                guard case .object(let members) = node.content else { continue }
                for member in members {
                    guard case .object = member.value.content else { continue }
                    document.objects[member.nameRange.lowerBound] = member.value
                    pending.append(member.value)
                }
            }
        }
        documents[source] = document
        return document
    }
}

extension JSONNode {
    fileprivate func member(_ name: String) -> JSONMember? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }
    }

    /// The value as JSON, or its type if that is long.
    var brief: String {
        switch content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): number.text
        case .string(let text) where text.utf8.count <= 60: text.jsonLiteral
        case .array(let elements) where elements.isEmpty: "[]"
        case .object(let members) where members.isEmpty: "{}"
        default: typeDescription
        }
    }
}
