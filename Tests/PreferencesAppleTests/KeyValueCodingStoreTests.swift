import AppleStoresTestSupport
import Foundation
import PreferencesStoreTesting
import StoreTestSupport
import Testing

@testable import PreferencesApple
@testable import PreferencesRuntime

@Suite("Key-Value Coding store")
struct KeyValueCodingStoreTests {
    private let object = PropertyDouble([
        "volume": "Td,N,V_volume", "level": "Tc,N", "count": "Tq,N", "size": "TI,N", "ratio": "Tf,N",
        "isOn": "TB,N,V_isOn", "title": "T@\"NSString\",C,N,V_title", "page": "T@\"NSURL\",C,N",
        "id": "T@\"NSUUID\",C,N", "opened": "T@\"NSDate\",C,N", "image": "T@\"NSData\",C,N",
        "price": "T@\"NSDecimalNumber\",C,N", "number": "T@\"NSNumber\",&,N", "tags": "T@\"NSArray\",C,N",
        "notes": "T@\"NSDictionary\",C,N", "extra": "T@,&,N", "serial": "Tq,R,N",
        "frame": "T{CGRect={CGPoint=dd}{CGSize=dd}},N", "texts": "T@\"NSMutableArray\",&,N", "body": "T@?,C,N",
        "weak": "T@\"Player\",W,N",
    ])
    private let store: ObjectProperties

    init() {
        store = ObjectProperties(object)
    }

    @Test(
        "The store keeps the promises of stores",
        arguments: StoreCheck.all
    )
    func keepsThePromisesOfStores(check: StoreCheck) throws {
        try check.run(on: StoreSubject { ObjectProperties(PropertyDouble()) })
    }

