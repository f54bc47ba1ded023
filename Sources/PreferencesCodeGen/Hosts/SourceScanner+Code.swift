extension SourceScanner {
    /// Skips a token of code, in as much detail as is needed.
    mutating func scanCode() {
        let start = offset
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            if open.isEmpty { braces.append(head ?? .code) }
            head = nil
            offset += 1
        case UInt8(ascii: "}"):
            if open.isEmpty { _ = braces.popLast() }
            head = nil
            offset += 1
        case UInt8(ascii: ";"):
            head = nil
            offset += 1
        case UInt8(ascii: "("): count(parentheses: 1)
        case UInt8(ascii: ")"): count(parentheses: -1)
        case UInt8(ascii: "\""), UInt8(ascii: "#"): scanDelimiter()
        case UInt8(ascii: "/") where isNext("//", at: start) || isNext("/*", at: start):
            skipComment()
            return
        case UInt8(ascii: "/") where beginsExpression: skipToEnd(with: "/")
        case UInt8(ascii: "`"): skipToEnd(with: "`")
        case let byte where isWord(byte): scanWord()
        default: offset += 1
        }
        if !isBlank(bytes[start]) { lastByte = bytes[offset - 1] }
    }

    private mutating func count(parentheses change: Int) {
        offset += 1
        guard let last = open.last, case .interpolation(let parentheses) = last.kind else { return }
        if parentheses + change == 0 {
            open.removeLast()
        } else {
            open[open.count - 1].kind = .interpolation(parentheses: parentheses + change)
        }
    }

    /// Skips the opening delimiter of a raw string or an extended regular expression, or a number sign of something
    /// else.
    private mutating func scanDelimiter() {
        let start = offset
        while byte(at: offset) == UInt8(ascii: "#") { offset += 1 }
        let pounds = offset - start
        if skip("\"\"\"") {
            // Between number signs, three quotes can also be a string of one line that contains quotes.
            let end = "\"" + String(repeating: "#", count: pounds)
            let isMultiline = pounds == 0 || !lineContains(end, from: offset - 2)
            if !isMultiline { offset -= 2 }
            open.append(Literal(kind: .string(pounds: pounds, isMultiline: isMultiline), start: start))
        } else if skip("\"") {
            open.append(Literal(kind: .string(pounds: pounds, isMultiline: false), start: start))
        } else if pounds > 0, skip("/") {
            let isMultiline = isRestOfLineBlank
            open.append(Literal(kind: .expression(pounds: pounds, isMultiline: isMultiline), start: start))
        }
    }

    private mutating func skipComment() {
        if isNext("//", at: offset) {
            if open.isEmpty, !isLineBlank(before: offset) { noteMarker(at: offset, isBehindCode: true) }
            while offset < bytes.count, !isLineEnd(bytes[offset]) { offset += 1 }
        } else if skip("/*") {
            open.append(Literal(kind: .comment, start: offset - 2))
        }
    }

    /// Whether a slash begins a regular expression: an operand is expected, and no space follows (SE-0354, "Regex
    /// Literals").
    private var beginsExpression: Bool {
        guard let next = byte(at: offset + 1), !isBlank(next), !isLineEnd(next) else { return false }
        var before = offset - 1
        while let byte = byte(at: before), isBlank(byte) { before -= 1 }
        guard let previous = byte(at: before), !isLineEnd(previous) else { return true }
        return "([{,;:=!&|?<>~^+-*%".utf8.contains(previous)
    }

    /// Skips everything through the next unescaped occurrence of a byte in the line, or one byte if there is none.
    private mutating func skipToEnd(with end: Unicode.Scalar) {
        var place = offset + 1
        while let byte = byte(at: place), !isLineEnd(byte) {
            if byte == UInt8(ascii: end) {
                offset = place + 1
                return
            }
            place += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        offset += 1
    }

    private func lineContains(_ text: String, from start: Int) -> Bool {
        var place = start
        while let byte = byte(at: place), !isLineEnd(byte) {
            if isNext(text, at: place) { return true }
            place += 1
        }
        return false
    }

    private var isRestOfLineBlank: Bool {
        var place = offset
        while let byte = byte(at: place), !isLineEnd(byte) {
            guard isBlank(byte) else { return false }
            place += 1
        }
        return true
    }

    private func isLineBlank(before end: Int) -> Bool {
        bytes[lines[lines.count - 1].range.lowerBound..<end].allSatisfy(isBlank)
    }

    func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

// MARK: - Declarations

extension SourceScanner {
    /// Skips a word, and records whether it begins the declaration of a type or another block.
    private mutating func scanWord() {
        let previous = lastByte ?? UInt8(ascii: "\n")
        let isMember = byte(at: offset - 1) == UInt8(ascii: ".")
        let word = nextWord()
        // Argument labels follow a parenthesis or a comma, and parameter names precede a colon.
        guard open.isEmpty, !isMember, previous != UInt8(ascii: "("), previous != UInt8(ascii: ","),
            nextVisibleByte != UInt8(ascii: ":")
        else { return }
        switch word {
        case "private", "fileprivate": isFilePrivate = true
        case "typealias": noteModuleType()
        case "class":
            // `class` also introduces class members, and constrains protocols.
            guard head != .protocol || previous != UInt8(ascii: ":"), let name = nameBehind(),
                !["func", "var", "let", "subscript"].contains(name)
            else { return }
            noteReferenceType(name)
            noteModuleType()
            head = .reference
        case "actor":
            // These words can also be names.
            guard let name = nameBehind(isInSameLine: true) else { return }
            noteReferenceType(name)
            noteModuleType()
            head = .reference
        case "struct", "enum":
            noteModuleType()
            head = .value
        case "protocol":
            noteModuleType()
            head = .protocol
        case "extension":
            isFilePrivate = false
            head = .extension(nameBehind() ?? "")
        case "func", "var", "init", "deinit", "subscript":
            isFilePrivate = false
            head = .code
        case "let": isFilePrivate = false
        case "import":
            isFilePrivate = false
            // An import of a single declaration contains the keyword of its kind.
            if nextWordBehindSpaces() == "class", let name = nameBehind() { noteReferenceType(name) }
        default: break
        }
    }

    private mutating func noteReferenceType(_ name: String) {
        // Code that was added to a region by hand will be replaced.
        if outsideOfRegion == nil { referenceTypes.insert(name) }
    }

    /// Records the type whose keyword was read, if it is visible in the whole module.
    private mutating func noteModuleType() {
        defer { isFilePrivate = false }
        guard braces.isEmpty, conditions.isEmpty, outsideOfRegion == nil, !isFilePrivate, let name = nameBehind() else {
            return
        }
        moduleTypes.append((name, offsetBehindBlanks))
    }

    /// The offset of what follows spaces and line ends.
    private var offsetBehindBlanks: Int {
        bytes[offset...].firstIndex { !isBlank($0) && !isLineEnd($0) } ?? bytes.count
    }

    private mutating func nextWord() -> String {
        let start = offset
        while let byte = byte(at: offset), isWord(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func nextWordBehindSpaces() -> String {
        while let byte = byte(at: offset), isBlank(byte) { offset += 1 }
        return nextWord()
    }

    private var nextVisibleByte: UInt8? {
        var place = offset
        while let byte = byte(at: place), isBlank(byte) || isLineEnd(byte) { place += 1 }
        return byte(at: place)
    }

    /// Returns the last part of the dotted name that follows.
    private func nameBehind(isInSameLine: Bool = false) -> String? {
        var place = offset
        while let byte = byte(at: place), isBlank(byte) || (!isInSameLine && isLineEnd(byte)) { place += 1 }
        let start = place
        while let byte = byte(at: place), isWord(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "`") {
            place += 1
        }
        let name = String(decoding: bytes[start..<place], as: UTF8.self).filter { $0 != "`" }
        return name.split(separator: ".").last.map(String.init)
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

// MARK: - Conditions

extension SourceScanner {
    /// Counts the braces of each branch of an `#if` from its beginning, since each branch may contain the head of a
    /// type.
    mutating func followCondition(at start: Int) {
        var word = start
        while let byte = byte(at: word), isBlank(byte) { word += 1 }
        guard byte(at: word) == UInt8(ascii: "#") else { return }
        if isDirective("#if", at: word) {
            conditions.append(braces)
        } else if isDirective("#elseif", at: word) || isDirective("#else", at: word) {
            if let before = conditions.last { braces = before }
        } else if isDirective("#endif", at: word) {
            _ = conditions.popLast()
        }
    }

    private func isDirective(_ directive: String, at start: Int) -> Bool {
        guard isNext(directive, at: start) else { return false }
        guard let next = byte(at: start + directive.utf8.count) else { return true }
        return isBlank(next) || isLineEnd(next) || "(!/".utf8.contains(next)
    }
}
