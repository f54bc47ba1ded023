/// A line and a column in a text.
package struct TextPosition: Hashable, Comparable, Sendable {
    /// The line, counted from 1.
    package var line: Int
    /// The column in UTF-8 code units, counted from 1, as in Swift's own diagnostics.
    package var column: Int
    /// The column in Unicode scalars, counted from 1, as some tools expect it.
    package var scalarColumn: Int

    /// Creates a position.
    ///
    /// - Parameter scalarColumn: The column in scalars, or nil if it equals `column`.
    package init(line: Int, column: Int, scalarColumn: Int? = nil) {
        self.line = line
        self.column = column
        self.scalarColumn = scalarColumn ?? column
    }

    package static func < (first: Self, second: Self) -> Bool {
        (first.line, first.column) < (second.line, second.column)
    }
}

/// The offsets at which the lines of a text start, for converting byte offsets to positions.
package struct LineTable: Sendable {
    private var starts: [Int]

    /// Creates the table of a text, whose lines end with LF, CR LF or CR.
    package init(_ bytes: [UInt8]) {
        starts = bytes.withUnsafeBufferPointer { bytes in
            var starts = [0]
            var offset = 0
            while offset < bytes.count {
                let byte = bytes[offset]
                offset += 1
                guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
                let isSecondOfTwo = byte == UInt8(ascii: "\n") && offset > 1 && bytes[offset - 2] == UInt8(ascii: "\r")
                if isSecondOfTwo { starts.removeLast() }
                starts.append(offset)
            }
            return starts
        }
    }

    /// Returns the position of an offset. Its ``TextPosition/scalarColumn`` assumes that the line is ASCII.
    package func position(at offset: Int) -> TextPosition {
        // A binary search for the last line that starts at or before the offset.
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return TextPosition(line: low + 1, column: offset - starts[low] + 1)
    }
}

/// A ``LineTable`` that also counts columns in scalars (``TextPosition/scalarColumn``).
package struct ScalarTable: Sendable {
    private let bytes: [UInt8]
    private let lines: LineTable
    /// The number of continuation bytes before each block. Without these sums, locating many faults in one long line
    /// would take quadratic time.
    private let continuations: [Int]

    private static let blockSize = 256

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lines = LineTable(bytes)
        var sum = 0
        continuations = stride(from: 0, through: bytes.count, by: Self.blockSize).map { start in
            defer { sum += Self.count(bytes[start..<min(start + Self.blockSize, bytes.count)]) }
            return sum
        }
    }

    package func position(at offset: Int) -> TextPosition {
        var position = lines.position(at: offset)
        position.scalarColumn -= count(before: offset) - count(before: offset - position.column + 1)
        return position
    }

    private func count(before offset: Int) -> Int {
        let block = offset / Self.blockSize
        return continuations[block] + Self.count(bytes[block * Self.blockSize..<offset])
    }

    private static func count(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { $0.count { $0 & 0b1100_0000 == 0b1000_0000 } }
    }
}
