import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

struct FileStoreJSONTests {
    private func withFile(_ text: String? = nil, _ body: (URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            if let text { try url.write(text) }
            try body(url)
        }
    }

    // MARK: Writing

    @Test("A new file has one entry a line, and sorted names")
    func aNewFileHasOneEntryALineAndSortedNames() throws {
        try withFile { url in
            try FileStore(url: url, durability: .immediate).apply([
                "weather:temperature": .set(70.0), "weather:count": .set(70), "weather:name": .set("Oslo \"S\""),
                "weather:on": .set(true), "weather:none": .set(.null), "weather:empty": .set([]),
                "weather:nothing": .set([:]), "weather:large": .set(.unsignedInt(.max)),
                "weather:list": .set([1, [2.5, ["b": 1, "a": []]]]),
                "weather:data": .set(.data(Data([0, 255]))),
                "weather:date": .set(.date(Date(timeIntervalSinceReferenceDate: 0.5))),
                "weather:far": .set(.date(Date(timeIntervalSinceReferenceDate: 1e15))),
                "weather:nan": .set(.double(.nan)), "weather:up": .set(.double(.infinity)),
                "weather:down": .set(.double(-.infinity)), "weather:zero": .set(.double(-0.0)),
                "weather:odd": .set(["$date": "mine"]), "weather:tags": .set(["$date": 1, "$data": 2]),
            ])
            let text = try url.text()
            #expect(
                text == """
                    {
                      "weather:count": 70,
                      "weather:data": {"$data": "AP8="},
                      "weather:date": {"$date": "2001-01-01T00:00:00.5Z"},
                      "weather:down": {"$double": "-infinity"},
                      "weather:empty": [],
                      "weather:far": {"$date": 1000000000000000.0},
                      "weather:large": 18446744073709551615,
                      "weather:list": [
                        1,
                        [
                          2.5,
                          {
                            "a": [],
                            "b": 1
                          }
                        ]
                      ],
                      "weather:name": "Oslo \\"S\\"",
                      "weather:nan": {"$double": "nan"},
                      "weather:none": null,
                      "weather:nothing": {},
                      "weather:odd": {"$dictionary": {
                        "$date": "mine"
                      }},
                      "weather:on": true,
                      "weather:tags": {
                        "$data": 2,
                        "$date": 1
                      },
                      "weather:temperature": 70.0,
                      "weather:up": {"$double": "infinity"},
                      "weather:zero": -0.0
                    }

                    """
            )
        }
    }

    @Test("A file without entries is an empty object")
    func aFileWithoutEntriesIsAnEmptyObject() throws {
        try withFile { url in
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["a": .set(1)])
            try store.apply(["a": .remove])
            #expect(try url.text() == "{}\n")
        }
    }

    @Test("Unchanged entries keep their text")
    func unchangedEntriesKeepTheirText() throws {
        let text = """
            { "$schema" : "app.json", "b": 1e400, "c" : {"y":[1,  2], "x": 12345678901234567890123},
              "d": 7.10, "e": "\\u00e9" }
            """
        try withFile(text) { url in
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1), "cc": .set(2), "d": .set(7.1)])
            #expect(
                try url.text() == """
                    { "$schema" : "app.json", "a": 1, "b": 1e400, "c" : {"y":[1,  2], "x": 12345678901234567890123}, "cc": 2,
                      "d": 7.10, "e": "\\u00e9" }
                    """
            )
        }
    }

    @Test("A file with unsorted names keeps their order, and gets new entries at its end")
    func aFileWithUnsortedNamesKeepsTheirOrderAndGetsNewEntriesAtItsEnd() throws {
        try withFile(#"{"z": 1, "a": 2, "m": 3}"#) { url in
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["b": .set(4), "a": .set(5)])
            #expect(try url.text() == #"{"z": 1, "a": 5, "m": 3, "b": 4}"#)
        }
    }

    @Test("New entries of one batch are appended in their order to a file with unsorted names")
    func newEntriesOfOneBatchAreAppendedInTheirOrderToAFileWithUnsortedNames() throws {
        try withFile(#"{"z": 1, "a": 2, "y": 3}"#) { url in
            let names = "bcdefghi".map(String.init)
            var batch = Dictionary(uniqueKeysWithValues: names.map { ($0, PreferenceEdit.set(0)) })
            batch["y"] = .remove
            try FileStore(url: url, durability: .immediate).apply(PreferenceBatch(batch))
            let added = names.map { "\"\($0)\": 0" }.joined(separator: ", ")
            #expect(try url.text() == "{\"z\": 1, \"a\": 2, \(added)}")
        }
    }

    @Test("New entries of one batch are inserted in a sorted file")
    func newEntriesOfOneBatchAreInsertedInASortedFile() throws {
        try withFile(#"{"b": 1, "d": 2, "f": 3, "h": 4}"#) { url in
            try FileStore(url: url, durability: .immediate).apply([
                "a": .set(0), "c": .set(0), "cc": .set(0), "d": .set(5), "e": .set(0), "f": .remove, "i": .set(0),
                "x": .remove,
            ])
            #expect(
                try url.text()
                    == #"{"a": 0, "b": 1, "c": 0, "cc": 0, "d": 5, "e": 0, "h": 4, "i": 0}"#
            )
        }
    }

    /// Each case is a file with `b` and `d`, and its contents after setting `a`, setting `c`, and removing `d`.
    @Test(
        "Hand-written layout is kept",
        arguments: [
            (
                "{\n    \"b\": 1,\n    \"d\": 2\n}\n",
                "{\n    \"a\": 0,\n    \"b\": 1,\n    \"c\": 0\n}\n"
            ),
            ("{\t\"b\":1,\r\n\t\"d\" : 2\r\n}", "{\t\"a\": 0,\r\n\t\"b\":1,\r\n\t\"c\": 0\r\n}"),
            ("{\"b\":1, \"d\":2}", "{\"a\": 0, \"b\":1, \"c\": 0}"),
            (
                "\n{\n\n\n  \"b\": 1\n\n  ,\"d\": 2 }\n\n",
                "\n{\n\n\n  \"a\": 0\n\n  ,\"b\": 1\n\n  ,\"c\": 0 }\n\n"
            ),
        ]
    )
    func handWrittenLayoutIsKept(old: String, new: String) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write(old)
            try FileStore(url: url, durability: .immediate).apply(["a": .set(0), "c": .set(0), "d": .remove])
            #expect(try url.text() == new)
        }
    }

    @Test("Text between entries is kept before the entry that follows it")
    func textBetweenEntriesIsKeptBeforeTheEntryThatFollowsIt() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\n  \"a\": 1,\n  \"b\": 2,\n\n  \"d\": 3,\n\n\n  \"e\": 4\n}\n")
            let store = FileStore(url: url, durability: .immediate)
            try store.apply(["b": .set(5), "c": .set(6), "d": .remove])
            #expect(try url.text() == "{\n  \"a\": 1,\n  \"b\": 5,\n  \"c\": 6,\n\n\n  \"e\": 4\n}\n")
            try store.apply(["a": .remove, "b": .remove])
            #expect(try url.text() == "{\n  \"c\": 6,\n\n\n  \"e\": 4\n}\n")
            try store.apply(["c": .remove, "e": .remove])
            #expect(try url.text() == "{}\n")
            try store.apply(["a": .set(1)])
            #expect(try url.text() == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test(
        "A file of one entry gets the second in the same layout",
        arguments: [("{\"a\": 1}", "{\"a\": 1, \"b\": 2}"), ("{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"b\": 2\n}")]
    )
    func aFileOfOneEntryGetsTheSecondInTheSameLayout(old: String, new: String) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write(old)
            try FileStore(url: url, durability: .immediate).apply(["b": .set(2)])
            #expect(try url.text() == new)
        }
    }

    @Test("A batch that changes nothing does not touch the file")
    func aBatchThatChangesNothingDoesNotTouchTheFile() throws {
        try withFile("{\"a\":1.50,\"b\":2}") { url in
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1.5), "c": .remove])
            #expect(try url.text() == "{\"a\":1.50,\"b\":2}")
        }
    }

    // MARK: Reading

    @Test("Integers and decimals are distinguished by their notation")
    func integersAndDecimalsAreDistinguishedByTheirNotation() throws {
        try withFile(
            #"{"a": 70, "b": 70.0, "c": 7e1, "d": -0, "e": 18446744073709551615, "f": 9223372036854775808, "g": 1e23}"#
        ) { url throws in
            let store = FileStore(url: url, durability: .immediate)
            #expect(try store.value(for: "a") == .int(70))
            #expect(try store.value(for: "b") == .double(70))
            #expect(try store.value(for: "c") == .double(70))
            #expect(try store.value(for: "d") == .int(0))
            #expect(try store.value(for: "e") == .unsignedInt(.max))
            #expect(try store.value(for: "f") == .unsignedInt(1 << 63))
            #expect(try store.value(for: "g") == .double(1e23))
        }
    }

    @Test("A hand-written file is read with the types of its values")
    func aHandWrittenFileIsReadWithTheTypesOfItsValues() throws {
        try withFile(
            #"""
            {
              "weather-service:temperature": 70,
              "weather-service:unit": "fahrenheit",
              "weather-service:lastUpdate": {"$date": "2026-11-21T01:19:19+01:00"}
            }
            """#
        ) { url in
            let weather = Preferences(store: FileStore(url: url, durability: .immediate)).weather
            #expect(weather.temperature == 70)
            #expect(weather.unit == .fahrenheit)
            #expect(weather.lastUpdate == Date(timeIntervalSinceReferenceDate: 816_913_159))
        }
    }

    @Test(
        "An entry that is not a value is a problem of its key only",
        arguments: [
            ("1e400", "line 2: a number is out of a Double's range"),
            (#"{"$date": "yesterday"}"#, #"line 2: a string is not valid content for "$date""#),
            (#"[{"$data": "?"}]"#, #"line 2: a string is not valid content for "$data""#),
            (#"{"$double": 1}"#, #"line 2: a number is not valid content for "$double""#),
            (#"{"$dictionary": []}"#, #"line 2: an array is not valid content for "$dictionary""#),
        ]
    )
    func anEntryThatIsNotAValueIsAProblemOfItsKeyOnly(text: String, message: String) throws {
        try withFile("{\n\"bad\": \(text),\n\"good\": 1}") { url in
            let store = FileStore(url: url, durability: .immediate)
            let problem = PreferenceProblem(.unsupportedValue, key: "bad", store: url.filePath, message: message)
            #expect(throws: problem) { try store.value(for: "bad") }
            #expect(try store.value(for: "good") == 1)
            #expect(try store.names() == ["bad", "good"])
            try store.apply(["good": .set(2)])
            #expect(try url.text() == "{\n\"bad\": \(text),\n\"good\": 2}")
            try store.apply(["bad": .set(3)])
            #expect(try url.text() == "{\n\"bad\": 3,\n\"good\": 2}")
        }
    }

    @Test("Tags of later versions are read as dictionaries")
    func tagsOfLaterVersionsAreReadAsDictionaries() throws {
        try withFile(#"{"a": {"$later": 1}, "b": {"$null": true}}"#) { url throws in
            let store = FileStore(url: url, durability: .immediate)
            #expect(try store.value(for: "a") == ["$later": 1])
            #expect(try store.value(for: "b") == ["$null": true])
        }
    }
}
