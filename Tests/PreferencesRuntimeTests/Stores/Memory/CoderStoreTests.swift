import Foundation
import PreferencesRuntime
import Testing

struct CoderStoreTests {
    private func decoded(_ encode: (NSKeyedArchiver) throws -> Void) throws -> CoderStore {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        try encode(archiver)
        return CoderStore(decodingFrom: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData))
    }

    @Test func whatWasEncodedIsDecoded() throws {
        let values: [String: PreferenceValue] = [
            "text": "a", "yes": true, "one": 1, "half": 0.5, "data": .data(Data([1])), "null": .null,
            "list": [1, true],
            "date": .date(Date(timeIntervalSinceReferenceDate: 0.1)), "$name": ["$a": "b"],
        ]
        let store = try decoded { archiver in
            let store = CoderStore(encodingInto: archiver)
            try store.apply(values.mapValues(PreferenceEdit.set))
            try store.flush()
        }
        for (name, value) in values { #expect(try store.value(for: name) == value) }
        #expect(try store.value(for: "other") == nil)
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "coder", message: "it can only be read")) {
            try store.apply(["text": .remove])
        }
    }

    @Test func objectsThatOthersEncodedAreRead() throws {
        let store = try decoded { archiver in
            archiver.encode("a" as NSString, forKey: "text")
            archiver.encode(5 as NSNumber, forKey: "number")
            archiver.encode(["x": 1] as NSDictionary, forKey: "dictionary")
        }
        #expect(try store.value(for: "text") == "a")
        #expect(try store.value(for: "number") == 5)
        #expect(try store.value(for: "dictionary") == ["x": 1])
    }

    @Test func whatIsNoObjectOfTheseIsToldAndNotTakenForNull() throws {
        let store = try decoded { archiver in
            archiver.encode(3, forKey: "integer")
            archiver.encode(NSURL(string: "https://a.example")!, forKey: "url")
        }
        #expect(try store.value(for: "url") == "https://a.example")
        #expect(throws: PreferenceProblem.self) { try store.value(for: "integer") }
    }

    @Test func nothingIsInTheCoderBeforeItIsFlushed() throws {
        let store = try decoded { archiver in
            try CoderStore(encodingInto: archiver).apply(["a": .set(1)])
        }
        #expect(try store.value(for: "a") == nil)
    }

    @Test func whatCannotBeEncodedIsRefusedWhenItIsSet() throws {
        let deep = (0..<600).reduce("a" as PreferenceValue) { value, _ in [value] }
        let store = CoderStore(encodingInto: NSKeyedArchiver(requiringSecureCoding: true))
        #expect(
            throws: PreferenceProblem(
                .unsupportedValue,
                key: "deep",
                store: "coder",
                message: "the value is nested more than 128 levels deep"
            )
        ) {
            try store.apply(["deep": .set(deep)])
        }
    }
}
