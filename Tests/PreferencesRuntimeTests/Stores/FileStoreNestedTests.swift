import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

struct FileStoreNestedTests {
    private typealias Contents = NestedContents<JSONFileContents<CommentedJSON>>

    private func contents(_ text: String) throws -> Contents { try Contents(parsing: Array(text.utf8)) }

    private func text(_ contents: Contents) throws -> String { String(decoding: try contents.encoded(), as: UTF8.self) }

    // MARK: Reading

    @Test(
        "A name is found in the objects of its namespaces",
        arguments: [
            ("a", #"{"a": 1}"#, 1), ("a:b", #"{"a": {"b": 1}}"#, 1), ("a:b", #"{"a:b": 1, "a": {"b": 2}}"#, 1),
            ("a:b:c", #"{"a": {"b": {"c": 1}}}"#, 1), ("a:b:c", #"{"a:b": {"c": 1}, "a": {"b:c": 2}}"#, 1),
            ("a:b:c", #"{"a": {"b:c": 2}}"#, 2), ("a:b", #"{"a": 1}"#, nil), ("a:b", #"{"a": [1]}"#, nil),
            ("a:$date", #"{"a": {"$date": "2001-01-01T00:00:00Z"}}"#, nil), ("a", #"{"a": {"b": 1}}"#, ["b": 1]),
            ("a:", #"{"a": {"": 1}}"#, 1), (":a", #"{"": {"a": 1}}"#, 1),
            ("a:\u{301}b", "{\"a\": {\"\u{301}b\": 1}}", 1),
        ] as [(String, String, PreferenceValue?)]
    )
    func reading(name: String, text: String, value: PreferenceValue?) throws {
        #expect(try contents(text).value(for: name) == value)
    }

    @Test("The names are those of objects and of their members")
    func names() throws {
        #expect(try contents(#"{"a": {"b": {"c": 1}}, "d": [1]}"#).names == ["a", "a:b", "a:b:c", "d"])
    }

    @Test("A value that cannot be read is reported with its line in the file, and its neighbors can be read")
    func lines() throws {
        let contents = try contents("{\n\"a\": {\n \"x\": {\n\"b\": 1,\n \"c\": 1e999}}}")
        #expect(try contents.value(for: "a:x:b") == 1)
        let error = #expect(throws: StoreFileValueError.self) { try contents.value(for: "a:x:c") }
        #expect(error?.message == "line 5: a number is out of a Double's range")
        #expect(error?.name == "a:x:c")
    }

    // MARK: Writing

    @Test(
        "A value is written into the object of its namespace",
        arguments: [
            (
                "{}\n", ["a:b": .set(1), "a:c:d": .set([1]), "e": .set(1)],
                """
                {
                  "a": {
                    "b": 1,
                    "c": {
                      "d": [
                        1
                      ]
                    }
                  },
                  "e": 1
                }

                """
            ),
            (#"{"a": {"b": 1}}"#, ["a:b": .set(2), "a:c": .set(3)], #"{"a": {"b": 2, "c": 3}}"#),
            (#"{"a:b": 1, "a": {}}"#, ["a:b": .set(2)], #"{"a:b": 2, "a": {}}"#),
            (#"{"a": 1}"#, ["a:b": .set(2)], #"{"a": 1, "a:b": 2}"#),
            (#"{"a": {"$data": "AA=="}}"#, ["a:b": .set(2)], #"{"a": {"$data": "AA=="}, "a:b": 2}"#),
            (#"{"a": {"b": 1}, "c": 2}"#, ["a:b": .remove], #"{"c": 2}"#),
            (#"{"a:b": 1, "a": {"b": 2, "x": 1e999}}"#, ["a:b": .remove], #"{"a": {"x": 1e999}}"#),
            (#"{"a": {"b": {"c": 1}}}"#, ["a:b:c": .remove], "{}\n"),
            (#"{"a": {"b": 1}}"#, ["a": .set(5), "a:b": .set(2)], #"{"a": 5, "a:b": 2}"#),
            (
                "{\n  \"a\": { // about a\n    \"b\": 1 // one\n  }\n}", ["a:b": .remove],
                "{\n  \"a\": { // about a\n    // one\n  }\n}"
            ),
            (
                "{\n  \"a\": { // about a\n    \"b\": 1 // one\n  } // end\n}", ["a:c": .set(["d": 1]), "e": .set(2)],
                "{\n  \"a\": { // about a\n    \"b\": 1, // one\n    \"c\": {\n      \"d\": 1\n    }\n  }, // end\n"
                    + "  \"e\": 2\n}"
            ),
        ] as [(String, [String: PreferenceEdit], String)]
    )
    func writing(old: String, edits: [String: PreferenceEdit], new: String) throws {
        var contents = try contents(old)
        #expect(try contents.apply(edits))
        #expect(try text(contents) == new)
    }

    @Test(
        "A name that would be mistaken for another in an object stays outside of it",
        arguments: ["::version", "a:", ":a", "a:$date"]
    )
    func flatNames(name: String) throws {
        var contents = Contents()
        #expect(try contents.apply([name: .set("2001-01-01T00:00:00Z")]))
        let read = try self.contents(text(contents))
        #expect(read.names == [name])
        #expect(try read.value(for: name) == "2001-01-01T00:00:00Z")
    }

    @Test("Resetting all keeps the version of migrations, and comments in objects")
    func resettingAll() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.jsonc")
            try url.write(
                "{\n  \"a\": { // about a\n    \"b\": {\"c\": 1}\n  },\n  \"d\": {\"e\": 1},\n  \"old\": 5\n}"
            )
            let store = FileStore(url: url, layout: .nested, durability: .immediate)
            let migration = PreferenceMigration(version: 1, [.move("old", to: "new")])
            let preferences = Preferences(store: store, migrations: [migration])
            #expect(preferences.get(named: "a:b:c", default: 0) == 1)
            try preferences.resetAll()
            let text = try url.text()
            #expect(text == "{\n  \"a\": { // about a\n  },\n  \"::version\": 1\n}")
        }
    }

    @Test("Comments that remain in an object without entries are no value, and stay")
    func emptyObjectWithComments() throws {
        var contents = try contents("{\n  \"limits\": {\n    // note\n    \"low\": 1\n  }\n}")
        for name in ["limits", "limits"] {
            _ = try contents.apply([name: .remove])
            #expect(try text(contents) == "{\n  \"limits\": {\n    // note\n  }\n}")
            #expect(try contents.value(for: "limits") == nil)
            #expect(contents.names == [])
        }
        #expect(try contents.apply(["limits:low": .set(2)]))
        #expect(try text(contents) == "{\n  \"limits\": {\n    \"low\": 2\n    // note\n  }\n}")
    }

    @Test("Comments two levels deep are no value either, and an empty dictionary replaces them")
    func deepComments() throws {
        var contents = try contents(#"{"a": {"b": { /* c */ "x": 1 }, "d": 1}}"#)
        #expect(try contents.apply(["a:b": .remove]))
        #expect(try contents.value(for: "a") == ["d": 1])
        #expect(contents.names == ["a", "a:d"])
        #expect(try contents.apply(["a:d": .remove]))
        #expect(try contents.value(for: "a") == nil)
        #expect(contents.names == [])
        #expect(try contents.apply(["a": .set([:])]))
        #expect(try self.contents(text(contents)).value(for: "a") == [:])
    }

    @Test("A value and names that continue its name can be set together")
    func overlappingNames() throws {
        var contents = Contents()
        #expect(try contents.apply(["a": .set(1), "a:d": .set(["k": 1])]))
        for contents in [contents, try self.contents(text(contents))] {
            #expect(try contents.value(for: "a") == 1)
            #expect(try contents.value(for: "a:d:k") == 1)
        }
    }

    @Test("A new entry that would be taken for a tag is not written into an object")
    func tags() throws {
        var contents = try contents(#"{"a": {}}"#)
        #expect(try contents.apply(["a:$data": .set("AA==")]))
        #expect(try self.contents(text(contents)).value(for: "a:$data") == "AA==")
    }

    @Test("An equal value changes nothing")
    func equalValue() throws {
        var contents = try contents(#"{"a": {"b": 1.50}}"#)
        #expect(try !contents.apply(["a:b": .set(1.5), "a:c": .remove, "x:y": .remove]))
        #expect(try text(contents) == #"{"a": {"b": 1.50}}"#)
    }

    @Test("What is written can be read, however deep the value and its namespaces are")
    func depth() throws {
        func value(_ levels: Int) -> PreferenceValue { (0..<levels).reduce(.array([])) { value, _ in [value] } }
        let name = "a:b:c"
        // The file's object, two namespaces, and the innermost array are levels, too.
        let deepest = value(StoreFileLimits.depth - 4)
        try Contents.check(name, deepest)
        var contents = Contents()
        #expect(try contents.apply([name: .set(deepest)]))
        #expect(try self.contents(text(contents)).value(for: name) == deepest)
        let error = #expect(throws: StoreFileValueError.self) { try Contents.check(name, [deepest]) }
        #expect(error?.message == "the value is nested more than 128 levels deep")
    }

    @Test(
        "Values are those of a dictionary, whatever is set and removed, and in which format",
        arguments: FileStore.Format.allCases,
        0..<10 as Range<UInt64>
    )
    func anyEdits(format: FileStore.Format, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var contents: any StoreFileContents = format.contents(in: .nested).init()
        var model: [String: PreferenceValue] = [:]
        // No name is that of a namespace, and no value is a dictionary: they would be members as well.
        let names = ["a", "b:a", "b:b", "b:c:a", "b:c:b", "d:d:d:d", "d:e", ":", "e:\u{301}f"]
        for round in 0..<30 {
            var edits: [String: PreferenceEdit] = [:]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let value: PreferenceValue = Bool.random(using: &random) ? .int(Int64(round)) : [1, "ä"]
                edits[names.randomElement(using: &random) ?? ""] = Bool.random(using: &random) ? .remove : .set(value)
            }
            let old = model
            for (name, edit) in edits { model[name] = edit.value }
            #expect(try contents.apply(edits) == (old != model))
            contents = try format.contents(in: .nested).init(parsing: contents.encoded())
            for name in names { #expect(try contents.value(for: name) == model[name]) }
            #expect(Set(model.keys).isSubset(of: contents.names))
            if model.isEmpty { #expect(contents.names == []) }
        }
    }

    @Test("Members of a property list that cannot be read stay in it")
    func unreadableMembers() throws {
        typealias Contents = NestedContents<PropertyListFileContents<XMLPropertyListFormat>>
        let file = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>a</key><dict>
            <key>bad</key><dict><key>$date</key><string>never</string></dict><key>b</key><integer>1</integer>
            </dict></dict></plist>
            """
        var contents = try Contents(parsing: Array(file.utf8))
        #expect(try contents.value(for: "a:b") == 1)
        #expect(throws: StoreFileValueError.self) { try contents.value(for: "a:bad") }
        #expect(try contents.apply(["a:b": .set(2)]))
        let read = try Contents(parsing: contents.encoded())
        #expect(try read.value(for: "a:b") == 2)
        #expect(throws: StoreFileValueError.self) { try read.value(for: "a:bad") }
    }

    // MARK: Store

    @Test("Preferences in the nested layout are written as people write them, and observers learn of edits by hand")
    func preferences() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.json")
            let store = FileStore(url: url, layout: .nested, durability: .immediate)
            try store.apply(["weather:temperature": .set(21.5), "weather:limits": .set(["low": -10])])
            #expect(
                try url.text() == """
                    {
                      "weather": {
                        "limits": {
                          "low": -10
                        },
                        "temperature": 21.5
                      }
                    }

                    """
            )
            let changes = Recorder<PreferenceStoreChange>()
            let observation = store.observe { changes.add($0) }
            defer { observation.cancel() }
            try url.write(#"{"weather": {"temperature": 3}}"#)
            try store.reload()
            #expect(
                changes.all == [.names(["weather", "weather:limits", "weather:limits:low", "weather:temperature"])]
            )
            #expect(try store.value(for: "weather:temperature") == 3)
        }
    }

    @Test("Stores in both layouts of one file read each other's values")
    func bothLayouts() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.json")
            let (flat, nested) = (FileStore(url: url), FileStore(url: url, layout: .nested))
            try flat.apply(["a:b": .set(1)])
            #expect(try nested.value(for: "a:b") == 1)
            try nested.apply(["c:d": .set(2)])
            try flat.reload()
            #expect(try flat.value(for: "c") == ["d": 2])
        }
    }
}
