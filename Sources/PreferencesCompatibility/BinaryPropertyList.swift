import Foundation

/// The objects of a binary property list.
///
/// CoreFoundation's `CFBinaryPList.c` documents the format: a header, objects, a table of their offsets, and a trailer
/// of 32 bytes with the offset of the table. Integers are big-endian. The upper half of an object's first byte is its
/// type.
///
/// It is used for keyed archives: Foundation on Linux ends the program over damaged ones. Any bytes are read in bounded
/// time and without a trap.
struct BinaryPropertyList {
    /// An object. Containers refer to their elements by number.
    enum Object {
        case bool(Bool)
        case int(Int64)
        case unsignedInt(UInt64)
        case real(Double)
        case date(Date)
        case data(Data)
        case string(String)
        /// A reference to an object of a keyed archive.
        case archiveReference(Int)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private let bytes: [UInt8]
    private let trailer: Int
    private let tableStart: Int
    private let offsetWidth: Int
    private let referenceWidth: Int
    let objectCount: Int
    /// The number of the root object, which may not exist.
    let root: Int

    /// Creates a property list; nil if the bytes are not a binary one.
    init?(_ bytes: [UInt8]) {
        trailer = bytes.count - 32
        guard trailer > 0, bytes.starts(with: "bplist".utf8) else { return nil }
        offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        let count = Self.integer(bytes[(trailer + 8)..<(trailer + 16)])
        let root = Self.integer(bytes[(trailer + 16)..<(trailer + 24)])
        let table = Self.integer(bytes[(trailer + 24)...])
        guard offsetWidth > 0, table < trailer,
            count <= (trailer - Int(table)) / offsetWidth
        else { return nil }
        (self.bytes, self.root) = (bytes, Int(clamping: root))
        (objectCount, tableStart) = (Int(count), Int(table))
    }

    /// Returns an object; nil if its bytes are invalid.
    func object(_ number: Int) -> Object? {
        guard (0..<objectCount).contains(number), let start = offset(of: number) else { return nil }
        let low = Int(bytes[start] & 0xF)
        switch bytes[start] >> 4 {
        case 0x0 where low == 8 || low == 9: return .bool(low == 9)
        case 0x1 where low <= 3:
            return contents(start + 1, 1 << low).map { .int(Int64(truncatingIfNeeded: Self.integer($0))) }
        // Integers above the greatest `Int64` have 16 bytes.
        case 0x1 where low == 4:
            guard let bytes = contents(start + 1, 16), bytes.prefix(8).allSatisfy({ $0 == 0 }) else { return nil }
            return .unsignedInt(Self.integer(bytes.suffix(8)))
        case 0x2 where low == 2:
            return contents(start + 1, 4).map { .real(Double(Float(bitPattern: UInt32(Self.integer($0))))) }
        case 0x2 where low == 3: return contents(start + 1, 8).map { .real(Double(bitPattern: Self.integer($0))) }
        case 0x3 where low == 3:
            return contents(start + 1, 8).map {
                .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: Self.integer($0))))
            }
        case 0x4: return counted(start, unit: 1).map { .data(Data($0)) }
        case 0x5: return counted(start, unit: 1).flatMap { String(validating: $0, as: UTF8.self) }.map(Object.string)
        case 0x6: return counted(start, unit: 2).flatMap(Self.text).map(Object.string)
        case 0x8:
            return contents(start + 1, low + 1).map(Self.integer).flatMap(Int.init(exactly:)).map(
                Object.archiveReference
            )
        case 0xA: return references(start, perElement: 1).map(Object.array)
        case 0xD:
            return references(start, perElement: 2).map {
                .dictionary(keys: Array($0.prefix($0.count / 2)), values: Array($0.suffix($0.count / 2)))
            }
        default: return nil
        }
    }
}

extension BinaryPropertyList {
    /// Returns the offset of an object.
    private func offset(of number: Int) -> Int? {
        let entry = tableStart + number * offsetWidth
        let offset = Self.integer(bytes[entry..<(entry + offsetWidth)])
        return offset < trailer ? Int(offset) : nil
    }

    private func contents(_ start: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard length >= 0, start <= trailer, length <= trailer - start else { return nil }
        return bytes[start..<(start + length)]
    }

    /// Returns the contents of an object that begins with its number of units, in the lower half of its first byte or
    /// in an integer after it.
    private func counted(_ start: Int, unit: Int) -> ArraySlice<UInt8>? {
        let low = Int(bytes[start] & 0xF)
        if low < 0xF { return contents(start + 1, low * unit) }
        guard let marker = contents(start + 1, 1)?.first, marker >> 4 == 0x1, marker & 0xF <= 3,
            let digits = contents(start + 2, 1 << Int(marker & 0xF))
        else { return nil }
        let count = Self.integer(digits)
        guard count <= trailer / unit else { return nil }
        return contents(digits.endIndex, Int(count) * unit)
    }

    private func references(_ start: Int, perElement: Int) -> [Int]? {
        guard (1...8).contains(referenceWidth), let slice = counted(start, unit: referenceWidth * perElement) else {
            return nil
        }
        return stride(from: slice.startIndex, to: slice.endIndex, by: referenceWidth).map {
            Int(truncatingIfNeeded: Self.integer(slice[$0..<($0 + referenceWidth)]))
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(validating: units, as: UTF16.self)
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
