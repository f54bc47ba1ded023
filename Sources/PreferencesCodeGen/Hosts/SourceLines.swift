/// The lines of a Swift file as bytes, for each what it is in the braces of, and the markers of regions.
///
/// It is no parser: it knows of Swift what it takes to tell a comment of a line's own from what only looks like one in
/// a string, and to count braces (The Swift Programming Language, "Lexical Structure").
struct SourceLines {
    struct Line {
        /// The line's bytes without its end.
        var range: Range<Int>
        /// What ends the line: LF, CR LF, CR, or nothing at the end of the file.
        var end: Range<Int>
        /// The innermost brace that is open at the beginning of the line; nil where none is.
        var brace: Brace?
    }

    /// The kind of declaration or statement that an open brace belongs to.
    enum Brace: Hashable {
        /// A class or an actor.
        case reference
        /// A struct or an enum.
        case value
        /// An extension, with the name of the extended type.
        case `extension`(String)
        case `protocol`
        /// A function, an accessor, a closure or a statement.
        case code
    }

    let bytes: [UInt8]
    private(set) var lines: [Line] = []
    /// The comments in code that are markers, or faulty ones.
    let markers: [HostMarker]
    /// The names of the classes and actors that the file declares.
    private let referenceTypes: Set<String>
    /// Where the string or the comment begins that has no end in the file.
    private(set) var unterminated: Int?
    /// Whether every brace is closed at the end.
    let isBalanced: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var scanner = SourceScanner(bytes)
        scanner.run()
        lines = scanner.lines
        markers = scanner.markers
        referenceTypes = scanner.referenceTypes
        unterminated = scanner.unterminated
        isBalanced = scanner.braces.isEmpty
    }

    /// A line without spaces and tabs on either side.
    func stripped(_ line: Line) -> [UInt8] { Self.stripped(Array(bytes[line.range])) }

    static func stripped(_ text: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = text.lastIndex { !isBlank($0) } ?? -1
        return Array(text[..<(end + 1)].drop(while: isBlank))
    }

    /// Where the first byte of a line is that is no space and no tab.
    func indentationEnd(_ line: Line) -> Int {
        line.range.first { bytes[$0] != UInt8(ascii: " ") && bytes[$0] != UInt8(ascii: "\t") } ?? line.range.upperBound
    }

    /// Whether a line stands in a class or an actor, where setters are not mutating anyway and must not say so.
    ///
    /// Of an extension only the file itself and the runtime tell. Another's class is taken for a struct.
    func isInReferenceType(_ line: Line) -> Bool {
        switch line.brace {
        case .reference: true
        case .extension(let name): name == "Preferences" || referenceTypes.contains(name)
        case .value, .protocol, .code, nil: false
        }
    }
}
