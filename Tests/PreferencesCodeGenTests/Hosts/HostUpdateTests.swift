import PreferencesCodeGen
import PreferencesSchema
import Testing

@Suite("The regions of host files")
struct HostUpdateTests {
    @Test("An empty region is filled")
    func fill() {
        let host = HostText("import W\n// preferences:begin Weather weather\n// preferences:end\nlet x = 1\n")
        #expect(
            host.updated().text == """
                import W
                // preferences:begin Weather weather
                extension W {
                    var a: Int { 1 }

                    var b: Int { 2 }
                }
                // preferences:end 7183756092a8b0ab
                let x = 1

                """
        )
        #expect(host.updated().faults == [])
        let mark = "Host.swift:2:1: error: "
        #expect(host.faults() == [mark + "this region is not filled yet; run 'fix' [host-region-stale]"])
    }

    @Test("A region of nested namespaces is rejected in the braces of a type, and written at file scope")
    func namespacesInside() throws {
        let text = #"""
            {"formatVersion": 1, "namespaces": {"weather": {
              "host": "Host.swift",
              "access": "fileprivate",
              "keys": {"a": {"type": "Int?"}},
              "namespaces": {"radar": {"keys": {"b": {"type": "Int?"}}}}
            }}}
            """#
        let (set, diagnostics) = SchemaSet.read([
            SchemaSource(path: "Weather.preferences.json", bytes: Array(text.utf8))
        ])
        #expect(diagnostics == [])
        let regions = HostRegions.regions(of: set)
        let markers = "// preferences:begin Weather weather\n    // preferences:end\n"
        #expect(
            HostText("struct Home {\n    \(markers)}\n").updated(with: regions).faults == [
                """
                Host.swift:2:5: error: this region is inside the braces of a type, and the namespaces inside namespace \
                'weather' of Weather.preferences.json make protocols [host-markers]
                Host.swift:2:5: note: move both markers out of all braces
                """
            ]
        )
        let (updated, faults) = HostText(markers).updated(with: regions)
        #expect(faults == [])
        #expect(updated.contains("nonisolated private protocol WeatherRadarPreferences: PreferenceAccessors {}"))
    }

    @Test(
        "A missing region is appended after an empty line",
        arguments: [
            ("", ""), ("let x = 1", "\n\n"), ("let x = 1\n", "\n"), ("let x = 1\n\n", ""), ("let x = 1\n  \n", ""),
            ("\n", ""), ("let x = 1\n}\n}\n", "\n"), ("extension X {\n", "\n"),
        ]
    )
    func append(text: String, between: String) {
        let (updated, faults) = HostText(text).updated(with: [.radar])
        #expect(faults == [])
        let region = "// preferences:begin Weather weather.radar\nlet radar = 1\n// preferences:end 80f73c3b4172ddb8\n"
        #expect(updated == text + between + region)
        #expect(HostText(updated).updated(with: [.radar]).text == updated)
        #expect(HostText(updated).faults([.radar]) == [])
    }

    @Test("Several missing regions are separated by empty lines, and have the file's line ends")
    func appendSeveral() {
        let (updated, _) = HostText("let x = 1\r\nlet y = 1\n").updated(with: [.radar, .sea])
        #expect(
            updated.split(separator: "\r\n", omittingEmptySubsequences: false).map { $0.prefix(27) } == [
                "let x = 1", "let y = 1\n", "// preferences:begin Weathe", "let radar = 1",
                "// preferences:end 80f73c3b", "", "// preferences:begin My Sea", "let sea = 1",
                "// preferences:end 6e013002", "",
            ]
        )
    }

    @Test("A missing region is reported at the file's last line")
    func missing() {
        let message =
            "this file has no region for namespace 'weather' of Weather.preferences.json; run 'fix' "
            + "[host-region-missing]"
        #expect(HostText("import W\nlet x = 1").faults() == ["Host.swift:2:1: error: \(message)"])
        let sea = "this file has no region for the own keys of My Sea.preferences.json; run 'fix'"
        #expect(HostText("").faults([.sea]) == ["Host.swift:1:1: error: \(sea) [host-region-missing]"])
    }

    @Test("A region has the indentation and the line ends of its first marker")
    func layout() {
        let marked = "struct W {\n\t // preferences:begin Weather weather\r\n// preferences:end\n}"
        let (updated, faults) = HostText(marked).updated()
        #expect(faults == [])
        let lines = ["var a: Int {", "    get { 1 }", "    nonmutating set { use(newValue) }", "}"]
        let content = lines.map { "\t \($0)\r\n" }.joined()
        #expect(
            updated.hasPrefix(
                "struct W {\n\t // preferences:begin Weather weather\r\n" + content + "// preferences:end "
            )
        )
        #expect(updated.hasSuffix("\n}"))
        #expect(HostText(updated).faults() == [])
    }

    @Test("A region may end at the end of the file")
    func endOfFile() {
        let (updated, faults) = HostText("// preferences:begin Weather weather.radar\n// preferences:end").updated(
            with: [.radar]
        )
        #expect(faults == [])
        #expect(updated.hasSuffix("\nlet radar = 1\n// preferences:end 80f73c3b4172ddb8"))
    }

    @Test("New declarations replace the former ones, and hand-written edits are kept unless --force is given")
    func staleAndEdited() {
        let filled = HostText("// preferences:begin Weather weather\n// preferences:end\n").updated().text
        let changed = HostRegion(namespace: "weather", topLevel: ["let new = 1"], members: [])
        let stale = "this region is out of date with Weather.preferences.json; run 'fix' [host-region-stale]"
        #expect(HostText(filled).faults([changed]) == ["Host.swift:1:1: error: \(stale)"])
        #expect(HostText(filled).updated(with: [changed]).text.contains("\nlet new = 1\n"))

        let edited = HostText(filled.replacing("{ 1 }", with: "{ 10 }"))
        let message =
            "Host.swift:1:1: error: this region was edited by hand; move your edits out of it, then run "
            + "'fix --force' [host-region-edited]"
        for wanted in [HostRegion.weather, changed] {
            #expect(edited.faults([wanted]) == [message])
            #expect(edited.updated(with: [wanted]).faults == [message])
        }
        #expect(edited.updated(.force) == (filled, []))
    }

    @Test("Lines without a checksum are hand-written edits")
    func withoutChecksum() {
        let text = "// preferences:begin Weather weather\nlet mine = 1\n// preferences:end\n"
        #expect(HostText(text).updated().faults.map { $0.contains("was edited by hand") } == [true])
        let blank = "// preferences:begin Weather weather\n\n   \n// preferences:end\n"
        #expect(HostText(blank).updated().faults == [])
    }

    @Test(
        "Correct lines are written again, whatever the checksum is",
        arguments: ["", " 0123456789abcdef"]
    )
    func rightLinesWrongChecksum(checksum: String) {
        let filled = HostText("// preferences:begin Weather weather\n// preferences:end\n").updated().text
        let text = filled.replacing(/preferences:end .*/, with: "preferences:end\(checksum)")
        #expect(HostText(text).faults().map { $0.hasSuffix("[host-region-stale]") } == [true])
        #expect(HostText(text).updated() == (filled, []))
    }

    @Test("Different indentation and line ends are not edits, and are kept")
    func reformatted() {
        let filled = HostText("// preferences:begin Weather weather\n// preferences:end\n").updated().text
        for text in [filled.replacing("\n", with: "\r\n"), filled.replacing("    ", with: "  ")] {
            #expect(HostText(text).faults() == [])
            #expect(HostText(text).updated().text == text)
        }
    }

    @Test("Several schemas and namespaces share a file")
    func several() {
        let text = """
            // preferences:begin My Sea -
            // preferences:end
            // preferences:begin Weather weather.radar
            // preferences:end
            // preferences:begin Other thing
            let other = 1
            // preferences:end

            """
        let (updated, faults) = HostText(text).updated(with: [.radar, .sea])
        #expect(faults == [])
        #expect(updated.contains("My Sea -\nlet sea = 1\n"))
        #expect(updated.contains("weather.radar\nlet radar = 1\n"))
        // The region of another run keeps its contents.
        #expect(updated.hasSuffix("Other thing\nlet other = 1\n// preferences:end\n"))
    }

    @Test("A region whose namespace is misspelt is reported with the namespace that has no region")
    func misspelt() {
        let weather = "// preferences:begin Weather weather\n// preferences:end\n"
        let text = weather + "// preferences:begin Weather wether.radr\n// preferences:end\n"
        let message = "nothing goes here of namespace 'wether.radr' of Weather.preferences.json [host-region-unwanted]"
        let expected = [
            "Host.swift:3:1: error: \(message)\n"
                + "Host.swift:3:1: note: did you mean 'weather.radar'? if not, delete lines 3 to 4"
        ]
        #expect(HostText(text).updated(with: [.weather, .radar]).faults == expected)
        // Namespaces that already have a region are not suggested.
        let unlike = expected.map { $0.replacing("did you mean 'weather.radar'? if not, ", with: "") }
        #expect(HostText(text).updated(with: [.weather, .sea]).faults == unlike)
    }

    @Test("A region of no schema is reported, to be deleted by hand")
    func unwanted() {
        let text = "let x = 1\n\n// preferences:begin Weather wether\nlet y = 1\n// preferences:end\n"
        let expected = [
            "Host.swift:3:1: error: nothing goes here of namespace 'wether' of Weather.preferences.json "
                + "[host-region-unwanted]\nHost.swift:3:1: note: delete lines 3 to 5"
        ]
        #expect(HostText(text).faults([]) == expected)
        #expect(HostText(text).updated(with: [.radar], .force).faults == expected)
    }
}
