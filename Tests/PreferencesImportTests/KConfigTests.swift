import PreferencesImport
import Testing

@Suite("Importing KConfigXT")
struct KConfigTests {
    @Test("Types, ranges, choices, defaults, secrets and texts are imported")
    func everything() throws {
        let imported = try Imported(
            """
            <kcfg>
              <group name="Main Window">
                <entry name="ShowBar" type="Bool"><label>Show
                   the bar</label><whatsthis>Whether the bar is shown.</whatsthis><default>false</default></entry>
                <entry name="Width" key="window width" type="Int"><min>10</min><max>5000</max><default>800</default></entry>
                <entry name="Factor" type="Double"><tooltip>How large</tooltip><default>1.5</default></entry>
                <entry name="Count" type="UInt"><default> 3 </default></entry>
                <entry name="Big" type="ULongLong"><default>18446744073709551615</default></entry>
                <entry name="Title" type="String"><default> a,b </default></entry>
                <entry name="Token" type="Password"/>
                <entry name="Home" type="Url"><default>/home</default></entry>
                <entry name="Proxy" type="Url"/>
                <entry name="Started" type="DateTime"/>
                <entry name="Since" type="DateTime"><default>2026-01-31T12:00:00Z</default></entry>
                <entry name="Columns" type="IntList"><default>1, 2,3</default></entry>
                <entry name="Plugins" type="StringList"><default>a,b c</default></entry>
                <entry name="Recent" type="PathList"></entry>
                <entry name="Sites" type="UrlList"><default>https://example.org,/tmp</default></entry>
                <entry name="Mode" type="Enum">
                  <choices>
                    <choice name="Fast"><label>Quick</label></choice>
                    <choice name="CrashNBurn" value="Crash'n Burn"><tooltip>Do not.</tooltip></choice>
                  </choices>
                  <default>CrashNBurn</default>
                </entry>
                <entry name="Name" type="String"><default code="true">QStringLiteral("x")</default></entry>
              </group>
              <group name="Inner" parentGroupName="Main Window"><entry name="On" type="bool"><default>1</default></entry></group>
            </kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Mode": {
                      "enum": {
                        "fast": { "value": "Fast", "label": "Quick" },
                        "crashNBurn": { "value": "Crash'n Burn", "description": "Do not." }
                      }
                    }
                  },
                  "namespaces": {
                    "mainWindow": {
                      "id": "Main Window",
                      "keys": {
                        "showBar": {
                          "type": "Bool",
                          "default": false,
                          "id": "ShowBar",
                          "description": "Whether the bar is shown.",
                          "label": "Show the bar"
                        },
                        "width": {
                          "type": "Int",
                          "default": 800,
                          "id": "window width",
                          "minimum": 10,
                          "maximum": 5000
                        },
                        "factor": { "type": "Double", "default": 1.5, "id": "Factor", "description": "How large" },
                        "count": { "type": "UInt", "default": 3, "id": "Count" },
                        "big": { "type": "UInt64", "default": 18446744073709551615, "id": "Big" },
                        "title": { "type": "String", "default": " a,b ", "id": "Title" },
                        "token": { "type": "String", "default": "", "id": "Token", "secret": true },
                        "home": { "type": "URL", "default": "file:///home", "id": "Home" },
                        "proxy": { "type": "URL?", "id": "Proxy" },
                        "started": { "type": "Date?", "id": "Started" },
                        "since": { "type": "Date", "default": "2026-01-31T12:00:00Z", "id": "Since" },
                        "columns": { "type": "[Int]", "default": [1, 2, 3], "id": "Columns" },
                        "plugins": { "type": "[String]", "default": ["a", "b c"], "id": "Plugins" },
                        "recent": { "type": "[String]", "default": [], "id": "Recent" },
                        "sites": {
                          "type": "[URL]",
                          "default": ["https://example.org", "file:///tmp"],
                          "id": "Sites"
                        },
                        "mode": { "type": "Mode", "default": "crashNBurn", "id": "Mode" },
                        "name": { "type": "String", "default": "x", "id": "Name" }
                      },
                      "namespaces": {
                        "inner": {
                          "id": "Inner",
                          "keys": {
                            "on": { "type": "Bool", "default": true, "id": "On" }
                          }
                        }
                      }
                    }
                  }
                }

                """
        )
        #expect(imported.remarks == [])
    }

