import Foundation
import TestSupport

/// Damage to a file.
struct Damage {
    let group: String
    let name: String
    /// Whether the file is missing for a moment.
    var leavesGap = false
    /// Damages the file.
    let inflict: (_ url: URL, _ good: Data) throws -> Void

    init(_ group: String, _ name: String, _ inflict: @escaping (_ url: URL, _ good: Data) throws -> Void) {
        self.group = group
        self.name = name
        self.inflict = inflict
    }

    /// Damage that replaces the file's bytes.
    init(_ group: String, _ name: String, bytes: @escaping (_ good: Data) -> Data) {
        self.init(group, name) { url, good in try bytes(good).write(to: url) }
    }
}

extension Damage {
    /// Truncated files.
    static func truncations(of label: String, count: Int, step: Int) -> [Damage] {
        stride(from: 0, to: count, by: step).map { length in
            Damage("\(label) cut short", "to \(length) bytes") { $0.prefix(length) }
        }
    }

    /// Files with one flipped bit, at a number of random positions.
    static func flips(of label: String, count: Int, in size: Int, seed: UInt64) -> [Damage] {
        var random = SeededRandom(seed: seed)
        return (0..<(size * 8)).shuffled(using: &random).prefix(count).map { position in
            let (place, bit) = position.quotientAndRemainder(dividingBy: 8)
            return Damage("\(label), one bit flipped", "bit \(bit) of byte \(place)") { good in
                var bytes = good
                if place < bytes.count { bytes[place] ^= 1 << bit }
                return bytes
            }
        }
    }

    /// Files with other contents.
    static func replacements(seed: UInt64) -> [Damage] {
        var random = SeededRandom(seed: seed)
        let noise = (0..<20).map { _ in
            Data(
                (0..<Int.random(in: 1...5_000, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
            )
        }
        let texts: [(String, Data)] =
            [
                ("nothing", Data()),
                ("a blank", Data(" ".utf8)),
                ("zeros of the same length", Data(count: 2_500)),
                ("an array", Data("[1, 2, 3]".utf8)),
                ("a number", Data("12".utf8)),
                ("null", Data("null".utf8)),
                ("a name twice", Data(#"{"a": 1, "a": 2}"#.utf8)),
                ("100,000 brackets", Data(repeating: UInt8(ascii: "["), count: 100_000)),
                ("100,000 nested objects", Data(String(repeating: #"{"a":"#, count: 100_000).utf8)),
                ("a number of 300 digits", Data(("{\"a\": " + String(repeating: "9", count: 300) + "}").utf8)),
                ("20 MB of noise", Data(repeating: 0xA5, count: 20_000_000)),
                ("a lone surrogate", Data(#"{"a": "\ud800"}"#.utf8)),
                ("bytes that are no UTF-8", Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D])),
                ("another program's text", Data("[section]\nkey = value\n".utf8)),
            ] + noise.enumerated().map { ("noise \($0)", $1) }
        return texts.map { name, bytes in Damage("replaced by something else", name) { _ in bytes } }
    }

    /// The same contents in another encoding, or with other line breaks.
    static var encodings: [Damage] {
        [
            ("in UTF-16", { Data($0.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) }),
            (
                "in UTF-16 with a byte-order mark",
                { Data([0xFF, 0xFE] + $0.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) }
            ),
            ("with a byte-order mark", { Data([0xEF, 0xBB, 0xBF] + $0.utf8) }),
            ("with CRLF", { Data($0.replacing("\n", with: "\r\n").utf8) }),
            ("with CR", { Data($0.replacing("\n", with: "\r").utf8) }),
        ].map { (name: String, encode: @escaping (String) -> Data) in
            Damage("in another encoding", name) { encode(String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// Folders, links, pipes and other things in place of the file.
    static var otherThings: [Damage] {
        [
            (
                "a folder",
                { url in try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
            ),
            ("a link to nothing", { url in try link(url, to: "nowhere.json") }),
            ("a link to a missing folder", { url in try link(url, to: "nowhere/preferences.json") }),
            ("a link to itself", { url in try link(url, to: url.lastPathComponent) }),
            ("a named pipe", { url in guard mkfifo(url.path, 0o600) == 0 else { throw SystemFailure(code: errno) } }),
            (
                "a sparse file of 3 GiB",
                { url in
                    try Data().write(to: url)
                    guard truncate(url.path, 3 << 30) == 0 else { throw SystemFailure(code: errno) }
                }
            ),
            ("nothing at all", { _ in }),
        ].map { (name: String, make: @escaping (URL) throws -> Void) in
            var damage = Damage("something else in its place", name) { url, _ in
                try FileManager.default.removeItem(at: url)
                try make(url)
            }
            damage.leavesGap = true
            return damage
        }
    }

    private static func link(_ url: URL, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
    }
}
