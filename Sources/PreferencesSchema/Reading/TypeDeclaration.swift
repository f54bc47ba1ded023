/// A type that a schema declares: what is known of it while reading.
struct TypeDeclaration {
    var name: Name
    var kind: Kind
    var description: String?
    /// Whether another schema generates it, which includes the same file: what is wrong with it is reported there.
    var isGeneratedElsewhere: Bool
    /// Whether the schema's own file has it, which surely wants to use it.
    var isIncluded: Bool
    var contents = Contents.faulty
    /// Of an enum, the names of its cases.
    var caseNames: Set<String> = []
    /// The names of an enum's cases by their raw values.
    var casesByRawValue: [String: String] = [:]
    /// The positions of a struct's fields in its contents.
    var fieldIndices = FieldIndices()
    /// The names of a struct's fields that are missing from its contents, because their types are faulty.
    var faultyFields: Set<String> = []

    /// The kinds, by the field of which each is made.
    enum Kind: String, CaseIterable {
        case `enum`
        case `struct`
        case external
    }

    enum Contents {
        /// What is wrong is reported, and where the type is used nothing more is said.
        case faulty
        case cases([EnumType.Case])
        case fields([Field])
        /// What Swift calls the type.
        case external(Name)
    }

    /// The positions of fields by their names and ids. Searching the fields for each value would take quadratic time.
    struct FieldIndices {
        var byName: [String: Int] = [:]
        var byID: [String: Int] = [:]
        /// Those that a value must have, in order.
        var required: [Int] = []

        init(_ fields: [Field] = []) {
            for (index, field) in fields.enumerated() {
                byName[field.name.text] = byName[field.name.text] ?? index
                byID[field.id] = byID[field.id] ?? index
                if field.isRequired { required.append(index) }
            }
        }
    }

    struct Field {
        var name: Name
        var id: String
        var description: String?
        var type: ValueType
        /// Where the type is spelt.
        var typeRange: Range<Int>
        /// The default, which is read when all structs are known.
        var defaultNode: JSONNode?
        var defaultValue: DefaultValue?

        /// Whether a value must have the field.
        var isRequired: Bool { defaultNode == nil && !type.isOptional }
    }

    /// What the name stands for in the type of a key.
    var type: ValueType {
        switch (kind, contents) {
        case (.enum, _): .enumeration(name.text)
        case (.struct, _): .structure(name.text)
        case (.external, .external(let swiftName)): .external(name.text, swiftName: swiftName.text)
        case (.external, _): .external(name.text, swiftName: name.text)
        }
    }

    /// Whether the name is another type's already, which is reported.
    var hasReservedName: Bool {
        (kind == .external ? ReservedNames.schemaTypes : ReservedNames.types).contains(name.text)
    }

    var isFaulty: Bool {
        if case .faulty = contents { true } else { false }
    }
}
