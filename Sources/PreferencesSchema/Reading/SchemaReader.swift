import PreferencesJSON

/// Turns one schema's JSON into the model, and notes all that is wrong on the way: a fault in one place never hides
/// one in another.
struct SchemaReader {
    /// The source's place among those read together.
    let source: Int
    let bytes: [UInt8]
    /// What the protocol of the file's own keys is named after.
    let typeName: String?
    /// What the schemas that are read together have in common.
    let configuration: GeneratorConfiguration
    var findings: [Finding] = []
    var claims = NameClaims()
    var suggestions = Suggestions()
    /// The names under `types`, sound or not, so that a faulty type is not reported as unknown where it is used.
    var declaredTypes: Set<String> = []
    var enums: [String: EnumType] = [:]
    /// For each declared type, the widest access of the accessors that use it.
    var uses: [String: AccessLevel] = [:]

    init(source: Int, bytes: [UInt8], typeName: String?, configuration: GeneratorConfiguration) {
        self.source = source
        self.bytes = bytes
        self.typeName = typeName
        self.configuration = configuration
    }

    mutating func report(_ rule: Rule, at range: Range<Int>, _ message: String, note: String? = nil) {
        findings.append(
            Finding(rule: rule, place: place(range), message: message, notes: note.map { [.init(message: $0)] } ?? [])
        )
    }

    func place(_ range: Range<Int>) -> Place {
        Place(source: source, range: range)
    }

    /// Reads the file; nil where there is nothing to make of it.
    mutating func read(fileName: String) -> Schema? {
        guard let fields = readFields(.file) else { return nil }
        _ = string(fields["$schema"], what: "'$schema'")
        checkFormatVersion(fields)
        let host = host(fields["host"])
        let access =
            access(fields["access"], of: "everything in this file", hasHost: host != nil)
            ?? configuration.access ?? .internal
        if let types = fields["types"] { readTypes(types) }
        var contents = Namespace(path: [], ids: [], description: nil, access: access, keys: [], namespaces: [])
        contents.host = host
        readContents(of: &contents, from: fields)
        finishRoot(&contents, fields, fileName: fileName)
        return Schema(
            source: source,
            fileName: fileName,
            typeName: typeName,
            access: access,
            imports: configuration.imports,
            enums: finishedEnums(fileAccess: access),
            root: contents
        )
    }

    /// The fields of the object that is all of the text; nil, and reported, where there is none.
    mutating func readFields(_ kind: ObjectKind) -> Fields? {
        let json = JSONReader.read(bytes)
        for fault in json.faults { report(fault) }
        return json.root.flatMap { fields(of: $0, kind) }
    }

    private mutating func report(_ fault: JSONSyntaxError) {
        let range = fault.offset..<fault.offset
        switch fault.fault {
        case .duplicateName(_, let firstOffset):
            findings.append(
                Finding(
                    rule: .duplicateName,
                    place: place(range),
                    message: fault.message,
                    notes: [.init(place: place(firstOffset..<firstOffset), message: "it is here first")]
                )
            )
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
