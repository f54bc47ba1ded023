import PreferencesCodeGen
import PreferencesSchema
import Testing

@Suite("The markers of host files")
struct HostMarkerTests {
    private static let begin = "// preferences:begin Weather weather\n"
    private static let end = "// preferences:end\n"
    private static let beginFault = """
        error: a region begins with '// preferences:begin SCHEMA NAMESPACE' [host-markers]
        """
    private static let endFault = """
        error: a region ends with '// preferences:end' and the checksum that the generator put there [host-markers]
        """

    /// The texts of files, with their diagnostics without notes and path.
    static let faulty: [(text: String, faults: [String])] = [
        (begin, ["1:1: error: this region has no '// preferences:end' [host-markers]"]),
        (" " + end, ["1:2: error: no region begins before this end of one [host-markers]"]),
        (begin + end + end, ["3:1: error: no region begins before this end of one [host-markers]"]),
        (
            begin + end + "\n" + begin + end,
            [
                "4:1: error: there is a region for namespace 'weather' of Weather.preferences.json in line 1 already "
                    + "[host-markers]"
            ]
        ),
        (
            begin + "// preferences:begin Weather weather.radar\n" + end + end,
            ["2:1: error: a region begins here inside the one of line 1; regions must not overlap [host-markers]"]
        ),
        (
            begin + "// preferences:begin Weather weather.radar\n" + end,
            [
                "1:1: error: this region has no '// preferences:end' before another begins in line 2 [host-markers]"
            ]
        ),
        (
            begin + begin + end + "// preferences:begin Other -\n",
            [
                "1:1: error: this region has no '// preferences:end' before another begins in line 2 [host-markers]",
                "4:1: error: this region has no '// preferences:end' [host-markers]",
            ]
        ),
        ("// preferences:begin Weather\n" + end, ["1:1: \(beginFault)"]),
        ("// preferences:begin\n" + end, ["1:1: \(beginFault)"]),
        ("// preferences:begin Weather  weather\n" + end, ["1:1: \(beginFault)"]),
        ("//preferences:begin Weather weather\n" + end, ["1:1: \(beginFault)"]),
        ("/// preferences:begin Weather weather\n" + end, ["1:1: \(beginFault)"]),
        ("// Preferences:Begin Weather weather\n" + end, ["1:1: \(beginFault)"]),
        (begin + "// preferences:end 123\n", ["2:1: \(endFault)"]),
        (begin + "// preferences:end 0123456789ABCDEF\n", ["2:1: \(endFault)"]),
        (begin + "// preferences:end 0123456789abcdef more\n", ["2:1: \(endFault)"]),
        (begin + "// preferences:END\n", ["2:1: \(endFault)"]),
        (begin + "//  preferences:end\n", ["2:1: \(endFault)"]),
        ("// preferences:begin\n// preferences:END\n", ["1:1: \(beginFault)", "2:1: \(endFault)"]),
        (
            "let a = 1 // preferences:begin Weather weather\n" + end,
            ["1:11: error: a marker must be alone in its line [host-markers]"]
        ),
        (
            "struct A { // preferences:begin\n    /* */ // preferences:end\n}\n",
            [
                "1:12: error: a marker must be alone in its line [host-markers]",
                "2:11: error: a marker must be alone in its line [host-markers]",
            ]
        ),
        (
            begin + "} // preferences:end 0123456789abcdef\n",
            ["2:3: error: a marker must be alone in its line [host-markers]"]
        ),
        (
            begin + end + "let a = \"\"\"\n",
            ["3:9: error: what begins here never ends, so that no marker behind it can be found [host-markers]"]
        ),
        (
            begin + end + "/* /* */",
            ["3:1: error: what begins here never ends, so that no marker behind it can be found [host-markers]"]
        ),
    ]

    @Test("Faulty markers are rejected with their lines, and nothing is written", arguments: faulty)
    func refused(text: String, faults: [String]) {
        for mode in [HostUpdateOptions.Mode.check, .update, .force] {
            let (updated, found) = HostText(text).updated(mode)
            #expect(found.map { $0.split(separator: "\n")[0] } == faults.map { "Host.swift:\($0)" })
            #expect(updated == text)
        }
    }

    @Test("A note shows the correct marker")
    func notes() {
        #expect(
            HostText("// preferences:begin\n// preferences:End\n").faults()
                .flatMap { $0.split(separator: "\n").dropFirst() } == [
                    "Host.swift:1:1: note: as in '// preferences:begin Weather weather.radar'; NAMESPACE is '-' for "
                        + "keys in none",
                    "Host.swift:2:1: note: write '// preferences:end' alone, and have the region filled",
                ]
        )
        #expect(
            HostText("// preferences:begin Weather weather\n").faults()
                .flatMap { $0.split(separator: "\n").dropFirst() } == [
                    "Host.swift:1:1: note: put that behind the region's last line, or delete the region: it is written "
                        + "anew"
                ]
        )
    }

    @Test(
        "Text in a string or a longer comment is not a marker",
        arguments: [
            "let a = \"\"\"\n    // preferences:begin Weather\n    \"\"\"\n", "/*\n// preferences:end\n*/\n",
            "let a = \"// preferences:begin x\"\n", "// preferences:beginning\n",
            "// See preferences:begin\n", "// preferences:ended x\n", "// preferences: end\n",
            "let a = #\"\"\"\n\"\"\"\n// preferences:end\n\"\"\"#\n", "#if A\n/* \" */\n#endif\n",
        ]
    )
    func none(text: String) {
        #expect(HostText(text).faults([]) == [])
    }

    @Test(
        "A file that is not UTF-8 is rejected",
        arguments: [
            (bytes: [0xFE, 0xFF, 0x00, 0x2F], line: 1), ([0xFF, 0xFE, 0x2F, 0x00], 1),
            (Array("import Preferences\n\n// caf".utf8) + [0xE9, 0x0A], 3), ([0x0D, 0x0A, 0xC3], 2),
        ] as [(bytes: [UInt8], line: Int)]
    )
    func encoding(bytes: [UInt8], line: Int) {
        let file = HostFile(path: "Host.swift", bytes: bytes)
        let (updated, faults) = file.updated(
            with: [.weather],
            of: ["Weather"],
            HostUpdateOptions(mode: .force, command: "fix")
        )
        #expect(updated == bytes)
        #expect(
            faults.map(\.description) == [
                "Host.swift:\(line):1: error: the file is not UTF-8 [host-encoding]\n"
                    + "Host.swift:\(line):1: note: save it as UTF-8"
            ]
        )
    }
}
