/// A place in a text, as compilers and editors count it.
package struct TextPosition: Hashable, Comparable, Sendable {
    /// From 1.
    package var line: Int
    /// In UTF-8 code units, from 1, as Swift's own diagnostics count.
    package var column: Int
    /// In Unicode scalars, from 1: another unit that tools ask for.
    package var scalarColumn: Int

    /// - Parameter scalarColumn: Nil where all that stands before in the line is ASCII.
    package init(line: Int, column: Int, scalarColumn: Int? = nil) {
        self.line = line
        self.column = column
        self.scalarColumn = scalarColumn ?? column
    }

    package static func < (first: Self, second: Self) -> Bool {
        (first.line, first.column) < (second.line, second.column)
    }
}

/// Where the lines of a text begin, for turning byte offsets into positions.
package struct LineTable: Sendable {
    private var starts: [Int]

    /// A line ends with LF, CR LF or CR.
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

    /// The position of an offset, whose ``TextPosition/scalarColumn`` is as if the text were ASCII.
    package func position(at offset: Int) -> TextPosition {
        // The last line start that is not after the offset.
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return TextPosition(line: low + 1, column: offset - starts[low] + 1)
    }
}

/// A ``LineTable`` whose positions have a ``TextPosition/scalarColumn`` too.
package struct ScalarTable: Sendable {
    private let bytes: [UInt8]
    private let lines: LineTable
    /// The number of continuation bytes before each block. Without these sums, many faults in one long line would take
    /// quadratic time.
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
