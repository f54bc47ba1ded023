import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The contents of a JSON file: its bytes and the positions of its entries.
struct JSONFileContentsTests {
    private typealias Contents = JSONFileContents<StrictJSON>

    private func contents(_ text: String) throws -> Contents { try Contents(parsing: Array(text.utf8)) }

    private func text(_ contents: Contents) -> String { String(decoding: contents.encoded(), as: UTF8.self) }

    // MARK: Tags

    @Test(
        "An object is tagged by its one member alone",
        arguments: [
            (#"{"$data": "AA==", "a": 1}"#, ["$data": "AA==", "a": 1]),
            (#"{"a": 1, "$data": "AA=="}"#, ["$data": "AA==", "a": 1]),
            (#"{"$dictionary": {"$data": 5}}"#, ["$data": 5]),
            (#"{"$dictionary": {"$dictionary": {"$dictionary": {"a": 1}}}}"#, ["$dictionary": ["a": 1]]),
            (#"{"$dictionary": {"$data": 5}, "a": {"$double": "nan"}}"#, nil),
            (#"{ "\u0024data" : "AA==" }"#, .data(Data([0]))), (#"{"$date": {"$double": "infinity"}}"#, nil),
            (#"{"$null": {"$data": "AA=="}}"#, ["$null": .data(Data([0]))]),
        ] as [(String, PreferenceValue?)]
    )
    func tags(text: String, expected: PreferenceValue?) throws {
        let value = try? contents("{\"a\": \(text)}").value(for: "a")
        if text.contains("infinity") {
            #expect(value == .date(Date(timeIntervalSinceReferenceDate: .infinity)))
        } else {
            #expect(value == expected)
        }
    }

    @Test("The deepest value that a file may have fits the stack of a secondary thread on Apple platforms")
    func deepestValue() async throws {
        // The object at the root of the file is also a level.
        let levels = StoreFileLimits.depth - 1
        for (opening, closing) in [("[", "]"), ("{\"a\":", "}"), ("{\"$dictionary\":", "}")] {
            let value =
                String(repeating: opening, count: levels - 1) + "{}" + String(repeating: closing, count: levels - 1)
            let contents = try contents("{\"a\":\(value)}")
            let isRead = await withCheckedContinuation { continuation in
                let thread = Thread { continuation.resume(returning: (try? contents.value(for: "a")) != nil) }
                thread.stackSize = 512 * 1024
                thread.start()
            }
            #expect(isRead)
        }
    }

    // MARK: Names

    private static let names = [
        "", "\"", "$", "K", "\u{212A}", "\\", "a", "aa", "ab", "ab\u{307}", "ac", "b", "e\u{301}", "\u{E9}", "x\"y",
        "z", "\n",
    ]

    @Test("Names are found whatever their characters and their order", arguments: 0..<20 as Range<UInt64>)
    func names(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var model: [String: PreferenceValue] = [:]
        var contents = Contents()
        if seed % 2 == 0 { contents = try self.contents(#"{"z": 0, "ab": 0, "\u0065\u0301": 0}"#) }
        for name in contents.names { model[name] = 0 }
        for round in 0..<40 {
            var batch: [String: PreferenceEdit] = [:]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let name = Self.names.randomElement(using: &random) ?? ""
                batch[name] = Bool.random(using: &random) ? .remove : .set(["n": .int(Int64(round))])
            }
            let before = model
            for (name, edit) in batch { model[name] = edit.value }
            #expect(try contents.apply(batch) == (model != before))
            #expect(contents.names == Set(model.keys))
            let read = try self.contents(text(contents))
            for name in Self.names {
                #expect(try contents.value(for: name) == model[name])
                #expect(try read.value(for: name) == model[name])
            }
        }
    }

    @Test("A new entry gets its place by the order of composed characters")
    func composedOrder() throws {
        var contents = try contents(#"{"ac": 1, "ab\#u{307}": 2}"#)
        #expect(try contents.apply(["ab": .set(0), "b": .set(3)]))
        #expect(text(contents) == #"{"ab": 0, "ac": 1, "ab\#u{307}": 2, "b": 3}"#)
    }

    @Test("The reported line of an unreadable entry is its present line in the file")
    func lines() throws {
        var contents = try contents("{\n\"b\": 1e400\n}")
        #expect(try contents.apply(["a": .set([1, 2])]))
        let error = #expect(throws: StoreFileValueError.self) { try contents.value(for: "b") }
        #expect(error?.message == "line 6: a number is out of a Double's range")
        #expect(error?.name == "b")
    }

    // MARK: Changes

    @Test(
        "A change consists of the names whose values differ",
        arguments: [
            ("{}", "{}", []), (#"{"a": 1}"#, #"{"a": 1}"#, []), (#"{"a": 1}"#, #"{ "a":  1.0e0 }"#, ["a"]),
            (#"{"a": 1.5, "b": 2}"#, #"{"a": 1.50, "b": 2}"#, []), (#"{"a": 1}"#, #"{"a": 12}"#, ["a"]),
            (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, []), (#"{"a": 1, "b": 2}"#, #"{"a": 1, "b": 3}"#, ["b"]),
            (#"{"a": 1,"b": 1}"#, #"{"a": 2,"x\"b": 1}"#, ["a", "b", "x\"b"]),
            (#"{"b": 1}"#, #"{"x\"b": 1}"#, ["b", "x\"b"]), (#"{"b": 1}"#, #"{"a": {"b": 1}}"#, ["a", "b"]),
            (#"{"a": 1, "bad": 1e999, "c": 1}"#, #"{"a": 2, "bad": 1e999, "c": 3}"#, ["a", "bad", "c"]),
            (#"{"a": 1, "bad": 1e999}"#, #"{"a": 2, "bad": 1e999}"#, ["a"]),
        ] as [(String, String, Set<String>)]
    )
    func changedNames(old: String, new: String, names: Set<String>) throws {
        let (old, new) = (try contents(old), try contents(new))
        #expect(new.namesChanged(since: old) == names)
        #expect(old.namesChanged(since: new) == names)
    }

    @Test("The changed names are those that a comparison of all names finds", arguments: 0..<20 as Range<UInt64>)
    func changedNames(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let values: [PreferenceValue] = [1, 11, 111, "1", ["a": 1], ["b": 1], [1, 1], "\"a\": 1"]
        var contents = try contents(#"{"a": 1, "b": 1, "ab": 11, "aa": "a"}"#)
        for _ in 0..<60 {
            let old = contents
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let name = ["a", "aa", "ab", "b", "\"a", "\\"].randomElement(using: &random) ?? ""
                let value = values.randomElement(using: &random) ?? 1
                _ = try contents.apply([name: Bool.random(using: &random) ? .set(value) : .remove])
            }
            let all = contents.names.union(old.names).filter { contents.differs(from: old, in: $0) }
            #expect(contents.namesChanged(since: old) == all)
        }
    }

    // MARK: Memory

    #if os(Linux)
        /// The peak memory of this process in KiB.
        private static var peak: Int {
            var usage = rusage()
            getrusage(__rusage_who_t(0), &usage)
            return usage.ru_maxrss
        }

        /// Creates a file of many small values in pieces that need little memory, and returns its size in KiB.
        private static func makeFile(at url: URL, _ entry: (Int) -> String) throws -> Int {
            _ = FileManager.default.createFile(atPath: url.filePath, contents: nil)
            let file = try FileHandle(forWritingTo: url)
            try file.write(contentsOf: Data("{\n".utf8))
            var size = 0
            for number in 0..<400 {
                let text = entry(number) + (number == 399 ? "\n}\n" : ",\n")
                size += text.utf8.count
                try file.write(contentsOf: Data(text.utf8))
            }
            try file.close()
            return size / 1024
        }

        private static func read(_ name: String, in url: URL) throws -> PreferenceValue? {
            try FileStore(url: url, durability: .immediate).value(for: name)
        }

        @Test("Reading a file of arrays takes a few times the memory that the file has")
        func memoryOfArrays() async {
            await #expect(processExitsWith: .success) {
                try withTemporaryDirectory { folder in
                    let (small, large) = (folder.appending(component: "a.json"), folder.appending(component: "b.json"))
                    try small.write(#"{"a": [1]}"#)
                    #expect(try Self.read("a", in: small) == [1])
                    let elements = String(repeating: "1,", count: 5_000)
                    let size = try Self.makeFile(at: large) { "\"key\(1_000 + $0)\": [\(elements)1]" }
                    let before = Self.peak
                    guard case .array(let values)? = try Self.read("key1200", in: large) else { fatalError("no array") }
                    #expect(values.count == 5_001)
                    #expect(Self.peak - before < 4 * size)
                }
            }
        }

        @Test("Reading a file of many keys takes a few times the memory that the file has")
        func memoryOfKeys() async {
            await #expect(processExitsWith: .success) {
                try withTemporaryDirectory { folder in
                    let (small, large) = (folder.appending(component: "a.json"), folder.appending(component: "b.json"))
                    try small.write(#"{"a": 1}"#)
                    #expect(try Self.read("a", in: small) == 1)
                    let size = try Self.makeFile(at: large) { number in
                        (0..<250).map { "  \"section:key\(100_000 + number * 250 + $0)\": \($0)" }.joined(
                            separator: ",\n"
                        )
                    }
                    let before = Self.peak
                    #expect(try Self.read("section:key100001", in: large) == 1)
                    #expect(Self.peak - before < 5 * size)
                }
            }
        }
    #endif
}