    private func problem(_ key: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: key, store: "object of class Player", message: message)
    }

    // MARK: Values

    @Test(
        "A property keeps any value of its type",
        arguments: [
            ("volume", 0.25), ("level", -128), ("count", .int(.max)), ("size", 4_294_967_295), ("ratio", 123.1),
            ("isOn", true), ("title", "Oslo"), ("page", "https://example.org/a?b=c"),
            ("id", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
            ("opened", .date(Date(timeIntervalSinceReferenceDate: 0.1))),
            ("image", .data(Data([0, 255]))), ("price", 0.1), ("price", .int(.max)), ("price", 12345.678),
            ("number", false), ("number", 7), ("number", 7.5), ("tags", ["a", 1, [true]]), ("notes", ["a": ["b": 1]]),
            ("notes", ["$date": "mine"]), ("extra", ["a"]), ("extra", .unsignedInt(.max)),
        ] as [(String, PreferenceValue)]
    )
    func propertyKeepsValuesOfItsType(name: String, value: PreferenceValue) throws {
        try store.apply([name: .set(value)])
        #expect(try store.value(for: name) == value)
        #expect(object.calls == ["set \(name)", "get \(name)"])
    }

    @Test(
        "A value that a property cannot hold is refused with its batch, before the object is used",
        arguments: [
            ("volume", "loud", "expected Double, found the string \"loud\""),
            ("level", 128, "expected Int8, found the integer 128"),
            ("level", true, "expected Int8, found the boolean true"),
            ("count", .unsignedInt(1 << 63), "expected Int64, found the integer 9223372036854775808"),
            ("count", 1.5, "expected Int64, found the number 1.5"),
            ("size", -1, "expected UInt32, found the integer -1"),
            ("ratio", 1e300, "expected Float, found the number 1e+300"),
            ("isOn", 1, "expected Bool, found the integer 1"),
            ("title", 1, "expected String, found the integer 1"),
            ("page", "a b", "expected URL, found the string \"a b\""),
            ("id", "E621", "expected UUID, found the string \"E621\""),
            ("opened", 1.5, "expected Date, found the number 1.5"),
            ("image", "AAAA", "expected Data, found the string \"AAAA\""),
            ("price", .double(.nan), "expected a decimal number, found the number nan"),
            ("price", 1e300, "expected a decimal number, found the number 1e+300"),
            ("number", "1", "expected a number or a boolean, found the string \"1\""),
            ("tags", ["a": 1], "expected an array, found a dictionary"),
            ("notes", [1], "expected a dictionary, found an array"),
            ("extra", .null, "expected a value other than null, found null"),
            ("title", .null, "expected String, found null"),
            ("serial", 1, "this property of Player is read-only"),
            ("frame", 1, "Player has no property of this name with a supported type that Objective-C can use"),
            (
                "texts", [],
                "Player has no property of this name with a supported type that Objective-C can use"
            ),
            ("body", 1, "Player has no property of this name with a supported type that Objective-C can use"),
            ("weak", 1, "Player has no property of this name with a supported type that Objective-C can use"),
            ("none", 1, "Player has no property of this name with a supported type that Objective-C can use"),
            (
                "title.length", 1,
                "Player has no property of this name with a supported type that Objective-C can use"
            ),
        ] as [(String, PreferenceValue, String)]
    )
    func valuesOfOtherTypesAreRefused(
        name: String,
        value: PreferenceValue,
        message: String
    ) throws {
        // `volume` or `count` is in the same batch, and is not set either.
        let batch: [String: PreferenceEdit] = [name == "volume" ? "count" : "volume": .set(1), name: .set(value)]
        #expect(throws: problem(name, message)) { try store.apply(PreferenceBatch(batch)) }
        #expect(throws: problem(name, message)) { try store.update { _ in PreferenceBatch(batch) } }
        #expect(object.calls == [])
    }

    @Test(
        "A name without a supported property is not set, and is never passed to the object",
        arguments: ["frame", "texts", "body", "weak", "none", "", "title\u{0}", "@count", "title.length"]
    )
    func unsupportedNamesAreNotSet(name: String) throws {
        #expect(try store.value(for: name) == nil)
        #expect(try store.origin(of: name) == nil)
        try store.apply([name: .remove])
        #expect(object.calls == [])
    }

    @Test("The names are those of the properties that have a value")
    func namesAreThoseOfPropertiesWithValues() throws {
        let numbers: Set<String> = ["volume", "level", "count", "size", "ratio", "isOn", "serial"]
        #expect(store.names() == numbers)
        try store.apply(["title": .set("Oslo")])
        #expect(store.names() == numbers.union(["title"]))
        try store.apply(["title": .remove])
        #expect(store.names() == numbers)
        #expect(try store.value(for: "title") == nil)
    }

    @Test("Removing a number is refused")
    func numbersCannotBeRemoved() throws {
        let message = "this property of Player is a number or a boolean, and cannot be removed"
        #expect(throws: problem("volume", message)) { try store.apply(["title": .set("a"), "volume": .remove]) }
        #expect(throws: problem("serial", "this property of Player is read-only")) {
            try store.apply(["serial": .remove])
        }
        #expect(object.calls == [])
    }

    @Test("Reading an object of an unsupported type throws a problem of its name")
    func unsupportedObjectsAreReported() {
        object.change("extra", to: NSObject())
        object.change("title", to: NSNumber(value: 1))
        #expect(throws: problem("extra", "an object of type NSObject is not a preference value")) {
            try store.value(for: "extra")
        }
        #expect(throws: problem("title", "an object of type NSNumber is not a preference value")) {
            try store.value(for: "title")
        }
    }

    // MARK: Methods that key-value coding finds

    @Test(
        "A property is read by each method that key-value coding finds",
        arguments: ["getName", "name", "isName", "_name"]
    )
    func propertiesAreReadByEachGetter(method: String) throws {
        let object = PropertyDouble(["name": "T@\"NSString\",C,N"], values: ["name": "a"], methods: [method])
        let store = ObjectProperties(object)
        #expect(try store.value(for: "name") == "a")
        #expect(throws: problem("name", "this property of Player is read-only")) {
            try store.apply(["name": .set("b")])
        }
    }

    @Test(
        "A property is set by each method that key-value coding finds",
        arguments: ["setName:", "_setName:"]
    )
    func propertiesAreSetByEachSetter(method: String) throws {
        let object = PropertyDouble(["name": "T@\"NSString\",C,N"], methods: ["name", method])
        let store = ObjectProperties(object)
        try store.apply(["name": .set("b")])
        #expect(try store.value(for: "name") == "b")
    }

    @Test("A property without methods that key-value coding finds is not supported")
    func propertiesWithoutStandardMethodsAreUnsupported() throws {
        let object = PropertyDouble(
            ["name": "T@\"NSString\",C,N,GgiveName,SchangeName:"],
            methods: ["giveName", "changeName:"]
        )
        let store = ObjectProperties(object)
        #expect(try store.value(for: "name") == nil)
        #expect(store.names() == [])
        #expect(object.calls == [])
    }

    @Test(
        "A declaration is parsed from the runtime's attributes",
        arguments: [
            ("Tq,R,N,V_a", "q", true), ("T@\"NSString\",C,N,V_R", "@\"NSString\"", false),
            ("T{pair<int, long>=\"a\"i\"b,c\"q},R", "{pair<int, long>=\"a\"i\"b,c\"q}", true), ("Tq", "q", false),
        ]
    )
    func declarationsAreParsed(attributes: String, encoding: String, isReadOnly: Bool) throws {
        let declaration = try #require(PropertyDeclaration(name: "a", attributes: attributes))
        #expect(declaration.encoding == encoding && declaration.isReadOnly == isReadOnly)
    }

    @Test("On Macs with Intel processors, an 8-bit integer may be a Boolean")
    func smallNumbersMayBeBooleansOnIntelMacs() throws {
        let declaration = PropertyDeclaration(name: "a", attributes: "Tc,N", booleansAreCharacters: true)
        let type = try #require(declaration?.type)
        #expect(try type.object(from: true) as? Bool == true)
        #expect(try type.object(from: 7) as? Int8 == 7)
        #expect(throws: PreferenceConversionError(expected: Int8.self, found: 128)) { try type.object(from: 128) }
        let values = try [0, 1, 7].map { try type.value(from: NSNumber(value: Int8($0))) }
        #expect(values == [false, true, 7])
    }

    // MARK: Changes

    @Test("Watchers observe changes that other code makes in the object")
    func externalChangesReachWatchers() throws {
        let preferences = Preferences(store: store)
        let seen = Recorder<PreferenceChange<Int>>()
        preferences.watch(\.count, options: .old) { seen.add($0) }
        object.change("count", to: NSNumber(value: 3))
        preferences.count = 4
        #expect(seen.all == [PreferenceChange(old: 0, new: 3, origin: .external), PreferenceChange(old: 3, new: 4)])
    }

    @Test("The store observes the object's properties as long as it has observers itself")
    func observesTheObjectWhileObserved() {
        #expect(object.observedNames == [])
        let first = store.observe { _ in }
        let second = store.observe { _ in }
        let expected: Set<String> = [
            "volume", "level", "count", "size", "ratio", "isOn", "title", "page", "id", "opened", "image", "price",
            "number", "tags", "notes", "extra", "serial",
        ]
        #expect(object.observedNames == expected)
        first.cancel()
        #expect(object.observedNames == expected)
        second.cancel()
        #expect(object.observedNames == [])
    }

    @Test("Observers are notified of changes that a setter makes to other properties, once the store is unlocked")
    func changesBySettersAreNotifiedAfterTheBatch() throws {
        object.afterSetting("volume") { $0.change("title", to: "changed") }
        let changes = StoreChanges(of: store)
        let store = store
        let observation = store.observe { _ in
            onAnotherThread { _ = try? store.value(for: "title") }
        }
        defer { observation.cancel() }
        try store.apply(["volume": .set(0.5)])
        #expect(changes.soFar == [.names(["title"]), .names(["volume"])])
    }

    @Test("Reloading notifies observers that any value may have changed")
    func reloadingNotifiesOfEverything() {
        let changes = StoreChanges(of: store)
        store.reload()
        #expect(changes.soFar == [.everything])
    }
}

extension PreferenceAccessors {
    fileprivate var count: Int {
        get { get("count", default: 0) }
        nonmutating set { set("count", to: newValue) }
    }
}