    @Test("An entry with a parameter becomes one key for each value, with its own default")
    func parameters() throws {
        let imported = try Imported(
            """
            <kcfg>
              <group name="Game">
                <entry name="Color$(Number)" type="Int" key="color #$(Number)">
                  <parameter name="Number" type="Int" max="2"/>
                  <label>Colour of block $(Number)</label>
                  <default>7</default>
                  <default param="1">8</default>
                </entry>
                <entry name="Action$(Button)" type="Enum" key="$(Button)_action">
                  <parameter name="Button" type="Enum"><values><value>right</value><value>left</value></values></parameter>
                  <choices><choice name="Encrypt"/><choice name="Decrypt"/></choices>
                  <default param="right">Decrypt</default>
                </entry>
                <entry name="Many$(N)" type="Int"><parameter name="N" type="Int" max="100000"/></entry>
                <entry name="Most$(N)" type="Int"><parameter name="N" type="Int" max="9223372036854775807"/></entry>
              </group>
            </kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Action": { "enum": { "encrypt": "Encrypt", "decrypt": "Decrypt" } }
                  },
                  "namespaces": {
                    "game": {
                      "id": "Game",
                      "keys": {
                        "color0": { "type": "Int", "default": 7, "id": "color #0", "label": "Colour of block 0" },
                        "color1": { "type": "Int", "default": 8, "id": "color #1", "label": "Colour of block 1" },
                        "color2": { "type": "Int", "default": 7, "id": "color #2", "label": "Colour of block 2" },
                        "actionRight": { "type": "Action", "default": "decrypt", "id": "right_action" },
                        "actionLeft": { "type": "Action", "default": "encrypt", "id": "left_action" }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:4: remark: entry 'Color$(Number)' expands to 3 keys, one for each value of its parameter",
                "in/Test:9: remark: entry 'left_action' has no default; KConfig's implicit default 'Encrypt' is used",
                "in/Test:10: remark: entry 'Action$(Button)' expands to 2 keys, one for each value of its parameter",
                "in/Test:14: remark: entry 'Many$(N)' is left out: it would expand to 100001 keys",
                "in/Test:15: remark: entry 'Most$(N)' is left out: it would expand to 9223372036854775808 keys",
            ]
        )
    }

    @Test("Contents that a schema cannot represent are reported by line")
    func remarks() throws {
        let imported = try Imported(
            """
            <kcfg>
              <include>kuser.h</include>
              <kcfgfile name="apprc" arg="true"><parameter name="Profile"/></kcfgfile>
              <signal name="changed"/>
              <group name="G$(Profile)">
                <entry name="Paper" type="Color" hidden="true">
                  <label context="@label">Paper</label>
                  <code>QColor c;</code>
                  <default code="true">Qt::white</default>
                  <emit signal="changed"/>
                </entry>
                <entry name="Order" type="Int">
                  <min code="true">Qt::A</min>
                  <default>Qt::A</default>
                </entry>
                <entry name="Completion" type="Enum"><default>2</default></entry>
                <entry name="Bare"/>
                <entry name="Flag" type="Bool"/>
                <entry name="Kind" type="Enum">
                  <choices prefix="K"><choice name="A"/><choice name="B" value="A"/></choices>
                  <whatsthis>Long</whatsthis><tooltip>Short</tooltip>
                </entry>
                <entry name="Font" type="Font"><default>Sans,10</default></entry>
                <entry name="Text" type="String"><choices><choice name="A"/></choices><max>5</max></entry>
                <entry name="Text" type="String"/>
              </group>
            </kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Kind": { "enum": { "a": "A" } }
                  },
                  "namespaces": {
                    "gProfile": {
                      "id": "G$(Profile)",
                      "keys": {
                        "paper": { "type": "String?", "id": "Paper", "label": "Paper" },
                        "order": { "type": "Int?", "id": "Order" },
                        "completion": { "type": "Int", "default": 2, "id": "Completion" },
                        "bare": { "type": "String", "default": "", "id": "Bare" },
                        "flag": { "type": "Bool", "default": true, "id": "Flag" },
                        "kind": { "type": "Kind", "default": "a", "id": "Kind", "description": "Long" },
                        "font": { "type": "String", "default": "Sans,10", "id": "Font" },
                        "text": { "type": "String", "default": "", "id": "Text" }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:2: remark: <include> of kuser.h is left out: it is C++",
                "in/Test:3: remark: file name 'apprc' is left out: schemas do not specify where values are stored",
                "in/Test:3: remark: arg='true' is left out: schemas do not specify where values are stored",
                "in/Test:3: remark: parameter 'Profile' is left out: names cannot have parameters",
                "in/Test:4: remark: signal 'changed' is left out: every preference can be watched",
                "in/Test:5: remark: group 'G$(Profile)' keeps its parameter literally: names cannot have parameters",
                "in/Test:6: remark: type 'Color' of entry 'Paper' becomes String: the text that KConfig stores",
                "in/Test:6: remark: hidden='true' of entry 'Paper' is left out",
                "in/Test:7: remark: context='@label' of <label> is left out: it is for translators",
                "in/Test:8: remark: the code of entry 'Paper' is left out: it is C++",
                "in/Test:9: remark: the default of entry 'Paper' is left out and its type made optional: 'Qt::white' "
                    + "is C++",
                "in/Test:10: remark: signal 'changed' of entry 'Paper' is left out",
                "in/Test:13: remark: <min> of entry 'Order' is left out: 'Qt::A' is not a number of its type",
                "in/Test:14: remark: the default of entry 'Order' is left out and its type made optional: 'Qt::A' is "
                    + "not a value of its type, or is C++",
                "in/Test:16: remark: entry 'Completion' has no choices; it is imported as an Int, as KConfig stores it",
                "in/Test:17: remark: entry 'Bare' has no type; it is imported as a String, KConfig's default",
                "in/Test:18: remark: entry 'Flag' has no default; KConfig's implicit default true is used",
                "in/Test:19: remark: entry 'Kind' has no default; KConfig's implicit default 'A' is used",
                "in/Test:20: remark: prefix='K' is left out: it affects generated C++, not stored values",
                "in/Test:20: remark: choice 'B' is left out: another choice has the same stored value",
                "in/Test:21: remark: the tooltip of entry 'Kind' is left out: its 'whatsthis' is used",
                "in/Test:23: remark: type 'Font' of entry 'Font' becomes String: the text that KConfig stores",
                "in/Test:24: remark: the choices of entry 'Text' are left out: its type is not Enum",
                "in/Test:24: remark: <max> of entry 'Text' is left out: '5' is not a number of its type",
                "in/Test:25: remark: key 'Text' is declared twice; the first declaration is used",
            ]
        )
    }

    @Test("A key has a storage name where KConfigStore's is not that of its group and key")
    func storageNames() throws {
        let imported = try Imported(
            """
            <kcfg>
              <group name="Colors:Window">
                <entry name="Background" type="Int"><default>1</default></entry>
                <entry name="Paper" key="a:b" type="Int"><default>1</default></entry>
              </group>
              <group name="Colors.Window"><entry name="Background" type="Int"><default>1</default></entry></group>
              <group name="Inner" parentGroupName="Colors:Window">
                <entry name="Background" type="Int"><default>1</default></entry>
              </group>
              <group name="&lt;default>"><entry name="Version" type="Int"><default>1</default></entry></group>
            </kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == #"""
                {
                  "formatVersion": 1,
                  "namespaces": {
                    "colorsWindow": {
                      "id": "Colors.Window2",
                      "keys": {
                        "background": { "type": "Int", "default": 1, "storageName": "Colors\\:Window:Background" },
                        "paper": { "type": "Int", "default": 1, "storageName": "Colors\\:Window:a\\:b" }
                      },
                      "namespaces": {
                        "inner": {
                          "id": "Inner",
                          "keys": {
                            "background": {
                              "type": "Int",
                              "default": 1,
                              "storageName": "Colors\\:Window:Inner:Background"
                            }
                          }
                        }
                      }
                    },
                    "testColorsWindow": {
                      "id": "Colors.Window",
                      "keys": {
                        "background": { "type": "Int", "default": 1, "id": "Background" }
                      }
                    },
                    "default": {
                      "id": "<default>",
                      "keys": {
                        "version": { "type": "Int", "default": 1, "storageName": "Version" }
                      }
                    }
                  }
                }

                """#
        )
        #expect(
            imported.remarks == [
                "in/Test:6: remark: namespace 'Colors.Window' is named 'testColorsWindow' because 'colorsWindow' is "
                    + "taken"
            ]
        )
    }

    @Test("An entry whose storage name no schema can have is left out with a remark")
    func impossibleStorageNames() throws {
        let imported = try Imported(
            """
            <kcfg>
              <group name="a&#9;b"><entry name="x" type="Int"/></group>
              <group name="A"><entry name="k" type="Int"><default>1</default></entry></group>
              <group name="&lt;default>">
                <entry name="::x" type="Int"><default>1</default></entry>
                <entry name="A::x" type="Int"><default>1</default></entry>
                <entry name="B::x" type="Int"><default>1</default></entry>
              </group>
            </kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.remarks == [
                "in/Test:2: remark: entry 'x' has no default; KConfig's implicit default 0 is used",
                "in/Test:2: remark: entry 'x' is left out: storage names cannot contain the control characters of its "
                    + "key or group",
                "in/Test:2: remark: namespace 'a b' is left out: it has no importable keys",
                "in/Test:5: remark: entry '::x' is left out: storage names that begin with '::' belong to the library",
                "in/Test:6: remark: entry 'A::x' is left out: its storage name would begin with 'A:', like those of a "
                    + "group",
            ]
        )
        #expect(imported.keyCount == 2)
    }

    @Test("Choices with one name share an enum")
    func namedChoices() throws {
        let imported = try Imported(
            """
            <kcfg><group name="g">
              <entry name="a" type="Enum"><choices name="Corner"><choice name="left"/></choices></entry>
              <entry name="b" type="Enum"><choices name="App::Corner"/></entry>
            </group></kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Corner": { "enum": ["left"] }
                  },
                  "namespaces": {
                    "g": {
                      "keys": {
                        "a": { "type": "Corner", "default": "left" },
                        "b": { "type": "Corner", "default": "left" }
                      }
                    }
                  }
                }

                """
        )
    }

    @Test(
        "Invalid input is an error with its line",
        arguments: [
            ("<kcfg>\n<group name='a'>\n<entry>\n</kcfg>", 4, "an end tag does not match its start tag"),
            ("<schemalist/>", 1, "the root element is <schemalist>; expected <kcfg> of KConfigXT"),
        ]
    )
    func invalidInput(text: String, line: Int, message: String) throws {
        #expect(throws: ImportError.invalid(path: "in/Test", line: line, message: message)) {
            try Imported(text, as: .kcfg)
        }
    }

