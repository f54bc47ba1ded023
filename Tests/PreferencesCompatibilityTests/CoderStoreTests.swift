import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import Testing

@Suite("Coder store")
struct CoderStoreTests {
    private static let examples: [String: PreferenceValue] = [
        "text": "a", "dollar": "$null", "$name": "b", "yes": true, "one": 1, "one point zero": 1.0, "no": false,
        "zero": 0, "minus zero": -0.0, "half": 0.5, "greatest": .unsignedInt(.max), "least": .int(.min),
        "infinite": .double(.infinity),
        "data": .data(Data([1])), "null": .null, "list": [1, true, 1.0, .null, "$null"],
        "date": .date(Date(timeIntervalSinceReferenceDate: 0.1)), "dictionary": ["$a": "b", "preferenceValue": "1"],
    ]

    private func decoded(_ encode: (NSKeyedArchiver) throws -> Void) throws -> CoderStore {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        try encode(archiver)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        return CoderStore(decodingFrom: unarchiver)
    }

    @Test("Every kind of value is decoded exactly as it was encoded")
    func exactValues() throws {
        let store = try decoded { archiver in
            let store = CoderStore(encodingInto: archiver)
            try store.apply(PreferenceBatch(Self.examples.mapValues(PreferenceEdit.set)))
            try store.flush()
        }
        for (name, value) in Self.examples { #expect(try store.value(for: name) == value) }
        #expect(try store.value(for: "other") == nil)
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "coder", message: "it is read-only")) {
            try store.apply(["text": .remove])
        }
    }

    @Test("A name that the store reserves is refused, and has no value")
    func ownNames() throws {
        let store = try decoded { archiver in
            let store = CoderStore(encodingInto: archiver)
            let problem = PreferenceProblem(
                .unsupportedValue,
                key: "preferenceValue:volume",
                store: "coder",
                message: "names that begin with 'preferenceValue:' are the store's own"
            )
            #expect(throws: problem) { try store.apply(["preferenceValue:volume": .set("x"), "volume": .set(50)]) }
            try store.apply(["volume": .set(50)])
            try store.flush()
        }
        #expect(try store.value(for: "volume") == 50)
        #expect(try store.value(for: "preferenceValue:volume") == nil)
    }

    @Test(
        "An object's init?(coder:) and encode(with:) use the store, in secure archives and in others",
        arguments: [false, true]
    )
    func objects(isSecure: Bool) throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: ArchivedSettings(Self.examples),
            requiringSecureCoding: isSecure
        )
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = isSecure
        let object = unarchiver.decodeObject(of: ArchivedSettings.self, forKey: NSKeyedArchiveRootObjectKey)
        #expect(object?.values == Self.examples)
        // With the failure policy that records errors.
        let unarchived = try NSKeyedUnarchiver.unarchivedObject(ofClass: ArchivedSettings.self, from: data)
        #expect(unarchived?.values == Self.examples)
    }

    @Test("Other code reads Booleans and numbers by the methods for them, and the rest by decodeObject(forKey:)")
    func plainObjects() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        let store = CoderStore(encodingInto: archiver)
        let date = Date(timeIntervalSinceReferenceDate: 0.1)
        let values: [String: PreferenceValue] = [
            "yes": true, "one": 1, "least": .int(.min), "half": 0.5, "greatest": .unsignedInt(.max), "text": "a",
            "null": .null,
            "date": .date(date), "list": [2, "a"], "dictionary": ["a": [2.5]],
        ]
        try store.apply(PreferenceBatch(values.mapValues(PreferenceEdit.set)))
        try store.flush()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(unarchiver.decodeBool(forKey: "yes"))
        #expect(unarchiver.decodeInteger(forKey: "one") == 1)
        #expect(unarchiver.decodeInt64(forKey: "least") == .min)
        #expect(unarchiver.decodeDouble(forKey: "half") == 0.5)
        #expect(unarchiver.decodeObject(forKey: "greatest") as? UInt64 == .max)
        #expect(unarchiver.decodeObject(forKey: "text") as? String == "a")
        #expect(unarchiver.decodeObject(forKey: "null") is NSNull)
        #expect(unarchiver.decodeObject(forKey: "date") as? Date == date)
        #expect(unarchiver.decodeObject(forKey: "list") as? NSArray == [2, "a"])
        #expect(unarchiver.decodeObject(forKey: "dictionary") as? NSDictionary == ["a": [2.5]])
    }

    /// Foundation keeps a dictionary of an archive's objects, which can end the program if equal objects have different
    /// hashes. On Linux, this is the case for two `NSNull` objects, and for canonically equivalent strings.
    @Test("Equal objects of an archive have equal hashes, also those of several stores")
    func hashes() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        let objects = EncodedObjects()
        archiver.delegate = objects
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        for (name, text) in [("first", composed), ("last", decomposed)] {
            let store = CoderStore(encodingInto: archiver)
            let value = PreferenceValue.string(text)
            try store.apply([
                "\(name)Null": .set(.null), "\(name)Text": .set(value), "\(name)Dollar": .set(.string("$" + text)),
                "\(name)List": .set([value, .null, 1, 1.0, true]), "\(name)Dictionary": .set([text: .null]),
            ])
            try store.flush()
        }
        // A null, two texts, a number, a list and a dictionary, and the JSON of four of them.
        #expect(objects.all.count >= 10)
        for object in objects.all {
            for other in objects.all where object == other { #expect(object.hash == other.hash, "\(object)") }
        }
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let store = CoderStore(decodingFrom: unarchiver)
        #expect(try store.value(for: "lastText") == .string(decomposed))
        #expect(try store.value(for: "lastDollar") == .string("$" + decomposed))
        #expect(try store.value(for: "lastDictionary") == [decomposed: .null])
    }

    @Test("Objects that other code encoded are read")
    func externalObjects() throws {
        let store = try decoded { archiver in
            archiver.encode("a" as NSString, forKey: "text")
            archiver.encode(5 as NSNumber, forKey: "number")
            archiver.encode(["x": 1] as NSDictionary, forKey: "dictionary")
            archiver.encode(NSNull(), forKey: "null")
            archiver.encode(NSURL(string: "https://a.example")!, forKey: "url")
        }
        #expect(try store.value(for: "text") == "a")
        #expect(try store.value(for: "number") == 5)
        #expect(try store.value(for: "dictionary") == ["x": 1])
        #expect(try store.value(for: "null") == .null)
        #expect(try store.value(for: "url") == "https://a.example")
    }

    @Test("Archives of earlier versions, with JSON in dictionaries, are read")
    func earlierVersions() throws {
        let store = try decoded { archiver in
            archiver.encode(["preferenceValue": "true"] as NSDictionary, forKey: "yes")
            archiver.encode(["preferenceValue": "[1,true]"] as NSDictionary, forKey: "list")
        }
        #expect(try store.value(for: "yes") == true)
        #expect(try store.value(for: "list") == [1, true])
    }

    @Test("A value that was not encoded as an object is reported")
    func values() throws {
        let store = try decoded { archiver in
            archiver.encode(3, forKey: "integer")
            archiver.encode("a" as NSString, forKey: "text")
        }
        #expect(try store.value(for: "text") == "a")
        #expect { try store.value(for: "integer") } throws: { error in
            let problem = error as? PreferenceProblem
            return problem?.code == .unsupportedValue && problem?.key == "integer"
        }
    }

    @Test("Nothing is encoded before the store is flushed")
    func unflushed() throws {
        let store = try decoded { archiver in
            try CoderStore(encodingInto: archiver).apply(["a": .set(1)])
        }
        #expect(try store.value(for: "a") == nil)
    }

    @Test("A value that cannot be encoded is refused when it is set")
    func deepValues() throws {
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

/// The objects that an archiver encodes.
private final class EncodedObjects: NSObject, NSKeyedArchiverDelegate {
    private(set) var all: [NSObject] = []

    func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
        if let object = object as? NSObject { all.append(object) }
        return object
    }

    // Required on Linux.
    func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
    func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
    func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
    func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
}

/// An object that encodes and decodes its state by a ``CoderStore``.
final class ArchivedSettings: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let values: [String: PreferenceValue]

    init(_ values: [String: PreferenceValue]) {
        self.values = values
    }

    func encode(with coder: NSCoder) {
        coder.encode(Array(values.keys) as NSArray, forKey: "names")
        let store = CoderStore(encodingInto: coder)
        #expect(throws: Never.self) {
            try store.apply(PreferenceBatch(values.mapValues(PreferenceEdit.set)))
            try store.flush()
        }
    }

    init?(coder: NSCoder) {
        // Starts decoding.
        let names = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "names") as? [String] ?? []
        let store = CoderStore(decodingFrom: coder)
        values = Dictionary(
            uniqueKeysWithValues: names.compactMap { name in (try? store.value(for: name)).map { (name, $0) } }
        )
    }
}
