import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

struct FileStorePropertyListTests {
    /// The end of the message if a damaged file is not set aside.
    private let justNow = "the file was changed just now, perhaps by an editor: try again in half a second"

    private func withFile(_ name: String = "preferences.plist", _ body: (URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in try body(folder.appending(component: name)) }
    }

    private func object(_ url: URL) throws -> [String: Any] {
        try #require(
            try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any]
        )
    }

    @Test("The format follows the file's extension")
    func theFormatFollowsTheFilesExtension() {
        #expect(FileStore(url: URL(filePath: "/a/b.plist"), durability: .immediate).format == .xmlPropertyList)
        #expect(FileStore(url: URL(filePath: "/a/b.PLIST"), durability: .immediate).format == .xmlPropertyList)
        #expect(FileStore(url: URL(filePath: "/a/b.json"), durability: .immediate).format == .json)
        #expect(FileStore(url: URL(filePath: "/a/b"), durability: .immediate).format == .json)
        #expect(
            FileStore(url: URL(filePath: "/a/b.json"), format: .binaryPropertyList, durability: .immediate).format
                == .binaryPropertyList
        )
    }

    @Test(
        "The file is written in its format",
        arguments: [(.xmlPropertyList, "<?xml"), (.binaryPropertyList, "bplist00")] as [(FileStore.Format, String)]
    )
    func theFileIsWrittenInItsFormat(format: FileStore.Format, start: String) throws {
        try withFile { url in
            try FileStore(url: url, format: format, durability: .immediate).apply(["a": .set(1)])
            #expect(try url.text().hasPrefix(start))
        }
    }

    @Test(
        "Values are stored as other code expects them",
        arguments: [.xmlPropertyList, .binaryPropertyList] as [FileStore.Format]
    )
    func valuesAreStoredAsOtherCodeExpectsThem(format: FileStore.Format) throws {
        try withFile { url in
            let date = Date(timeIntervalSinceReferenceDate: 60)
            try FileStore(url: url, format: format, durability: .immediate).apply([
                "bool": .set(true), "int": .set(1), "double": .set(1.5), "string": .set("a"),
                "data": .set(.data(Data([1]))), "array": .set(["a"]), "date": .set(.date(date)),
            ])
            let object = try object(url)
            #expect(object["bool"] as? Bool == true)
            #expect(object["int"] as? Int == 1)
            #expect(object["double"] as? Double == 1.5)
            #expect(object["string"] as? String == "a")
            #expect(object["data"] as? Data == Data([1]))
            #expect(object["array"] as? [String] == ["a"])
            #expect(object["date"] as? Date == date)
        }
    }

    @Test("The other format is read, too")
    func theOtherFormatIsReadToo() throws {
        try withFile { url in
            let half = PreferenceValue.date(Date(timeIntervalSinceReferenceDate: 0.5))
            try FileStore(url: url, format: .binaryPropertyList, durability: .immediate).apply([
                "a": .set(half), "b": .set(.double(-0.0)),
            ])
            let store = FileStore(url: url, format: .xmlPropertyList, durability: .immediate)
            #expect(try store.value(for: "a") == half)
            try store.apply(["c": .set("\u{1}")])
            let reopened = FileStore(url: url, format: .binaryPropertyList, durability: .immediate)
            #expect(try reopened.value(for: "a") == half)
            #expect(try reopened.value(for: "b") == .double(-0.0))
            #expect(try reopened.value(for: "c") == "\u{1}")
        }
    }

    @Test("A batch that changes nothing does not touch the file")
    func aBatchThatChangesNothingDoesNotTouchTheFile() throws {
        try withFile { url in
            try FileStore(url: url, format: .binaryPropertyList, durability: .immediate).apply(["a": .set(1)])
            let bytes = try Data(contentsOf: url)
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1), "b": .remove])
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    @Test("An entry that is not a value is kept as it is")
    func anEntryThatIsNotAValueIsKeptAsItIs() throws {
        try withFile { url in
            let data = try PropertyListSerialization.data(
                fromPropertyList: ["bad": ["$string": ["kept": 1]], "good": 1] as [String: Any],
                format: .xml,
                options: 0
            )
            try data.write(to: url)
            let store = FileStore(url: url, durability: .immediate)
            let problem = PreferenceProblem(
                .unsupportedValue,
                key: "bad",
                store: url.filePath,
                message: "this is not valid content for \"$string\""
            )
            #expect(throws: problem) { try store.value(for: "bad") }
            try store.apply(["good": .set(2)])
            let object = try object(url)
            #expect(object["bad"] as? [String: [String: Int]] == ["$string": ["kept": 1]])
            #expect(object["good"] as? Int == 2)
        }
    }

    @Test("A name that XML cannot represent is rejected")
    func aNameThatXMLCannotRepresentIsRejected() throws {
        try withFile { url in
            let problem = PreferenceProblem(
                .unsupportedValue,
                key: "a\u{1}",
                store: url.filePath,
                message: "XML cannot represent a character of this name"
            )
            #expect(throws: problem) {
                try FileStore(url: url, durability: .immediate).apply(["a\u{1}": .set(1), "b": .set(2)])
            }
            #expect(!FileManager.default.fileExists(atPath: url.filePath))
            try FileStore(url: url, format: .binaryPropertyList, durability: .immediate).apply(["a\u{1}": .set(1)])
            #expect(
                try FileStore(url: url, format: .binaryPropertyList, durability: .immediate).value(for: "a\u{1}") == 1
            )
        }
    }

    /// Flipping one bit turns a dictionary into a set, on which Foundation crashes on Linux.
    @Test("A property list with a set is damaged")
    func aPropertyListWithASetIsDamaged() throws {
        try withFile { url in
            let dictionary: [String: PreferenceEdit] = ["a": .set(["inner": 1]), "b": .set([["c": 1]])]
            try FileStore(url: url, format: .binaryPropertyList, durability: .immediate).apply(
                PreferenceBatch(dictionary)
            )
            let good = [UInt8](try Data(contentsOf: url))
            let dictionaries = good.indices.filter { (0xD1...0xD2).contains(good[$0]) }
            #expect(dictionaries.count == 3)
            for place in dictionaries {
                var bytes = good
                bytes[place] ^= 0x10
                try Data(bytes).write(to: url)
                let problem = PreferenceProblem(
                    .storeMalformed,
                    store: url.filePath,
                    message: "this is not a property list: it contains a set"
                )
                let store = FileStore(url: url, format: .binaryPropertyList, durability: .immediate)
                #expect(throws: problem) { try store.names() }
            }
        }
    }

    @Test("Data that is not a binary property list contains no set")
    func dataThatIsNotABinaryPropertyListContainsNoSet() throws {
        try withFile { url in
            try FileStore(url: url, format: .binaryPropertyList, durability: .immediate).apply(["a": .set(["b": 1])])
            var bytes = [UInt8](try Data(contentsOf: url))
            let dictionary = try #require(bytes.lastIndex(of: 0xD1))
            bytes[dictionary] = 0xC1
            #expect(containsPropertyListSet(bytes))
            for length in 0..<bytes.count { #expect(!containsPropertyListSet(Array(bytes.prefix(length)))) }
            // These bytes of the trailer do not locate objects. The others are a width, a count and an offset.
            let others = Set(0..<6).union([7]).union(16..<24)
            for index in 0..<32 {
                for value: UInt8 in [0x7F, 0xFF] {
                    var odd = bytes
                    odd[bytes.count - 32 + index] = value
                    #expect(containsPropertyListSet(odd) == others.contains(index))
                }
            }
        }
    }

    @Test(
        "A file that does not parse and has just changed is left as it is",
        arguments: ["", " \n", "garbage <", "<?xml version=\"1.0\"?><plist><dict><key>a</key></plist>"]
    )
    func aFileThatDoesNotParseAndHasJustChangedIsLeftAsItIs(text: String) throws {
        try withFile { url in
            try url.write(text)
            let store = FileStore(url: url, durability: .immediate, editingTime: 3_600)
            let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "a") }
            #expect(problem?.code == .storeMalformed)
            #expect(problem?.message.contains("this is not a property list") == true)
            let refusal = #expect(throws: PreferenceProblem.self) { try store.apply(["a": .set(1)]) }
            #expect(refusal?.message == "\(problem?.message ?? ""); \(justNow)")
            #expect(try url.text() == text)
        }
    }

    @Test(
        "A root that is not a dictionary and has just changed is left as it is",
        arguments: ["<plist version=\"1.0\"><array/></plist>", "text", "bplist00"]
    )
    func aRootThatIsNotADictionaryAndHasJustChangedIsLeftAsItIs(text: String) throws {
        try withFile { url in
            try url.write(text)
            let problem = PreferenceProblem(
                .storeMalformed,
                store: url.filePath,
                message: "expected a dictionary of preferences as the property list's root; \(justNow)"
            )
            #expect(throws: problem) {
                try FileStore(url: url, durability: .immediate, editingTime: 3_600).apply(["a": .set(1)])
            }
            let textAfter = try url.text()
            #expect(textAfter == text)
        }
    }

    @Test("A value that is nested too deep is kept, and does not prevent writing other values")
    func aValueThatIsNestedTooDeepIsKeptAndDoesNotPreventWritingOtherValues() throws {
        try withFile { url in
            let deep = (0..<200).reduce([] as [Any]) { inner, _ in [inner] }
            let bytes = try PropertyListSerialization.data(
                fromPropertyList: ["deep": deep, "a": 1],
                format: .binary,
                options: 0
            )
            try bytes.write(to: url)
            let store = FileStore(url: url, format: .binaryPropertyList, durability: .immediate)
            let problem = #expect(throws: PreferenceProblem.self) { try store.value(for: "deep") }
            #expect(problem?.code == .unsupportedValue)
            #expect(problem?.key == "deep")
            try store.apply(["a": .set(2)])
            let object = try object(url)
            #expect(object["a"] as? Int == 2)
            #expect((object["deep"] as? NSArray) == deep as NSArray)
        }
    }
}
