import PreferencesImport
import Testing

@Suite("Importing an iOS settings bundle")
struct SettingsBundleTests {
    @Test("Specifiers of all panes become keys with their storage names")
    func everything() throws {
        let imported = try Imported(
            Self.list(
                """
                <dict><key>Type</key><string>PSGroupSpecifier</string><key>Title</key><string>G</string><key>FooterText</key><string>F</string></dict>
                <dict><key>Type</key><string>PSTextFieldSpecifier</string><key>Title</key><string>Your name</string><key>Key</key><string>name_preference</string></dict>
                <dict><key>Type</key><string>PSTextFieldSpecifier</string><key>Key</key><string>token</string><key>IsSecure</key><true/><key>KeyboardType</key><string>URL</string></dict>
                <dict><key>Type</key><string>PSToggleSwitchSpecifier</string><key>Key</key><string>com.app.on</string><key>DefaultValue</key><true/></dict>
                <dict><key>Type</key><string>PSToggleSwitchSpecifier</string><key>Key</key><string>answer</string><key>DefaultValue</key><string>NO</string><key>TrueValue</key><string>YES</string><key>FalseValue</key><string>NO</string></dict>
                <dict><key>Type</key><string>PSSliderSpecifier</string><key>Key</key><string>volume</string><key>DefaultValue</key><real>0.5</real><key>MinimumValue</key><integer>0</integer><key>MaximumValue</key><integer>1</integer></dict>
                <dict><key>Type</key><string>PSMultiValueSpecifier</string><key>Key</key><string>sort</string><key>DefaultValue</key><integer>1</integer><key>Values</key><array><integer>0</integer><integer>1</integer><integer>-1</integer></array><key>Titles</key><array><string>By name</string><string>By date</string></array></dict>
                <dict><key>Type</key><string>PSRadioGroupSpecifier</string><key>Title</key><string>Theme</string><key>FooterText</key><string>How it looks.</string><key>Key</key><string>theme</string><key>DefaultValue</key><string>dark-mode</string><key>Values</key><array><string>light</string><string>dark-mode</string></array><key>Titles</key><array><string>Light</string><string>Dark</string></array></dict>
                <dict><key>Type</key><string>PSTitleValueSpecifier</string><key>Key</key><string>version</string><key>DefaultValue</key><string>1.0</string></dict>
                <dict><key>Type</key><string>PSMultiValueSpecifier</string><key>Key</key><string>rate</string><key>DefaultValue</key><real>1.5</real><key>Values</key><array><real>0.5</real><real>1.5</real></array></dict>
                <dict><key>Type</key><string>PSChildPaneSpecifier</string><key>File</key><string>More</string></dict>
                """
            ),
            as: .settingsBundle,
            path: "in/App.bundle/Root.plist",
            others: [
                "in/App.bundle/More.plist": Self.list(
                    """
                    <dict><key>Type</key><string>PSToggleSwitchSpecifier</string><key>Key</key><string>more</string></dict>
                    <dict><key>Type</key><string>PSChildPaneSpecifier</string><key>File</key><string>Root</string></dict>
                    """
                )
            ]
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Sort": {
                      "enum": {
                        "byName": { "value": 0, "label": "By name" },
                        "byDate": { "value": 1, "label": "By date" },
                        "valueMinus1": -1
                      }
                    },
                    "Theme": {
                      "enum": {
                        "light": { "label": "Light" },
                        "darkMode": { "value": "dark-mode", "label": "Dark" }
                      }
                    }
                  },
                  "keys": {
                    "namePreference": {
                      "type": "String",
                      "default": "",
                      "id": "name_preference",
                      "label": "Your name"
                    },
                    "token": { "type": "String", "default": "", "secret": true },
                    "comAppOn": { "type": "Bool", "default": true, "id": "com.app.on" },
                    "answer": { "type": "String", "default": "NO", "choices": ["NO", "YES"] },
                    "volume": { "type": "Double", "default": 0.5, "minimum": 0, "maximum": 1 },
                    "sort": { "type": "Sort", "default": "byDate" },
                    "theme": {
                      "type": "Theme",
                      "default": "darkMode",
                      "description": "How it looks.",
                      "label": "Theme"
                    },
                    "version": { "type": "String", "default": "1.0", "readOnly": true },
                    "rate": { "type": "Double", "default": 1.5, "choices": [0.5, 1.5] },
                    "more": { "type": "Bool?" }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/App.bundle/Root.plist:3: remark: group 'G', 'F' is left out: schemas do not group keys for "
                    + "presentation",
                "in/App.bundle/Root.plist:5: remark: KeyboardType of 'token' is left out: it affects only presentation",
                "in/App.bundle/Root.plist:7: remark: 'answer' is a switch that stores custom values instead of true "
                    + "and false",
                "in/App.bundle/Root.plist:9: remark: 'sort' has 3 values, but 2 titles",
                "in/App.bundle/Root.plist:13: remark: child pane 'More' does not become a namespace: its keys are "
                    + "stored with all others",
                "in/App.bundle/More.plist:3: remark: 'more' has no default; its type is optional",
                "in/App.bundle/More.plist:4: remark: child pane 'Root' does not become a namespace: its keys are "
                    + "stored with all others",
            ]
        )
    }

    @Test("Contents that a schema cannot represent are reported by line")
    func remarks() throws {
        let imported = try Imported(
            Self.list(
                """
                <dict><key>Type</key><string>PSButtonSpecifier</string></dict>
                <dict><key>Type</key><string>PSChildPaneSpecifier</string><key>Title</key><string>T</string></dict>
                <dict><key>Type</key><string>PSSliderSpecifier</string><key>Key</key><string>size</string></dict>
                <dict><key>Type</key><string>PSMultiValueSpecifier</string><key>Key</key><string>a</string><key>DefaultValue</key><string>z</string><key>Values</key><array><string>x</string><string>x</string></array></dict>
                <dict><key>Type</key><string>PSMultiValueSpecifier</string><key>Key</key><string>b</string><key>Values</key><array><string>x</string><integer>1</integer></array></dict>
                <dict><key>Type</key><string>PSMultiValueSpecifier</string><key>Key</key><string>c</string><key>Values</key><array><string>1</string><string>2</string></array><key>ShortTitles</key><array/></dict>
                <dict><key>Type</key><string>PSToggleSwitchSpecifier</string><key>Key</key><string>d</string><key>DefaultValue</key><string>on</string></dict>
                <dict><key>Type</key><string>PSToggleSwitchSpecifier</string><key>Key</key><string>e</string><key>TrueValue</key><false/><key>FalseValue</key><true/></dict>
                """,
                more: "<key>StringsTable</key><string>Root</string>"
            ),
            as: .settingsBundle,
            path: "App.bundle/Root.plist"
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "C": { "enum": { "value1": "1", "value2": "2" } }
                  },
                  "keys": {
                    "size": { "type": "Double?" },
                    "a": { "type": "String", "default": "z" },
                    "c": { "type": "C?" },
                    "d": { "type": "Bool?" }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "App.bundle/Root.plist:1: remark: StringsTable is left out: texts are imported untranslated",
                "App.bundle/Root.plist:3: remark: a specifier of type 'PSButtonSpecifier' is left out: the type is "
                    + "unknown",
                "App.bundle/Root.plist:4: remark: child pane 'T' is left out: it names no file",
                "App.bundle/Root.plist:5: remark: 'size' has no default; its type is optional",
                "App.bundle/Root.plist:6: remark: a choice of 'a' is left out: another choice has the same stored "
                    + "value",
                "App.bundle/Root.plist:6: remark: the choices of 'a' are left out: they do not contain its default",
                "App.bundle/Root.plist:7: remark: 'b' is left out: its values have no common scalar type",
                "App.bundle/Root.plist:8: remark: 'c' has no default; its type is optional",
                "App.bundle/Root.plist:8: remark: ShortTitles of 'c' is left out: it affects only presentation",
                "App.bundle/Root.plist:9: remark: the default of 'd' is left out and its type made optional: it has "
                    + "another type",
                "App.bundle/Root.plist:10: remark: 'e' is left out: schemas cannot represent its values for on and off",
            ]
        )
    }

    @Test(
        "Invalid input is an error with its line",
        arguments: [
            ("<plist><dict/></plist>", 1, "the array 'PreferenceSpecifiers' is missing"),
            ("<plist>\n</plist>", 1, "expected a <plist> with one value"),
        ]
    )
    func invalidInput(text: String, line: Int, message: String) throws {
        #expect(throws: ImportError.invalid(path: "Root.plist", line: line, message: message)) {
            try Imported(text, as: .settingsBundle, path: "Root.plist")
        }
    }

    @Test("Remarks name the files of a bundle, the root file first")
    func folder() throws {
        let twice = """
            <dict><key>Type</key><string>PSTextFieldSpecifier</string><key>Key</key><string>plain</string></dict>
            <dict><key>Type</key><string>PSTextFieldSpecifier</string><key>Key</key><string>plain</string></dict>
            """
        let choice = """
            <dict><key>Type</key><string>PSRadioGroupSpecifier</string><key>Key</key><string>string</string>
            <key>DefaultValue</key><string>self</string>
            <key>Values</key><array><string>self</string></array></dict>
            """
        let child = """
            <dict><key>Type</key><string>PSChildPaneSpecifier</string><key>File</key><string>More</string></dict>
            """
        let imported = try Imported(
            "",
            as: .settingsBundle,
            path: "S.bundle",
            others: [
                "S.bundle/Root.plist": Self.list("\(twice)\n\(choice)\n\(child)"),
                "S.bundle/More.plist": Self.list(twice),
            ],
            options: Importer.Options(namespace: "app")
        )
        #expect(
            imported.remarks == [
                "S.bundle/Root.plist:4: remark: key 'plain' is declared twice; the first declaration is used",
                "S.bundle/Root.plist:7: remark: enum 'String' is named 'AppString' because 'String' is reserved",
                "S.bundle/Root.plist:8: remark: child pane 'More' does not become a namespace: its keys are stored "
                    + "with all others",
                "S.bundle/More.plist:3: remark: key 'plain' is declared twice; the first declaration is used",
                "S.bundle/More.plist:4: remark: key 'plain' is declared twice; the first declaration is used",
            ]
        )
    }

    @Test("A bundle without a root file is an error")
    func missingRoot() throws {
        let message = "cannot read App.bundle/Root.plist: No such file or directory"
        #expect(throws: ImportError.unreadable(message: message)) {
            try Imported("", as: .settingsBundle, path: "App.bundle")
        }
    }

    @Test("A missing pane is left out with a remark on its reference")
    func missingPane() throws {
        let child = """
            <dict><key>Type</key><string>PSChildPaneSpecifier</string>
            <key>File</key><string>No</string></dict>
            """
        let field =
            "<dict><key>Type</key><string>PSTextFieldSpecifier</string><key>Key</key><string>a</string></dict>"
        let imported = try Imported(
            Self.list("\(child)\n\(child)\n\(field)"),
            as: .settingsBundle,
            path: "App.bundle/Root.plist"
        )
        #expect(imported.keyCount == 1)
        let message = "child pane 'No' is left out: cannot read App.bundle/No.plist: No such file or directory"
        #expect(
            imported.remarks == [
                "App.bundle/Root.plist:4: remark: \(message)",
                "App.bundle/Root.plist:6: remark: \(message)",
            ]
        )
    }

    @Test("The default of a secret is left out")
    func secrets() throws {
        func field(_ rest: String) -> String {
            "<dict><key>Type</key><string>PSTextFieldSpecifier</string>\(rest)</dict>"
        }
        let imported = try Imported(
            Self.list(
                """
                \(field("<key>Key</key><string>a</string><key>IsSecure</key><true/>\n<key>DefaultValue</key><string>x</string>"))
                \(field("<key>Key</key><string>b</string><key>IsSecure</key><true/><key>DefaultValue</key><string/>"))
                \(field("<key>Key</key><string>c</string><key>IsSecure</key><false/><key>DefaultValue</key><string>x</string>"))
                \(field("<key>Key</key><string>d</string><key>IsSecure</key>\n<string>YES</string>"))
                """
            ),
            as: .settingsBundle,
            path: "App.bundle/Root.plist"
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "keys": {
                    "a": { "type": "String?", "secret": true },
                    "b": { "type": "String", "default": "", "secret": true },
                    "c": { "type": "String", "default": "x" },
                    "d": { "type": "String", "default": "", "secret": true }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "App.bundle/Root.plist:4: remark: the default of 'a' is left out and its type made optional: schemas "
                    + "must not contain secrets",
                "App.bundle/Root.plist:8: remark: IsSecure of 'd' is not a Boolean; it is assumed to be true",
            ]
        )
    }

    @Test("Incomplete specifiers and unsuitable defaults are left out")
    func incomplete() throws {
        let imported = try Imported(
            Self.list(
                """
                <string>x</string>
                <dict/>
                <dict><key>Type</key><string>PSSliderSpecifier</string></dict>
                <dict><key>Type</key><string>PSSliderSpecifier</string><key>Key</key><string>k</string>
                <key>DefaultValue</key><string>1</string>
                <key>MinimumValue</key><string>0</string>
                <key>MaximumValue</key><integer>2</integer></dict>
                <dict><key>Type</key><string>PSTextFieldSpecifier</string><key>Key</key><string>t</string>
                <key>DefaultValue</key><integer>1</integer></dict>
                <dict><key>Type</key><string>PSSliderSpecifier</string><key>Key</key><string>s</string>
                <key>DefaultValue</key><integer>9007199254740993</integer></dict>
                """
            ),
            as: .settingsBundle,
            path: "App.bundle/Root.plist"
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "keys": {
                    "k": { "type": "Double?", "maximum": 2 },
                    "t": { "type": "String?" },
                    "s": { "type": "Double", "default": 9007199254740993 }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "App.bundle/Root.plist:3: remark: a specifier is left out: it is not a dictionary",
                "App.bundle/Root.plist:4: remark: a specifier is left out: it has no 'Type'",
                "App.bundle/Root.plist:5: remark: a specifier of type 'PSSliderSpecifier' is left out: it has no 'Key'",
                "App.bundle/Root.plist:7: remark: the default of 'k' is left out and its type made optional: it has "
                    + "another type",
                "App.bundle/Root.plist:8: remark: MinimumValue of 'k' is left out: it is not a number",
                "App.bundle/Root.plist:11: remark: the default of 't' is left out and its type made optional: it has "
                    + "another type",
                "App.bundle/Root.plist:13: remark: 's' loses precision: 9007199254740993 becomes 9007199254740992.0 "
                    + "as a Double",
            ]
        )
    }

    /// Returns a property list whose specifiers begin on line 3.
    private static func list(_ specifiers: String, more: String = "") -> String {
        """
        <plist version="1.0"><dict>\(more)<key>PreferenceSpecifiers</key>
        <array>
        \(specifiers)
        </array></dict></plist>
        """
    }
}
