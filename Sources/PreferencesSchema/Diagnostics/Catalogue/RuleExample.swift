/// A schema that shows a rule, with the files that belong to it.
package struct RuleExample: Sendable {
    /// The schema first, then what it includes, or what else is at fault.
    package var files: [File]

    package struct File: Sendable {
        package var name: String
        /// What is shown of the file: all of it, or members of its object.
        package var shown: String
        /// The whole file; of what is generated, nothing, where it is as it should be.
        package var text: String
        var encoding = Encoding.utf8

        enum Encoding {
            case utf8
            /// Big-endian, with a byte order mark.
            case utf16
        }

        /// The file's bytes.
        package var bytes: [UInt8] {
            switch encoding {
            case .utf8: Array(text.utf8)
            case .utf16: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            }
        }
    }
}

extension RuleExample {
    /// Members of a schema's object, beside its format version.
    static func members(_ members: String, in name: String = "Weather.preferences.json") -> RuleExample {
        let lines = members.split(separator: "\n", omittingEmptySubsequences: false)
        let text = "{\n  \"formatVersion\": 1,\n\(lines.map { "  \($0)\n" }.joined())}\n"
        return RuleExample(files: [File(name: name, shown: members, text: text)])
    }

    /// A whole schema.
    static func file(_ text: String, named name: String = "Weather.preferences.json") -> RuleExample {
        RuleExample(files: [File(name: name, shown: text, text: text + "\n")])
    }

    /// The same with a file more, of whose object these are members.
    func including(_ members: String, from name: String) -> RuleExample {
        RuleExample(files: files + Self.members(members, in: "\(name).preferences-include.json").files)
    }
}
