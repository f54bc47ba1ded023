import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// An object that no store holds.
private final class Unsupported {}

@Suite("Prephirences: property lists")
struct PropertyListParityTests {
    // MARK: [String: Any]

    @Test("from and to [String: Any]: a property list of every type has the same values in a store")
    func roundTrip() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let list: [String: Any] = [
            "on": true, "count": 5, "small": UInt8(3), "scale": 1.5, "text": "Oslo", "data": Data([1, 2]), "date": date,
            "list": [1, "a", [true]] as [Any], "nested": ["a": ["b": 1]],
        ]
        let values: [String: PreferenceValue] = [
            "on": true, "count": 5, "small": 3, "scale": 1.5, "text": "Oslo", "data": .data(Data([1, 2])),
            "date": .date(date), "list": [1, "a", [true]], "nested": ["a": ["b": 1]],
        ]
        #expect(try [String: PreferenceValue](propertyList: list) == values)
        let store = MemoryStore()
        try store.merge(.init(propertyList: list))
        #expect(try store.dictionary() == values)
        let back = try store.dictionary().propertyList()
        #expect(back["count"] as? Int == 5 && (back["nested"] as? [String: [String: Int]]) == ["a": ["b": 1]])
        #expect(NSDictionary(dictionary: back) == NSDictionary(dictionary: list))
        #expect(try [String: PreferenceValue](propertyList: back) == values)
    }

    @Test("UserDefaults.dictionaryRepresentation() becomes the values of a store")
    func userDefaults() throws {
        try withSuite { _, defaults in
            defaults.set(["a": [1, 2]], forKey: "nested")
            defaults.set(true, forKey: "on")
            let store = MemoryStore()
            try store.merge(.init(propertyList: defaults.dictionaryRepresentation()))
            #expect(store.value(for: "nested") == ["a": [1, 2]])
            #expect(store.value(for: "on") == true)
        }
    }

    @Test("typed error for what no store holds; nothing partly applied")
    func unsupported() throws {
        let store: MemoryStore = ["b": 1]
        let list: [String: Any] = ["b": 2, "a": ["list": [1, 2, Unsupported()]]]
        let error = #expect(throws: PreferenceProblem.self) { try store.merge(.init(propertyList: list)) }
        #expect(error?.code == .unsupportedValue)
        #expect(error?.key == "a")
        #expect(error?.message == "at .list[2]: an object of type Unsupported is not a preference value")
        #expect(try store.dictionary() == ["b": 1])

        let whole = #expect(throws: PreferenceProblem.self) {
            try [String: PreferenceValue](propertyList: ["a": Unsupported()])
        }
        #expect(
            whole?.description
                == "property list: 'a': an object of type Unsupported is not a preference value"
        )
        let part = #expect(throws: PreferenceProblem.self) {
            try PreferenceValue(propertyListObject: ["a": [NSNull()]])
        }
        #expect(part?.description == "property list: at .a[0]: an object of type NSNull is not a preference value")
    }

    @Test("A decimal that a Double cannot represent is refused, not rounded")
    func decimals() throws {
        let long = try #require(Decimal(string: "0.1234567890123456789012345"))
        let error = #expect(throws: PreferenceProblem.self) { try PreferenceValue(propertyListObject: ["price": long]) }
        #expect(error?.message == "at .price: 0.1234567890123456789012345 cannot be represented by a Double")
        let texts = ["19.9", "19.99", "0.56", "3.67", "0.07", "-1.005", "1e-20", "1e100", "0", "12345678"]
        for text in texts {
            let decimal = try #require(Decimal(string: text))
            let number = try #require(Double(text))
            let value = try PreferenceValue(propertyListObject: [decimal, NSDecimalNumber(decimal: decimal)])
            #expect(value == [.double(number), .double(number)])
        }
    }

    @Test("A value that is nested too deeply is refused in both directions")
    func depth() {
        var object: Any = 1
        var value: PreferenceValue = 1
        for _ in 0..<200 {
            object = [object]
            value = [value]
        }
        let limit = "'a': the value is nested more than 128 levels deep"
        let from = #expect(throws: PreferenceProblem.self) {
            try [String: PreferenceValue](propertyList: ["a": object])
        }
        #expect(from?.description == "property list: \(limit)")
        let to = #expect(throws: PreferenceProblem.self) { try ["a": value].propertyList() }
        #expect(to?.description == "property list: \(limit)")
    }

    // MARK: Files

    @Test("a property list from a path; missing and malformed are told apart", arguments: ["json", "plist"])
    func path(_ suffix: String) throws {
        try withTemporaryDirectory { folder in
            let path = folder.appending(path: "list.\(suffix)").path(percentEncoded: false)
            let missing = #expect(throws: PreferenceProblem.self) { try FileStore(path: path).existing() }
            #expect(missing?.description == "\(path): it does not exist")
            #expect(missing?.code == .storeMissing)
            #expect(!FileManager.default.fileExists(atPath: path))

            try FileStore(path: path).replaceAll(with: ["a": 1])
            let store = try FileStore(path: path).existing().readOnly
            #expect(try store.dictionary() == ["a": 1])

            try Data("{ no".utf8).write(to: URL(filePath: path))
            let malformed = #expect(throws: PreferenceProblem.self) { try FileStore(path: path).existing() }
            #expect(malformed?.code == .storeMalformed)
            #expect((try? FileStore(path: path).existing()) === nil)

            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let unreadable = #expect(throws: PreferenceProblem.self) { try FileStore(path: path).existing() }
            #expect(unreadable?.code == .storeUnreadable)
        }
    }

    @Test("a bundle's resource is a read-only store; missing and malformed are told apart")
    func resource() throws {
        try withTemporaryDirectory { folder in
            let list = ["theme": "dark"]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            try data.write(to: folder.appending(path: "Defaults.plist"))
            try Data("{\"volume\": 1}".utf8).write(to: folder.appending(path: "Defaults.json"))
            try Data("{".utf8).write(to: folder.appending(path: "Bad.json"))
            let bundle = try #require(Bundle(url: folder))
            let store = try BundleStore(resource: "Defaults.plist", in: bundle)
            #expect(try store.dictionary() == ["theme": "dark"])
            #expect(try BundleStore(resource: "Defaults.json", in: bundle).dictionary() == ["volume": 1])
            #expect(!store.supports(.writing))
            let missing = #expect(throws: PreferenceProblem.self) {
                try BundleStore(resource: "None.plist", in: bundle)
            }
            #expect(missing?.code == .storeMissing)
            #expect(missing?.description == "None.plist of \(bundle.bundlePath): the bundle has no such resource")
            let malformed = #expect(throws: PreferenceProblem.self) {
                try BundleStore(resource: "Bad.json", in: bundle)
            }
            #expect(malformed?.code == .storeMalformed)
        }
    }

    @Test("writing it: a whole dictionary replaces the file, as JSON or as a property list")
    func writing() throws {
        try withTemporaryDirectory { folder in
            let list: [String: Any] = ["a": 1, "list": [1, 2]]
            let (json, plist) = (folder.appending(path: "a.json"), folder.appending(path: "a.plist"))
            for url in [json, plist] {
                let store = FileStore(url: url)
                try store.replaceAll(with: ["old": 1])
                try store.replaceAll(with: .init(propertyList: list))
            }
            let decoded = try JSONDecoder().decode([String: Value].self, from: Data(contentsOf: json))
            #expect(decoded == ["a": .number(1), "list": .list([1, 2])])
            let read = try PropertyListSerialization.propertyList(from: Data(contentsOf: plist), format: nil)
            #expect(read as? NSDictionary == NSDictionary(dictionary: list))
        }
    }

    private enum Value: Decodable, Equatable {
        case number(Int)
        case list([Int])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? .number(container.decode(Int.self))) ?? .list(container.decode([Int].self))
        }
    }
}
