import PreferencesImport
import Testing

@Suite("Importing GSettings schemas")
struct GSettingsTests {
    @Test("Types, ranges, choices, enums, flags, defaults and texts are imported")
    func everything() throws {
        let imported = try Imported(Self.everything, as: .gschema, path: "in/org.example.Clock.gschema.xml")
        #expect(imported.text == Self.everythingText)
        #expect(imported.keyCount == 12)
        #expect(
            imported.remarks == [
                "in/org.example.Clock.gschema.xml:1: remark: gettext-domain='clock' is left out: texts are imported "
                    + "untranslated",
                "in/org.example.Clock.gschema.xml:2: remark: the numbers of enum 'org.example.Face' are left out: "
                    + "values are stored by name",
                "in/org.example.Clock.gschema.xml:6: remark: the numbers of flags 'org.example.Hand' are left out: "
                    + "values are stored by name",
                "in/org.example.Clock.gschema.xml:10: remark: paths are left out; the values are found by "
                    + #"GSettingsKeyfileStore(paths: ["org.example.Clock": "/org/example/Clock/"])"#,
                "in/org.example.Clock.gschema.xml:21: remark: alias 'old' of 'new' is left out: schemas do not "
                    + "support aliases",
                "in/org.example.Clock.gschema.xml:29: remark: l10n='time' is left out: defaults cannot be localized",
                "in/org.example.Clock.gschema.xml:35: remark: key 'size' is left out: schemas do not support type "
                    + "'(ii)'",
            ]
        )
    }

    private static let everything = """
        <schemalist gettext-domain="clock">
          <enum id="org.example.Face">
            <value nick="round" value="0"/>
            <value nick="four-sided" value="1"/>
          </enum>
          <flags id="org.example.Hand">
            <value nick="hours" value="1"/>
            <value nick="minutes" value="2"/>
          </flags>
          <schema id="org.example.Clock" path="/org/example/Clock/">
            <key name="show-seconds" type="b">
              <default>true</default>
              <summary>Show
                seconds</summary>
              <description>Whether seconds
                are shown.

                They cost energy.</description>
            </key>
            <key name="style" type="s">
              <choices><choice value="new"/><choice value="plain"/></choices><aliases><alias value="old" target="new"/></aliases>
              <default>'new'</default>
            </key>
            <key name="marks" type="as"><choices><choice value="a"/><choice value=""/></choices><default>['a']</default></key>
            <key name="size-factor" type="d"><range min="0.5" max="3"/><default>1</default></key>
            <key name="port" type="q"><range max="1024"/><default>80</default></key>
            <key name="face" enum="org.example.Face"><default>'four-sided'</default></key>
            <key name="hands" flags="org.example.Hand"><default>['minutes', 'hours']</default></key>
            <key name="zone" type="ms"><default l10n="time">nothing</default></key>
            <key name="names" type="a{sas}"><default>{'a': ['b', "c"]}</default></key>
            <key name="limit" type="d"><default>inf</default></key>
            <key name="colours" type="a{sy}"><default>[{'red', 0xff}]</default></key>
            <key name="maximum" type="mi"><default>just 5</default></key>

            <key name="size" type="(ii)"><default>(1, 2)</default></key>
          </schema>
        </schemalist>
        """

    private static let everythingText = """
        {
          "formatVersion": 1,
          "types": {
            "Face": { "enum": { "round": "round", "fourSided": "four-sided" } },
            "Hand": { "enum": ["hours", "minutes"] }
          },
          "namespaces": {
            "clock": {
              "id": "org.example.Clock",
              "keys": {
                "showSeconds": {
                  "type": "Bool",
                  "default": true,
                  "id": "show-seconds",
                  "description": "Whether seconds are shown.\\n\\nThey cost energy.",
                  "label": "Show seconds"
                },
                "style": { "type": "String", "default": "new", "choices": ["new", "plain"] },
                "marks": { "type": "[String]", "default": ["a"], "each": { "choices": ["a", ""] } },
                "sizeFactor": {
                  "type": "Double",
                  "default": 1,
                  "id": "size-factor",
                  "minimum": 0.5,
                  "maximum": 3
                },
                "port": { "type": "UInt16", "default": 80, "maximum": 1024 },
                "face": { "type": "Face", "default": "fourSided" },
                "hands": { "type": "Set<Hand>", "default": ["minutes", "hours"] },
                "zone": { "type": "String?" },
                "names": { "type": "[String: [String]]", "default": { "a": ["b", "c"] } },
                "limit": { "type": "Double", "defaultExpression": ".infinity" },
                "colours": { "type": "[String: UInt8]", "default": { "red": 255 } },
                "maximum": { "type": "Int32?", "default": 5 }
              }
            }
          }
        }

        """

    @Test("A schema whose id begins with that of another becomes a nested namespace")
    func nesting() throws {
        let imported = try Imported(
            """
            <schemalist>
              <schema id="org.example.proxy" path="/system/proxy/">
                <child name="http" schema="org.example.proxy.http"/>
                <child name="keys" schema="org.example.Keys"/>
                <key name="mode" type="s"><default>''</default></key>
              </schema>
              <schema id="org.example.proxy.http"><key name="port" type="i"><default>8080</default></key></schema>
              <schema id="org.example.proxy.socks.empty" path="/org/example/proxy/socks/empty/"/>
              <schema id="org.example.folder"><key name="a" type="b"><default>false</default></key></schema>
            </schemalist>
            """,
            as: .gschema
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "namespaces": {
                    "proxy": {
                      "id": "org.example.proxy",
                      "keys": {
                        "mode": { "type": "String", "default": "" }
                      },
                      "namespaces": {
                        "http": {
                          "keys": {
                            "port": { "type": "Int32", "default": 8080 }
                          }
                        }
                      }
                    },
                    "folder": {
                      "id": "org.example.folder",
                      "keys": {
                        "a": { "type": "Bool", "default": false }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:2: remark: paths are left out; the values are found by GSettingsKeyfileStore(paths: "
                    + #"["org.example.proxy": "/system/proxy/", "org.example.proxy:http": "/system/proxy/http/"])"#,
                "in/Test:4: remark: child 'keys' is left out: its schema 'org.example.Keys' is not "
                    + "'org.example.proxy.keys' of this file",
                "in/Test:8: remark: namespace 'socks.empty' is left out: it has no importable keys",
                "in/Test:9: remark: schema 'org.example.folder' is relocatable, as it has no path; it is imported for "
                    + "one location, whose path GSettingsKeyfileStore needs",
            ]
        )
    }

    @Test("A schema inherits the keys of the schemas it extends, with overridden defaults")
    func extending() throws {
        let imported = try Imported(
            """
            <schemalist>
              <schema id="list"><key name="items" type="as"><default>@as []</default></key>
                <key name="first" type="s"><default>"x"</default></key></schema>
              <schema id="profiles" extends="list" list-of="profile" path="/profiles/">
                <override name="items">['a']</override>
                <override name="nothing">1</override>
                <key name="own" type="i"><default>int32 -3</default></key>
              </schema>
              <schema id="orphan" extends="base" path="/orphan/"><key name="b" type="b"><default>true</default></key></schema>
            </schemalist>
            """,
            as: .gschema
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "namespaces": {
                    "list": {
                      "keys": {
                        "items": { "type": "[String]", "default": [] },
                        "first": { "type": "String", "default": "x" }
                      }
                    },
                    "profiles": {
                      "keys": {
                        "items": { "type": "[String]", "default": ["a"] },
                        "first": { "type": "String", "default": "x" },
                        "own": { "type": "Int32", "default": -3 }
                      }
                    },
                    "orphan": {
                      "keys": {
                        "b": { "type": "Bool", "default": true }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:2: remark: schema 'list' is relocatable, as it has no path; it is imported for one location, "
                    + "whose path GSettingsKeyfileStore needs",
                "in/Test:4: remark: list-of='profile' is left out: schemas do not support lists of namespaces",
                "in/Test:4: remark: paths are left out; the values are found by GSettingsKeyfileStore(paths: "
                    + #"["profiles": "/profiles/", "orphan": "/orphan/"])"#,
                "in/Test:6: remark: the override of 'nothing' is left out: there is no such key",
                "in/Test:9: remark: the keys of schema 'base' are left out: no file in the folder declares it",
            ]
        )
    }

    @Test("Enums and base schemas are looked up in the files of the same folder")
    func sameFolder() throws {
        let imported = try Imported(
            """
            <schemalist><schema id="a" extends="base" path="/a/">
              <key name="mode" enum="org.example.Mode"><default>'on'</default></key>
              <key name="other" enum="org.example.Other"><default>'free'</default></key>
            </schema></schemalist>
            """,
            as: .gschema,
            path: "in/a.gschema.xml",
            others: [
                "in/x.enums.xml": """
                <schemalist>
                  <enum id="org.example.Mode"><value nick="on" value="1"/></enum>
                </schemalist>
                """,
                "in/base.gschema.xml": """
                <schemalist><schema id="base">
                  <key name="size" type="(ii)"><default>(1, 1)</default></key>
                  <key name="set" type="u"><default>7</default></key>
                </schema></schemalist>
                """,
                "in/broken.enums.xml": "<schemalist>",
            ]
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Mode": { "enum": ["on"] }
                  },
                  "namespaces": {
                    "a": {
                      "keys": {
                        "setKey": { "type": "UInt32", "default": 7, "id": "set" },
                        "mode": { "type": "Mode", "default": "on" },
                        "other": { "type": "String", "default": "free" }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/a.gschema.xml:1: remark: paths are left out; the values are found by "
                    + #"GSettingsKeyfileStore(paths: ["a": "/a/"])"#,
                "in/a.gschema.xml:3: remark: key 'other' accepts any text: no file in the folder declares enum "
                    + "'org.example.Other'",
                "in/base.gschema.xml:2: remark: key 'size' is left out: schemas do not support type '(ii)'",
                "in/base.gschema.xml:3: remark: key 'set' is named 'setKey' because 'set' is reserved",
                "in/x.enums.xml:2: remark: the numbers of enum 'org.example.Mode' are left out: values are stored by "
                    + "name",
            ]
        )
    }

    @Test("Unknown contents are reported, and constraints that the default violates are left out")
    func unknown() throws {
        let imported = try Imported(
            """
            <schemalist>
              <enum id="unused"><value nick="a" value="1"/></enum>
              <thing/>
              <schema id="a" path="/a/" colour="red">
                <key name="n" type="i" extra="1"><range min="5" max="9" step="2"/><default context="c">3</default><more/></key>
                <key name="t" type="s"><range min="1"/><choices><choice value="x"/></choices><default>'y'</default></key>
                <key name="b" type="b"><choices><choice value="x"/></choices><default>true</default></key>
              </schema>
            </schemalist>
            """,
            as: .gschema
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "namespaces": {
                    "a": {
                      "keys": {
                        "n": { "type": "Int32", "default": 3, "maximum": 9 },
                        "t": { "type": "String", "default": "y" },
                        "b": { "type": "Bool", "default": true }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:2: remark: enum 'unused' is left out: no key of the file uses it",
                "in/Test:3: remark: element <thing> is left out",
                "in/Test:4: remark: attribute colour='red' of <schema> is left out",
                "in/Test:4: remark: paths are left out; the values are found by "
                    + #"GSettingsKeyfileStore(paths: ["a": "/a/"])"#,
                "in/Test:5: remark: attribute extra='1' of <key> is left out",
                "in/Test:5: remark: element <more> is left out",
                "in/Test:5: remark: attribute context='c' of <default> is left out",
                "in/Test:5: remark: attribute step='2' of <range> is left out",
                "in/Test:5: remark: the minimum 5 of key 'n' is left out: it is above the default 3",
                "in/Test:6: remark: the range of key 't' is left out: its type has none",
                "in/Test:6: remark: the list of choices of key 't' is left out: it does not contain the default",
                "in/Test:7: remark: the choices of key 'b' are left out: its type has none",
            ]
        )
    }

    @Test(
        "Invalid input is an error with its line",
        arguments: [
            ("", 1, "the file is empty; expected an XML document"),
            ("<schemalist>\n<schema>\n</schemalist>", 3, "an end tag does not match its start tag"),
            ("<kcfg/>", 1, "the root element is <kcfg>; expected <schemalist> of GSettings"),
            ("<schemalist>\n</schemalist>", 1, "the file has no <schema>"),
            (
                "<?xml version='1.0'?>\n<!-- <a> -->\n<!DOCTYPE a [\n<!ENTITY e 'x'>]>\n<a>&e;</a>", 4,
                "entity declarations are not supported; use the predefined entities of XML"
            ),
        ]
    )
    func invalidInput(text: String, line: Int, message: String) throws {
        #expect(throws: ImportError.invalid(path: "in/Test", line: line, message: message)) {
            try Imported(text, as: .gschema)
        }
    }

    @Test("A file with the document type of GSettings is imported")
    func documentType() throws {
        let imported = try Imported(
            """
            <?xml version='1.0'?>
            <!DOCTYPE schemalist [
              <!ELEMENT key (default) > <!-- "a quote, and a '>' -->
              <!ATTLIST key name CDATA #REQUIRED
                            type CDATA #IMPLIED
                            enum CDATA '>' >
            ]>
            <schemalist><schema id="a" path="/a/">
            <key name="n" type="i"><default>1</default></key><key name="t" type="v"><default>&lt;1></default></key>
            </schema></schemalist>
            """,
            as: .gschema
        )
        #expect(imported.keyCount == 1)
        #expect(
            imported.remarks == [
                "in/Test:8: remark: paths are left out; the values are found by "
                    + #"GSettingsKeyfileStore(paths: ["a": "/a/"])"#,
                "in/Test:9: remark: key 't' is left out: schemas do not support type 'v'",
            ]
        )
    }

    @Test("What only gsettings knows is kept: paths, children, types, permitted values and texts")
    func known() throws {
        let imported = try Imported(
            """
            <schemalist>
            <flags id="F"><value nick="bb" value="1"/><value nick="aa" value="2"/></flags>
            <schema id="a" path="/a/">
            <key name="z" flags="F"><default>['aa', 'bb']</default><summary>Two
              words</summary></key>
            <key name="n" type="d"><range min=" 1.5 "/><default>inf</default><description/></key>
            <key name="c" type="as"><choices><choice value="x"/><choice value="y"/></choices><default>[]</default></key>
            <key name="t" type="(ii)"><default>(1, 2)</default></key>
            <child name="two" schema="b"/><child name="one" schema="a.c"/><child name="elsewhere" schema="d"/>
            </schema>
            <schema id="a.c"><key name="k" type="b"><default>true</default></key></schema>
            <schema id="b"><key name="k" type="b"><default>true</default></key></schema>
            <schema id="d" path="/d/"><key name="k" type="b"><default>true</default></key></schema>
            </schemalist>
            """,
            as: .gschema
        )
        #expect(imported.gSettings.map(\.id) == ["a", "a.c", "b", "d"])
        #expect(imported.gSettings.map(\.path) == ["/a/", "/a/one/", "/a/two/", "/d/"])
        #expect(imported.gSettings.map(\.isRelocatable) == [false, true, true, false])
        #expect(imported.gSettings.map(\.namespace) == ["a", "a:c", "b", "d"])
        let schema = imported.gSettings[0]
        #expect(schema.children == ["a.c", "b"])
        #expect(schema.keys.map(\.name) == ["c", "n", "t", "z"])
        #expect(schema.keys.map(\.storageName) == ["a:c", "a:n", nil, "a:z"])
        #expect(schema.keys.map(\.omission) == [nil, nil, "schemas do not support type '(ii)'", nil])
        #expect(schema.keys.map(\.type) == ["as", "d", "(ii)", "as"])
        #expect(
            schema.keys.map(\.values) == [
                .enumeration(["x", "y"]), .range(minimum: "1.5", maximum: nil), .any, .flags(["bb", "aa"]),
            ]
        )
        #expect(schema.keys.map(\.defaultText) == ["[]", "inf", "(1, 2)", "['aa', 'bb']"])
        #expect(schema.keys.map(\.description) == [nil, "", nil, "Two words"])
    }

    @Test("The overrides of distributions are applied on request, the last file first")
    func vendorOverrides() throws {
        let text = """
            <schemalist><schema id="a" path="/a/">
            <key name="n" type="i"><default>1</default></key><key name="s" type="s"><default>''</default></key>
            <key name="b" type="b"><default>true</default></key>
            </schema></schemalist>
            """
        let others = [
            "in/10_x.gschema.override": "[a]\nn=2\ns = 'x'\n",
            "in/20_x.gschema.override": "# n=4\n[other]\nn=5\n[a]\n  n = 3 \nb=7\n[a:GNOME]\ns='y'\n",
        ]
        func defaults(_ options: Importer.Options) throws -> [String] {
            try Imported(text, as: .gschema, others: others, options: options).gSettings[0].keys.map(\.defaultText)
        }
        // 7 is not of the type of `b`, and the group of one desktop is ignored.
        #expect(try defaults(Importer.Options(appliesVendorOverrides: true)) == ["true", "3", "'x'"])
        #expect(try defaults(Importer.Options()) == ["true", "1", "''"])
        let imported = try Imported(
            text,
            as: .gschema,
            others: others,
            options: Importer.Options(appliesVendorOverrides: true)
        )
        #expect(imported.text.contains(#"{ "type": "Int32", "default": 3 }"#))
    }

    @Test("A file or a folder that cannot be read is an error if it may declare what no other file declares")
    func unreadableNeighbour() throws {
        let text = """
            <schemalist><schema id="a" path="/a/"><key name="k" enum="e"><default>'x'</default></key></schema></schemalist>
            """
        let enums = "<schemalist><enum id='e'><value nick='x' value='0'/></enum></schemalist>"
        func error(names: [String]?) -> ImportError? {
            let files = FileReader { path throws(ImportError) in
                switch path {
                case "in/a.gschema.xml": return Array(text.utf8)
                case "in/z.enums.xml": return Array(enums.utf8)
                default: throw .unreadable(message: "cannot read \(path): Is a directory")
                }
            } fileNames: { folder throws(ImportError) in
                guard let names else { throw .unreadable(message: "cannot read \(folder): Permission denied") }
                return names
            }
            var importer = Importer(files: files)
            do throws(ImportError) {
                _ = try importer.read("in/a.gschema.xml", as: .gschema, schemaName: "a")
                return nil
            } catch {
                return error
            }
        }
        #expect(error(names: ["b.enums.xml", "z.enums.xml"]) == nil)
        #expect(
            error(names: ["b.enums.xml"])?.description
                == "cannot read in/b.enums.xml: Is a directory; the enum 'e' may be declared there: make it readable, or move "
                + "it away"
        )
        #expect(
            error(names: nil)?.description
                == "cannot read in/: Permission denied; the enum 'e' may be declared there: make it readable, or move it away"
        )
    }

    private static func key(_ key: String) -> String {
        "<schemalist>\n<schema id='a' path='/a/'>\n\(key)</schema></schemalist>"
    }

    @Test("An incomplete key is left out with a remark, and others are imported")
    func incomplete() throws {
        let imported = try Imported(
            """
            <schemalist>
              <enum><value nick="a"/></enum>
              <enum id="e"><value nick="a"/>
                <value value="2"/><value nick="a" value="3"/></enum>
              <enum id="none"/>
              <schema path="/a/"><key name="lost" type="b"><default>true</default></key>
                <key/></schema>
              <schema id="a">
                <key type="b"><default>true</default></key>
                <key name="b"><default>1</default></key>
                <key name="c" type="b" enum="e"><default>1</default></key>
                <key name="d" type="b"/>
                <key name="e" type="b">
                  <default>1</default></key>
                <key name="f" type="y"><range min="-1" max="9"/><default>1</default></key>
                <key name="g" enum="e"><default>'x'</default></key>
                <key name="h" enum="none"><default>'x'</default></key>
                <key name="i" enum="e"><default>'a'</default></key>
                <key name="j" enum="e"><default>a</default></key>
                <key name="k" type="s"><choices><choice/><choice value="v"/></choices><default>'v'</default></key>
                <child schema="b"/>
                <child name="b"/>
              </schema>
              <schema id="a"><key name="lost" type="b"><default>true</default></key></schema>
              <schema id="b" extends="b">
                <override>1</override><key name="l" type="b"><default>true</default></key></schema>
            </schemalist>
            """,
            as: .gschema
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "E": { "enum": ["a"] }
                  },
                  "namespaces": {
                    "a": {
                      "keys": {
                        "f": { "type": "UInt8", "default": 1, "maximum": 9 },
                        "i": { "type": "E", "default": "a" },
                        "k": { "type": "String", "default": "v", "choices": ["v"] }
                      }
                    },
                    "b": {
                      "keys": {
                        "l": { "type": "Bool", "default": true }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:2: remark: <enum> is left out: it has no id",
                "in/Test:3: remark: the numbers of enum 'e' are left out: values are stored by name",
                "in/Test:4: remark: <value> of enum 'e' is left out: it has no nick",
                "in/Test:4: remark: value 'a' of enum 'e' is declared twice",
                "in/Test:6: remark: <schema> is left out: it has no id",
                "in/Test:6: remark: key 'lost' is left out: its schema has no id",
                "in/Test:7: remark: <key> is left out: its schema has no id",
                "in/Test:8: remark: schema 'a' is relocatable, as it has no path; it is imported for one location, "
                    + "whose path GSettingsKeyfileStore needs",
                "in/Test:9: remark: <key> is left out: it has no name",
                "in/Test:10: remark: key 'b' is left out: it has no type",
                "in/Test:11: remark: key 'c' is left out: it has more than one type",
                "in/Test:12: remark: key 'd' is left out: it has no default",
                "in/Test:14: remark: key 'e' is left out: its default has '1' where 'true' or 'false' is expected",
                "in/Test:15: remark: min='-1' of key 'f' is left out: it is not a number of type 'UInt8'",
                "in/Test:16: remark: key 'g' is left out: its default is not a value of enum 'e'",
                "in/Test:17: remark: key 'h' is left out: enum 'none' has no values",
                "in/Test:19: remark: key 'j' is left out: its default has 'a' where a string is expected",
                "in/Test:20: remark: <choice> of key 'k' is left out: it has no value",
                "in/Test:21: remark: <child> is left out: it has no name",
                "in/Test:22: remark: child 'b' is left out: it has no schema",
                "in/Test:24: remark: schema 'a' is declared twice; the first declaration is used",
                "in/Test:24: remark: key 'lost' is left out: its schema is declared twice",
                "in/Test:25: remark: schema 'b' is relocatable, as it has no path; it is imported for one location, "
                    + "whose path GSettingsKeyfileStore needs",
                "in/Test:25: remark: extends='b' is left out: the schema would extend itself",
                "in/Test:26: remark: <override> is left out: it has no name",
            ]
        )
    }

    @Test("A remark names the file that contains its cause")
    func remarkOnOtherFile() throws {
        let imported = try Imported(
            "<schemalist><schema id='c' extends='a' path='/c/'/></schemalist>",
            as: .gschema,
            path: "in/c.gschema.xml",
            others: [
                "in/b.gschema.xml": Self.key(
                    "<key name='k' type='b'/>\n<key name='l' type='b'><default>true</default></key>"
                )
            ]
        )
        #expect(imported.keyCount == 1)
        #expect(
            imported.remarks == [
                "in/c.gschema.xml:1: remark: paths are left out; the values are found by "
                    + #"GSettingsKeyfileStore(paths: ["c": "/c/"])"#,
                "in/b.gschema.xml:3: remark: key 'k' is left out: it has no default",
            ]
        )
    }

    @Test("A path that GSettings cannot have, or that depends on itself, is not given to the store")
    func invalidPaths() throws {
        func schema(_ id: String, _ attributes: String = "", child: String = "") -> String {
            """
            <schema id="\(id)" \(attributes)>\(child)<key name="k" type="b"><default>true</default></key></schema>

            """
        }
        let imported = try Imported(
            """
            <schemalist>
            \(schema("a", "path='a/'"))\(schema("b", "path='/b//'"))\(schema("c", "path='/swift-preferences/'"))\
            \(schema("d", child: "<child name='e' schema='e'/>"))\
            \(schema("e", child: "<child name='d' schema='d'/>"))\
            \(schema("f", "path='/f/'", child: "<child name='h' schema='h'/>"))\
            \(schema("g", "path='/g/'", child: "<child name='h' schema='h'/>"))\(schema("h"))</schemalist>
            """,
            as: .gschema
        )
        func invalid(_ path: String) -> String {
            "path='\(path)' is left out: it is not a path of GSettings, such as '/a/b/'"
        }
        func relocatable(_ id: String) -> String {
            "schema '\(id)' is relocatable, as it has no path; it is imported for one location, whose path "
                + "GSettingsKeyfileStore needs"
        }
        #expect(
            imported.remarks.filter { !$0.contains("child") }
                == [
                    (2, invalid("a/")), (3, invalid("/b//")), (4, invalid("/swift-preferences/")),
                    (5, relocatable("d")),
                    (6, relocatable("e")),
                    (
                        7,
                        "paths are left out; the values are found by "
                            + #"GSettingsKeyfileStore(paths: ["f": "/f/", "g": "/g/"])"#
                    ),
                    (9, relocatable("h")),
                ].map { "in/Test:\($0): remark: \($1)" }
        )
    }

    @Test("A file without importable keys is an error with explanatory remarks")
    func noKeys() throws {
        let remarks = [
            (2, "namespace 'a' is left out: it has no importable keys"),
            (3, "key 'k' is left out: schemas do not support type 'v'"),
        ]
        let error = ImportError.empty(
            path: "in/Test",
            remarks: remarks.map { Remark(path: "in/Test", line: $0, message: $1) }
        )
        #expect(error.description == "in/Test: error: the file contains nothing that a schema can represent")
        #expect(throws: error) {
            try Imported(Self.key("<key name='k' type='v'><default>1</default></key>"), as: .gschema)
        }
    }
}
