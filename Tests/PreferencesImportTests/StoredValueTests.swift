import Foundation
import PreferencesImport
import Testing

@Suite("Importing settings files")
struct StoredValueTests {
    @Test("JSON values determine the types and become the defaults")
    func json() throws {
        let imported = try Imported(
            """
            { "window": { "width": 800, "scale": 1.5, "is-open": true },
              "date": "2026-01-01T00:00:00Z",
              "ratios": { "16:9": 1.77, "4:3": 1 },
              "list": [1, 2.5], "matrix": [[], [1]], "names": ["a", null],
              "objects": [{ "a": 1 }, { "b": 2 }],
              "big": 18446744073709551615, "bigger": 18446744073709551616, "exponent": 1e3,
              "shortcuts": { "a.b": "x", "c": 1 } }
            """,
            as: .json
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Window": {
                      "struct": {
                        "width": { "type": "Int", "default": 800 },
                        "scale": { "type": "Double", "default": 1.5 },
                        "isOpen": { "type": "Bool", "default": true, "id": "is-open" }
                      }
                    },
                    "Shortcuts": {
                      "struct": {
                        "aB": { "type": "String", "default": "x", "id": "a.b" },
                        "c": { "type": "Int", "default": 1 }
                      }
                    }
                  },
                  "keys": {
                    "window": { "type": "Window", "default": {} },
                    "date": { "type": "String", "default": "2026-01-01T00:00:00Z" },
                    "ratios": { "type": "[String: Double]", "default": { "16:9": 1.77, "4:3": 1 } },
                    "list": { "type": "[Double]", "default": [1, 2.5] },
                    "matrix": { "type": "[[Int]]", "default": [[], [1]] },
                    "names": { "type": "[String?]", "default": ["a", null] },
                    "objects": { "type": "[[String: Int]]", "default": [{ "a": 1 }, { "b": 2 }] },
                    "big": { "type": "UInt64", "default": 18446744073709551615 },
                    "bigger": { "type": "Double", "default": 18446744073709551616 },
                    "exponent": { "type": "Double", "default": 1e3 },
                    "shortcuts": { "type": "Shortcuts", "default": {} }
                  }
                }

                """
        )
        #expect(imported.remarks == [])
    }

    @Test("Storage names of this library are preserved")
    func storageNames() throws {
        let imported = try Imported(
            """
            { "weather:wind:speed": 2.5, "weather": { "unit": "celsius" }, "weather:stations": ["Nairobi"],
              "weather:place": { "name": "Nairobi", "height": 1795 }, "a": 1 }
            """,
            as: .json
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Weather": {
                      "struct": {
                        "unit": { "type": "String", "default": "celsius" }
                      }
                    },
                    "Place": {
                      "struct": {
                        "name": { "type": "String", "default": "Nairobi" },
                        "height": { "type": "Int", "default": 1795 }
                      }
                    }
                  },
                  "keys": {
                    "weather": { "type": "Weather", "default": {} },
                    "a": { "type": "Int", "default": 1 }
                  },
                  "namespaces": {
                    "testWeather": {
                      "id": "weather",
                      "keys": {
                        "stations": { "type": "[String]", "default": ["Nairobi"] },
                        "place": { "type": "Place", "default": {} }
                      },
                      "namespaces": {
                        "wind": {
                          "keys": {
                            "speed": { "type": "Double", "default": 2.5 }
                          }
                        }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:1: remark: namespace 'weather' is named 'testWeather' because 'weather' is taken"
            ]
        )
    }

    @Test("A value whose type cannot be inferred is reported in a remark")
    func remarks() throws {
        let imported = try Imported(
            """
            { "on": true,
              "nothing": null,
              "inner": { "list": [] },
              "empty": {},
              "nulls": [null],
              "mixed": [1, "a"],
              "huge": 1e999,
              "hugeInList": [1e999] }
            """,
            as: .json
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Inner": {
                      "struct": {
                        "list": { "type": "[String]", "default": [] }
                      }
                    }
                  },
                  "keys": {
                    "on": { "type": "Bool", "default": true },
                    "nothing": { "type": "String?" },
                    "inner": { "type": "Inner", "default": {} },
                    "empty": { "type": "[String: String]", "default": {} },
                    "nulls": { "type": "[String?]", "default": [null] }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:2: remark: 'nothing' is null; its type is assumed to be 'String?'",
                "in/Test:3: remark: 'inner.list' is an empty array; its type is assumed to be '[String]'",
                "in/Test:4: remark: 'empty' is an empty dictionary; its type is assumed to be '[String: String]'",
                "in/Test:5: remark: the type of 'nulls' cannot be inferred; it is assumed to be '[String?]'",
                "in/Test:6: remark: 'mixed' is left out: its elements have no common type",
                "in/Test:7: remark: 'huge' is left out: schemas cannot represent the number 1e999, which is too large",
                "in/Test:8: remark: 'hugeInList' is left out: its elements have no common type",
            ]
        )
    }

    @Test("A number that loses precision as a Double is reported at any depth")
    func precision() throws {
        let imported = try Imported(
            """
            { "long": 123456789012345678901234567890,
              "below": -9223372036854775809,
              "list": [9007199254740992,
                9007199254740993, 0.5, null],
              "ratios": { "4:3": { "1:1":
                3.14159265358979323846 } },
              "exact": [1267650600228229401496703205376, -9223372036854775808, 9223372036854775807,
                0.1, 0.30000000000000004, 0.10000000000000001, 1.50, 1e23, -0.0, -12.5e-1],
              "whole": [9223372036854775807, -9223372036854775808],
              "unsigned": 18446744073709551615,
              "half": 0.5\(String(repeating: "0", count: 2000))1,
              "tiny": 0.1e-999, "zero": -0.0e-999 }
            """,
            as: .json
        )
        #expect(
            imported.remarks == [
                "in/Test:1: remark: 'long' loses precision: 123456789012345678901234567890 becomes "
                    + "1.2345678901234568e+29 as a Double",
                "in/Test:2: remark: 'below' loses precision: -9223372036854775809 becomes -9.223372036854776e+18 as a "
                    + "Double",
                "in/Test:4: remark: 'list' loses precision: 9007199254740993 becomes 9007199254740992.0 as a Double",
                "in/Test:6: remark: 'ratios' loses precision: 3.14159265358979323846 becomes 3.141592653589793 as a "
                    + "Double",
                "in/Test:7: remark: 'exact' loses precision: 9223372036854775807 becomes 9.223372036854776e+18 as a "
                    + "Double",
                "in/Test:11: remark: 'half' loses precision: 0.5\(String(repeating: "0", count: 2000))1 becomes 0.5 as a Double",
                "in/Test:12: remark: 'tiny' is left out: schemas cannot represent the number 0.1e-999, which is too "
                    + "small",
            ]
        )
    }

    @Test("A number of a property list that loses precision is reported")
    func precisionOfPropertyList() throws {
        let imported = try Imported(
            """
            <plist><dict>
              <key>real</key>
              <real>123456789012345678901234567890</real>
              <key>fraction</key><real>0.10000000000000001</real>
              <key>integer</key><integer>-9223372036854775809</integer>
              <key>longer</key><integer>1\(String(repeating: "0", count: 40))</integer>
              <key>tiny</key><real>1e-999</real>
            </dict></plist>
            """,
            as: .plist
        )
        #expect(imported.keyCount == 2)
        #expect(
            imported.remarks == [
                "in/Test:3: remark: 'real' loses precision: 123456789012345678901234567890 becomes "
                    + "1.2345678901234568e+29 as a Double",
                "in/Test:5: remark: 'integer' is left out: schemas cannot represent the number -9223372036854775809, "
                    + "which is "
                    + "too large",
                "in/Test:6: remark: 'longer' is left out: schemas cannot represent the number "
                    + "1\(String(repeating: "0", count: 40)), which is too large",
                "in/Test:7: remark: 'tiny' is left out: schemas cannot represent the number 1e-999",
            ]
        )
    }

    /// The schema for both encodings of the property list.
    private static let list = """
        {
          "formatVersion": 1,
          "types": {
            "Zone": {
              "struct": {
                "names": { "type": "[String]", "default": ["a", "b"] }
              }
            }
          },
          "keys": {
            "blob": { "type": "Data", "default": "YWJj" },
            "big": { "type": "UInt64", "default": 18446744073709551615 },
            "count": { "type": "Int", "default": -3 },
            "off": { "type": "Bool", "default": false },
            "on": { "type": "Bool", "default": true },
            "one": { "type": "Int", "default": 1 },
            "scale": { "type": "Double", "default": 1.5 },
            "text": { "type": "String", "default": "<a>" },
            "when": { "type": "Date", "default": "2026-01-02T03:04:05Z" },
            "zone": { "type": "Zone", "default": {} }
          }
        }

        """

    private static let listXML = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>blob</key><data> YW
            Jj </data>
          <key>big</key><integer>18446744073709551615</integer>
          <key>count</key><integer>-3</integer>
          <key>off</key><false/>
          <key>on</key><true/>
          <key>one</key><integer>1</integer>
          <key>scale</key><real>1.5</real>
          <key>text</key><string>&lt;a&gt;</string>
          <key>when</key><date>2026-01-02T03:04:05Z</date>
          <key>zone</key><dict><key>names</key><array><string>a</string><string>b</string></array></dict>
        </dict>
        </plist>
        """

    @Test("Data that may contain an encoded value is reported")
    func encodedData() throws {
        let imported = try Imported(
            """
            <plist><dict>
              <key>volume</key><data>\(Data("bplist00\u{1}".utf8).base64EncodedString())</data>
              <key>place</key><data>\(Data(#"{"name":"Oslo"}"#.utf8).base64EncodedString())</data>
              <key>blob</key><data>YWJj</data>
              <key>empty</key><data></data>
            </dict></plist>
            """,
            as: .plist
        )
        func remark(_ name: String, _ line: Int, _ what: String) -> String {
            "in/Test:\(line): remark: '\(name)' contains \(what) and is imported as 'Data'; if a library encoded "
                + "another value in it, declare the key with that value's type and read the store through "
                + "'LegacyStore(_:decoding:)'"
        }
        #expect(imported.remarks == [remark("volume", 2, "a property list"), remark("place", 3, "JSON")])
    }

    @Test("Data with excess padding is written as canonical base64")
    func padding() throws {
        let imported = try Imported("<plist><dict><key>a</key><data>AB===</data></dict></plist>", as: .plist)
        #expect(imported.text.contains(#""a": { "type": "Data", "default": "AA==" }"#))
        #expect(imported.remarks == [])
    }

    @Test("A date that schemas cannot represent is left out, and others are imported")
    func earlyDates() throws {
        let list = """
            <plist><dict>
              <key>never</key><date>0001-01-01T00:00:00Z</date>
              <key>when</key><date>2026-01-02T03:04:05Z</date>
            </dict></plist>
            """
        let imported = try Imported(list, as: .plist)
        #expect(imported.keyCount == 1)
        let remark = "in/Test:2: remark: 'never' is left out: schemas cannot represent the date 0001-01-01T00:00:00Z"
        #expect(imported.remarks == [remark])
    }

    @Test("A property list in XML keeps its order")
    func propertyList() throws {
        let imported = try Imported(Self.listXML, as: .plist)
        #expect(imported.text == Self.list)
        #expect(imported.remarks == [])
    }

    @Test("A binary property list is sorted by name")
    func binaryPropertyList() throws {
        let object = try PropertyListSerialization.propertyList(from: Data(Self.listXML.utf8), format: nil)
        let bytes = Array(try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
        let files = FileReader { _ throws(ImportError) in
            bytes
        } fileNames: { _ in
            []
        }
        var importer = Importer(files: files)
        let result = try importer.read("a.plist", as: .plist, schemaName: "a")
        let blob = #"    "blob": { "type": "Data", "default": "YWJj" },"#
        let big = #"    "big": { "type": "UInt64", "default": 18446744073709551615 },"#
        #expect(result.text == Self.list.replacingOccurrences(of: "\(blob)\n\(big)", with: "\(big)\n\(blob)"))
        #expect(result.remarks.isEmpty)
    }

    @Test(
        "Invalid input is an error with its line",
        arguments: [
            (ImportFormat.json, "{\n  \"a\": tru\n}", 2, "unexpected 'tru'; expected a value"),
            (.json, "[1]", 1, "expected a dictionary at the top level"),
            (.plist, "<plist>\n<array/></plist>", 2, "expected a dictionary at the top level"),
            (.plist, "<plist>\n</plist>", 1, "expected a <plist> with one value"),
            (
                .plist, "<plist><dict>\n<key>a</key></dict></plist>", 2,
                "a <dict> must alternate <key> and value elements"
            ),
            (
                .plist, "<plist><dict><key>a</key><true/>\n<key>a</key><true/></dict></plist>", 2,
                "duplicate key 'a'"
            ),
            (.plist, "<plist><dict><key>a</key>\n<integer>x</integer></dict></plist>", 2, "'x' is not an integer"),
            (.plist, "<plist><dict><key>a</key>\n<real>x</real></dict></plist>", 2, "'x' is not a number"),
            (.plist, "<plist><dict><key>a</key>\n<date>x</date></dict></plist>", 2, "'x' is not a date"),
            (.plist, "<plist><dict><key>a</key>\n<data>?</data></dict></plist>", 2, "<data> is not valid base64"),
            (
                .plist, "<plist><dict><key>a</key>\n<nil/></dict></plist>", 2,
                "unexpected element <nil> in a property list"
            ),
        ]
    )
    func invalidInput(format: ImportFormat, text: String, line: Int, message: String) throws {
        #expect(throws: ImportError.invalid(path: "in/Test", line: line, message: message)) {
            try Imported(text, as: format)
        }
    }

    @Test("A file that is not a property list is an error")
    func otherFaults() throws {
        let message = "the file is not a property list, neither XML nor binary"
        #expect(throws: ImportError.invalid(path: "in/Test", line: nil, message: message)) {
            try Imported("bplist00 no", as: .plist)
        }
    }
}
