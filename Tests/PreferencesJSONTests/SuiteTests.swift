import Foundation
import PreferencesJSON
import Testing

/// The cases of the public JSON parsing test suite.
@Suite("The JSON parsing test suite")
struct SuiteTests {
    @Test("Every text that must be accepted is read as Foundation reads it", arguments: AcceptedText.all)
    func accepted(_ text: AcceptedText) throws {
        let node = try JSONReader.parse(text.bytes)
        let expected = try JSONSerialization.jsonObject(with: Data(text.bytes), options: .fragmentsAllowed)
        #expect(PlainJSON(node) == PlainJSON(expected))
    }

    @Test("Every text that must be refused has its expected faults", arguments: RefusedText.all)
    func refused(_ text: RefusedText) {
        #expect(!text.faults.isEmpty)
        #expect(JSONReader.read(text.bytes).faults == text.faults)
    }

    @Test("Every implementation-defined text has its expected faults", arguments: RefusedText.implementationDefined)
    func implementationDefined(_ text: RefusedText) {
        let result = JSONReader.read(text.bytes)
        #expect(result.faults == text.faults)
        #expect(result.root != nil || !result.faults.isEmpty)
    }

    @Test("Parsing throws the first fault of every text that must be refused", arguments: RefusedText.all)
    func firstFaultIsThrown(_ text: RefusedText) throws {
        let first = try #require(text.faults.first)
        #expect(throws: first) { try JSONReader.parse(text.bytes) }
    }

    @Test("Every fault has a message of one line", arguments: RefusedText.all + RefusedText.implementationDefined)
    func messages(_ text: RefusedText) {
        for fault in text.faults {
            #expect(!fault.message.isEmpty && !fault.message.contains(where: \.isNewline))
            #expect(!fault.message.hasSuffix("."))
        }
    }
}

/// A JSON value without ranges, for comparison with another reader's.
private indirect enum PlainJSON {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([PlainJSON])
    case object([String: PlainJSON])

    init(_ node: JSONNode) {
        self =
            switch node.content {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .number(let number): .number(number.double ?? .nan)
            case .string(let string): .string(string)
            case .array(let nodes): .array(nodes.map(PlainJSON.init))
            case .object(let members):
                .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, PlainJSON($0.value)) }))
            }
    }

    init(_ value: Any) {
        switch value {
        case let array as [Any]: self = .array(array.map { PlainJSON($0) })
        case let object as [String: Any]: self = .object(object.mapValues { PlainJSON($0) })
        case let string as String: self = .string(string)
        case let number as NSNumber:
            // Foundation represents a Boolean as a number of type `char`.
            self = String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .number(number.doubleValue)
        default: self = .null
        }
    }
}

extension PlainJSON: Equatable {
    static func == (first: Self, second: Self) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        // Foundation's numbers are off by a few units in the last place.
        case (.number(let first), .number(let second)): abs(first - second) <= 1e-14 * abs(first)
        case (.string(let first), .string(let second)): first == second
        case (.array(let first), .array(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        default: false
        }
    }
}
