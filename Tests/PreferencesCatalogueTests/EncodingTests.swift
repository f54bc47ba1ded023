import Foundation
import PreferencesCatalogue
import PreferencesRuntime
import Testing

@Suite("Encoded catalogues")
struct EncodingTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("A description has its documented fields, and optional ones only if they have contents")
    func keys() throws {
        let minimal = PreferenceKeyDescription("a", storageName: "a", type: .bool, default: .value(true))
        let full = PreferenceKeyDescription(
            "b.c",
            storageName: "b:c",
            type: .optional(.double),
            default: .value(.null),
            constraints: [.range(from: 0.5, through: 2), .oneOf([1.0, 1.5])],
            label: "C",
            description: "A number.",
            unit: "°C",
            access: .public,
            isReadOnly: true,
            isManageable: true,
            scope: .user,
            mergeRule: .max,
            deprecation: "use d",
            formerNames: ["c"]
        )
        #expect(
            try json(PreferenceCatalogue([minimal, full])) == """
                {"keys":[{"access":"internal","default":true,"formerNames":[],"keyPath":"a","managed":false,\
                "readOnly":false,"scope":"machine","secret":false,"storageName":"a","type":{"kind":"bool","name":"Bool"}},\
                {"access":"public","constraints":{"choices":[1,1.5],"maximum":2,"minimum":0.5},"default":null,\
                "deprecated":"use d","description":"A number.","formerNames":["c"],"keyPath":"b.c","label":"C",\
                "managed":true,"merge":"max","readOnly":true,"scope":"user","secret":false,"storageName":"b:c",\
                "type":{"kind":"optional","name":"Double?","wrapped":{"kind":"double","name":"Double"}},"unit":"°C"}]}
                """
        )
    }

    @Test("The default of a secret is omitted, and an expression is not a value")
    func defaults() throws {
        let secret = PreferenceKeyDescription(
            "a",
            storageName: "a",
            type: .string,
            default: .value("hunter2"),
            isSecret: true
        )
        #expect(
            try json(secret) == """
                {"access":"internal","formerNames":[],"keyPath":"a","managed":false,"readOnly":false,"scope":"machine","secret":true,\
                "storageName":"a","type":{"kind":"string","name":"String"}}
                """
        )
        let computed = PreferenceKeyDescription(
            "a",
            storageName: "a",
            type: .date,
            default: .computed("Date()") { _ in Date() }
        )
        #expect(try json(computed).contains(#""defaultExpression":"Date()","#))
        #expect(try !json(computed).contains(#""default":"#))
    }

    @Test("Each constraint has the name that it has in schemas")
    func constraints() throws {
        let key = PreferenceKeyDescription(
            "a",
            storageName: "a",
            type: .array(.string),
            default: .value([]),
            constraints: [
                .count(minimum: 1, maximum: 3), .each([.length(minimum: 2, maximum: nil), .pattern("[a-z]*")]),
            ]
        )
        #expect(
            try json(key).contains(
                #""constraints":{"each":{"minLength":2,"pattern":"[a-z]*"},"maxCount":3,"minCount":1}"#
            )
        )
    }

    @Test("Enums have their cases and structs their fields, but a struct inside itself has none")
    func types() throws {
        #expect(
            try json(PreferenceType.dictionary(.unit)) == """
                {"kind":"dictionary","name":"[String: Unit]","value":{"cases":[{"name":"celsius","value":"celsius"},\
                {"name":"fahrenheit","value":"F"}],"kind":"enum","name":"Unit"}}
                """
        )
        #expect(
            try json(Self.tree) == """
                {"fields":[{"id":"n","name":"name","required":true,"type":{"kind":"string","name":"String"}},\
                {"id":"children","name":"children","required":false,\
                "type":{"element":{"kind":"struct","name":"Tree"},"kind":"array","name":"[Tree]"}}],\
                "kind":"struct","name":"Tree"}
                """
        )
        let kinds: [PreferenceType] = [
            .integer(.uint8), .float, .data, .url, .uuid, .duration, .external("Color", valueType: nil), .set(.date),
        ]
        #expect(
            try json(kinds) == """
                [{"kind":"integer","name":"UInt8"},{"kind":"float","name":"Float"},{"kind":"data","name":"Data"},\
                {"kind":"url","name":"URL"},{"kind":"uuid","name":"UUID"},{"kind":"duration","name":"Duration"},\
                {"kind":"external","name":"Color"},\
                {"element":{"kind":"date","name":"Date"},"kind":"set","name":"Set<Date>"}]
                """
        )
    }

    private static var tree: PreferenceType {
        .structure(
            .init(
                "Tree",
                fields: {
                    [
                        .init("name", id: "n", type: .string, isRequired: true),
                        .init("children", id: "children", type: .array(Self.tree), isRequired: false),
                    ]
                }
            )
        )
    }

    @Test("Values of every kind are encoded as files contain them")
    func values() throws {
        let value: PreferenceValue = [
            "null": nil, "bool": true, "int": -5, "unsigned": .unsignedInt(.max), "double": 0.1,
            "infinity": .double(-.infinity), "nan": .double(.nan), "string": "é\n", "data": .data(Data([0, 1])),
            "date": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
            "distant": .date(Date(timeIntervalSinceReferenceDate: 1e15)), "array": [1, "a", []],
            "tagged": ["$date": "x"], "nested": ["a": ["b": 1]],
        ]
        let key = PreferenceKeyDescription(
            "a",
            storageName: "a",
            type: .external("A", valueType: nil),
            default: .value(value)
        )
        guard case .dictionary(let fields)? = PreferenceValue(jsonText: try json(key)) else {
            Issue.record("the description is no object")
            return
        }
        #expect(fields["default"] == value)
    }
}