    @Test("An incomplete entry is left out with a remark, and others are imported")
    func incomplete() throws {
        let imported = try Imported(
            """
            <kcfg>
              <group name="g">
                <entry type="Int"/>
                <entry name="a" type="Nope"/>
                <entry name="b$(n)" type="Int"><parameter/></entry>
                <entry name="c$(n)" type="Int">
                  <parameter name="n" type="Int"/></entry>
                <entry name="d" type="Enum"><choices><choice name="x"/>
                  <choice/></choices></entry>
                <entry name="e" type="Int"><default>1</default></entry>
              </group>
              <group>
                <entry name="f" type="Int"/>
                <entry type="Int"/></group>
              <group name="" parentGroupName="g"/>
            </kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "D": { "enum": ["x"] }
                  },
                  "namespaces": {
                    "g": {
                      "keys": {
                        "d": { "type": "D", "default": "x" },
                        "e": { "type": "Int", "default": 1 }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:3: remark: <entry> is left out: it has neither a name nor a key",
                "in/Test:4: remark: entry 'a' is left out: unknown type 'Nope'",
                "in/Test:5: remark: entry 'b$(n)' is left out: its parameter has no name",
                "in/Test:7: remark: entry 'c$(n)' is left out: its parameter 'n' has neither a maximum nor values",
                "in/Test:8: remark: entry 'd' has no default; KConfig's implicit default 'x' is used",
                "in/Test:9: remark: <choice> of entry 'd' is left out: it has no name",
                "in/Test:12: remark: <group> is left out: it has no name",
                "in/Test:13: remark: entry 'f' is left out: its group has no name",
                "in/Test:14: remark: <entry> is left out: its group has no name",
                "in/Test:15: remark: <group> is left out: it has no name",
            ]
        )
    }

    @Test("A default selects a choice by name or number, even if a choice before it is left out")
    func numberedChoices() throws {
        func entry(_ name: String, default text: String) -> String {
            """
            <entry name="\(name)" type="Enum"><choices name="K"><choice name="A"/><choice name="B" value="A"/>
            <choice name="C"/><choice/></choices><default>\(text)</default></entry>
            """
        }
        let imported = try Imported(
            """
            <kcfg><group name="g">
            \(entry("a", default: "0"))
            \(entry("b", default: "1"))
            \(entry("c", default: "2"))
            \(entry("d", default: "B"))
            \(entry("e", default: "3"))
            \(entry("f", default: "4"))
            <entry name="h" type="Enum"><choices name="K"/><default>1</default></entry>
            </group></kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "K": { "enum": { "a": "A", "c": "C" } }
                  },
                  "namespaces": {
                    "g": {
                      "keys": {
                        "a": { "type": "K", "default": "a" },
                        "b": { "type": "K", "default": "a" },
                        "c": { "type": "K", "default": "c" },
                        "d": { "type": "K", "default": "a" },
                        "e": { "type": "K?" },
                        "f": { "type": "K?" },
                        "h": { "type": "K", "default": "c" }
                      }
                    }
                  }
                }

