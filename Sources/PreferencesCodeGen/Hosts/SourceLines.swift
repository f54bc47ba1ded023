/// The lines of a Swift file, with the enclosing brace of each, and the markers.
///
/// It is not a parser. It distinguishes comments from text in strings, and counts braces (The Swift Programming
/// Language, "Lexical Structure").
struct SourceLines {
    struct Line {
        /// The line's bytes without its end.
        var range: Range<Int>
        /// The line end: LF, CR LF, CR, or nothing at the end of the file.
        var end: Range<Int>
        /// The innermost brace that is open at the beginning of the line; nil at file scope.
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
    /// The comments that are markers, or faulty markers.
    let markers: [HostMarker]
    /// The names of the classes and actors that the file declares.
    private let referenceTypes: Set<String>
    /// The names of the types that the whole module can refer to without qualification, with their offsets. Excludes
    /// those inside `#if`, whose condition may not hold, and those in regions.
    let moduleTypes: [(name: String, offset: Int)]
    /// The beginning of an unterminated string or comment; nil if there is none.
    private(set) var unterminated: Int?
    /// Whether every brace is closed at the end of the file.
    let isBalanced: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var scanner = SourceScanner(bytes)
        scanner.run()
        lines = scanner.lines
        markers = scanner.markers
        referenceTypes = scanner.referenceTypes
        moduleTypes = scanner.moduleTypes
        unterminated = scanner.unterminated
        isBalanced = scanner.braces.isEmpty
    }

    /// Returns a line without surrounding spaces and tabs.
    func stripped(_ line: Line) -> [UInt8] { Self.stripped(Array(bytes[line.range])) }

    static func stripped(_ text: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = text.lastIndex { !isBlank($0) } ?? -1
        return Array(text[..<(end + 1)].drop(while: isBlank))
    }

    /// Returns the offset of a line's first byte that is neither a space nor a tab.
    func indentationEnd(_ line: Line) -> Int {
        line.range.first { bytes[$0] != UInt8(ascii: " ") && bytes[$0] != UInt8(ascii: "\t") } ?? line.range.upperBound
    }

    /// Whether a line is in a class or an actor, where setters must not be declared `nonmutating`.
    ///
    /// The type of an extension is looked up in the file itself and in the runtime. Classes of other files are assumed
    /// to be structs.
    func isInReferenceType(_ line: Line) -> Bool {
        switch line.brace {
        case .reference: true
        case .extension(let name): name == "Preferences" || referenceTypes.contains(name)
        case .value, .protocol, .code, nil: false
        }
    }
}
