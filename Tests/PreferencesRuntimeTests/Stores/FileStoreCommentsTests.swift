import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

struct FileStoreCommentsTests {
    private typealias Contents = JSONFileContents<CommentedJSON>

    private func contents(_ text: String) throws -> Contents { try Contents(parsing: Array(text.utf8)) }

    private func text(_ contents: Contents) -> String { String(decoding: contents.encoded(), as: UTF8.self) }

    // MARK: Reading

    @Test("Comments and trailing commas can be anywhere between values")
    func reading() throws {
        let contents = try contents(
            """
            // head
            { /* a */ "a" /* b */ : /* c */ [1, /* d */ 2, // e
                 ], "b": {"$date": "2001-01-01T00:00:00Z", /* f */}, "c": "// no comment", "d": {/* g */ "e": 1,},
            } // end
            """
        )
        #expect(try contents.value(for: "a") == [1, 2])
        #expect(try contents.value(for: "b") == .date(Date(timeIntervalSinceReferenceDate: 0)))
        #expect(try contents.value(for: "c") == "// no comment")
        #expect(try contents.value(for: "d") == ["e": 1])
    }

    @Test("A file whose name ends in jsonc may have comments, and one whose name ends in json may not")
    func formatOfName() throws {
        try withTemporaryDirectory { folder in
            for (name, format) in [("a.jsonc", FileStore.Format.jsonWithComments), ("a.json", .json)] {
                let url = folder.appending(component: name)
                try url.write(#"{"a": 1} // one"#)
                let store = FileStore(url: url)
                #expect(store.format == format)
                #expect((try? store.value(for: "a")) == (format == .json ? nil : 1))
            }
        }
    }

    // MARK: Writing

    @Test(
        "Comments stay where they are",
        arguments: [
            (
                "a value changes", "{\n  // about a\n  \"a\": 1, // one\n  \"b\": 2\n}\n", ["a": .set(5)],
                "{\n  // about a\n  \"a\": 5, // one\n  \"b\": 2\n}\n"
            ),
            (
                "a member is added", "{\n  \"a\": 1 // one\n  // end\n}\n", ["b": .set(2)],
                "{\n  \"a\": 1, // one\n  \"b\": 2\n  // end\n}\n"
            ),
            (
                "a member is added after a trailing comma", "{\n\t\"a\": 1, // one\n}", ["b": .set(2), "c": .set(3)],
                "{\n\t\"a\": 1, // one\n\t\"b\": 2,\n\t\"c\": 3,\n}"
            ),
            (
                "a member is added to an object without members", "{ // none\n  // yet\n}", ["b": .set([1])],
                "{ // none\n  \"b\": [\n    1\n  ]\n  // yet\n}"
            ),
            ("a member is added on one line", "{/* none */}", ["b": .set(1)], "{/* none */\n  \"b\": 1\n}"),
            (
                "a member is removed with its line", "{\n  // a\n  \"a\": [\n    1\n  ],\n  \"b\": 2 // two\n}",
                ["a": .remove], "{\n  // a\n  \"b\": 2 // two\n}"
            ),
            (
                "a member is removed from a line with a comment", "{\n  \"a\": 1, // one\n  \"b\": 2\n}",
                ["a": .remove], "{\n  // one\n  \"b\": 2\n}"
            ),
            (
                "the last member is removed", "{\n  \"a\": 1, // one\n  \"b\": 2\n}", ["b": .remove],
                "{\n  \"a\": 1 // one\n}"
            ),
            (
                "the last member is removed before a trailing comma", "{\n  \"a\": 1, // one\n  \"b\": 2,\n}",
                ["b": .remove], "{\n  \"a\": 1, // one\n}"
            ),
            (
                "all members are removed", "{ // head\n  \"a\": 1, /* x */ \"b\": 2,\n}",
                ["a": .remove, "b": .remove], "{ // head\n  /* x */ \n}"
            ),
            (
                "the last member is replaced by a new one", "{\r\n  \"a\": 1, // one\r\n  \"b\": 2\r\n}\r\n",
                ["b": .remove, "c": .set(3)], "{\r\n  \"a\": 1, // one\r\n  \"c\": 3\r\n}\r\n"
            ),
            (
                "a comment is before the comma", "{\"a\": 1 /* one */, \"b\": 2}", ["a": .remove],
                "{ /* one */ \"b\": 2}"
            ),
            (
                "commas begin the lines", "{ // head\n    \"a\": 1\n  , \"b\": 2\n}", ["b": .remove],
                "{ // head\n    \"a\": 1\n   \n}"
            ),
            (
                "comments are inside a member", "{\"a\": /* one */ 1, \"b\" /* two */ : [2, /* x */ 3]}",
                ["a": .set(5), "b": .set([4])], "{\"a\": /* one */ 5, \"b\" /* two */ : [\n    4\n  ]}"
            ),
            (
                "comments are inside a member that is removed",
                "{\"a\": /* one */ 1, \"b\" /* two */ : // three\n 2}", ["a": .remove, "b": .remove],
                "{/* one */ /* two */// three\n}"
            ),
            (
                "a comment inside a member that is removed ends with a carriage return",
                "{\"a\": // one\r 1, \"b\": 2\n}", ["a": .remove], "{// one\r \"b\": 2\n}"
            ),
            ("there are none", "{\n  \"b\": 2,\n}", ["a": .set(1)], "{\n  \"a\": 1,\n  \"b\": 2,\n}"),
        ] as [(String, String, [String: PreferenceEdit], String)]
    )
    func writing(_: String, old: String, edits: [String: PreferenceEdit], new: String) throws {
        var contents = try contents(old)
        #expect(try contents.apply(edits))
        #expect(text(contents) == new)
    }

    @Test("No change removes a comment, or leaves the file invalid", arguments: 0..<60 as Range<UInt64>)
    func anyChange(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = Self.makeFile(&random)
        var (text, model) = (file.text, file.model)
        for round in 0..<12 {
            var contents = try contents(text)
            var edits: [String: PreferenceEdit] = [:]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let name = "k\(Int.random(in: 0..<9, using: &random))"
                let value: PreferenceValue =
                    Bool.random(using: &random) ? .int(Int64(round)) : [.int(Int64(round)), []]
                edits[name] = Int.random(in: 0..<3, using: &random) == 0 ? .remove : .set(value)
            }
            for (name, edit) in edits { model[name] = edit.value }
            _ = try contents.apply(edits)
            text = self.text(contents)
            let read = try self.contents(text)
            #expect(Set(model.keys) == read.names)
            for (name, value) in model { #expect(try read.value(for: name) == value) }
            #expect(Self.comments(in: text) == file.comments, "\(text)")
        }
    }

    /// Creates a file with numbered comments in random places.
    private static func makeFile(
        _ random: inout SeededRandom
    ) -> (text: String, comments: [String], model: [String: PreferenceValue]) {
        var comments: [String] = []
        func gap(_ random: inout SeededRandom) -> String {
            var text = ""
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    comments.append("// n\(comments.count)")
                    text += comments[comments.count - 1] + "\n"
                case 1:
                    comments.append("/* n\(comments.count) */")
                    text += comments[comments.count - 1]
                case 2: text += "\n  "
                default: text += " "
                }
            }
            return text
        }
        var text = gap(&random) + "{"
        var model: [String: PreferenceValue] = [:]
        let count = Int.random(in: 0...5, using: &random)
        for index in 0..<count {
            let name = "k\(index)"
            model[name] = .int(Int64(index))
            text += gap(&random) + "\"\(name)\"" + gap(&random) + ":" + gap(&random) + "\(index)" + gap(&random)
            if index < count - 1 || Bool.random(using: &random) { text += "," }
        }
        text += gap(&random) + "}" + gap(&random)
        return (text, comments, model)
    }

    private static func comments(in text: String) -> [String] {
        text.matches(of: /\/\/ n\d+|\/\* n\d+ \*\//).map { String($0.output) }
    }

    @Test("A file keeps its comments when preferences are set and reset")
    func preferencesKeepComments() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.jsonc")
            try url.write("{\n  // in °C\n  \"temperature\": 21.5, // warm\n}\n")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["temperature": .set(3.5), "unit": .set("kelvin")])
            try store.apply(["temperature": .remove])
            #expect(try url.text() == "{\n  // in °C\n  // warm\n  \"unit\": \"kelvin\",\n}\n")
        }
    }
}