                """
        )
        let remarks = imported.remarks.filter { !$0.contains("choice") }
        #expect(
            remarks == [
                "in/Test:11: remark: the default of entry 'e' is left out and its type made optional: '3' is not a "
                    + "value of its type, or is C++",
                "in/Test:13: remark: the default of entry 'f' is left out and its type made optional: '4' is not a "
                    + "value of its type, or is C++",
            ]
        )
    }

    @Test("The default of a password is left out")
    func secrets() throws {
        let imported = try Imported(
            """
            <kcfg><group name="g">
              <entry name="a" type="Password">
                <default>x</default></entry>
              <entry name="b" type="Password"><default></default></entry>
              <entry name="c" type="PasswordList"><default>x,y</default></entry>
              <entry name="d" type="PasswordList"/>
            </group></kcfg>
            """,
            as: .kcfg
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "namespaces": {
                    "g": {
                      "keys": {
                        "a": { "type": "String?", "secret": true },
                        "b": { "type": "String", "default": "", "secret": true },
                        "c": { "type": "[String]?", "secret": true },
                        "d": { "type": "[String]", "default": [], "secret": true }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:3: remark: the default of entry 'a' is left out and its type made optional: schemas must not "
                    + "contain secrets",
                "in/Test:5: remark: the default of entry 'c' is left out and its type made optional: schemas must not "
                    + "contain secrets",
            ]
        )
    }
}
