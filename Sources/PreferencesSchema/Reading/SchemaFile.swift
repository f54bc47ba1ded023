/// One file of a run: a schema, or something that is included.
struct SchemaFile {
    var path: String
    /// Its object's fields; nil where it has none.
    var fields: Fields?
    /// The files that it includes, and where it says so.
    var includes: [Include] = []
    /// Whether it includes something that cannot be read, so that not all that belongs to it is known.
    var lacksIncludes = false

    struct Include {
        var file: Int
        var place: Place
    }
}

extension SchemaReader {
    /// Reads a file's JSON, and checks what every file has.
    mutating func readFile(_ source: SchemaSource) -> SchemaFile {
        var file = SchemaFile(path: source.path)
        guard let fields = readFields(of: source.bytes, .file) else { return file }
        file.fields = fields
        _ = string(fields["$schema"], what: "'$schema'")
        checkFormatVersion(fields)
        return file
    }

    /// The fields of the object that is all of a text; nil, and reported, where there is none.
    mutating func readFields(of bytes: [UInt8], _ kind: ObjectKind) -> Fields? {
        let json = JSONReader.read(bytes)
        for fault in json.faults { report(fault) }
        return json.root.flatMap { fields(of: $0, kind) }
    }

    private mutating func report(_ fault: JSONSyntaxError) {
        let range = fault.offset..<fault.offset
        switch fault.fault {
        case .duplicateName(_, let firstOffset):
            report(.duplicateName, at: range, fault.message, firstAt: firstOffset..<firstOffset)
        case .invalidUTF8, .byteOrderMark: report(.jsonEncoding, at: range, fault.message)
        case .nestedTooDeep: report(.jsonNesting, at: range, fault.message)
        default: report(.jsonSyntax, at: range, fault.message)
        }
    }

    private mutating func checkFormatVersion(_ fields: Fields) {
        guard let node = fields["formatVersion"] else {
            guard fields.isMissing("formatVersion") else { return }
            report(
                .missingField,
                at: fields.place,
                "the schema has no 'formatVersion'",
                note: #"add "formatVersion": 1"#
            )
            return
        }
        guard case .number(let number) = node.content else {
            report(.wrongJSONType, at: node.range, "'formatVersion' must be a number, not \(node.typeDescription)")
            return
        }
        if number.exactly(Int.self) != 1 {
            report(
                .formatVersion,
                at: node.range,
                "format version \(number.text) is not known; this generator reads version 1"
            )
        }
    }
}
