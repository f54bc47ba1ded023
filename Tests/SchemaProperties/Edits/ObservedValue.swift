import Foundation

/// A value of a key as a program has read it, with the names of its types, cases and fields.
///
/// The programs of ``EditCheck`` are compiled with this file, too.
indirect enum ObservedValue: Codable, Hashable, Sendable {
    case none
    case bool(Bool)
    /// An integer by its decimal digits.
    case integer(String)
    // Numbers by their bits, because JSON has no infinity.
    case float(UInt32)
    case double(UInt64)
    case string(String)
    case data([UInt8])
    /// A date by the bits of its seconds since 2001.
    case date(UInt64)
    case url(String)
    case uuid(String)
    /// A duration by the digits of its attoseconds.
    case duration(String)
    case enumCase(type: String, name: String, rawValue: ObservedValue)
    case structure(type: String, fields: [Entry])
    case array([ObservedValue])
    case set([ObservedValue])
    case dictionary([Entry])

    struct Entry: Codable, Hashable, Sendable {
        var name: String
        var value: ObservedValue
    }

    init(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            self = mirror.children.first.map { Self($0.value) } ?? .none
            return
        }
        if let scalar = Self(scalar: value) {
            self = scalar
        } else if let entries = value as? [String: Any] {
            self = .dictionary(
                entries.map { Entry(name: $0.key, value: Self($0.value)) }.sorted { $0.name < $1.name }
            )
        } else {
            let type = "\(type(of: value))"
            let elements = { mirror.children.map { Self($0.value) } }
            switch mirror.displayStyle {
            case .enum:
                let rawValue = (value as? any RawRepresentable).map { Self($0.rawValue) }
                self = .enumCase(type: type, name: "\(value)", rawValue: rawValue ?? .none)
            case .collection: self = .array(elements())
            case .set: self = .set(elements())
            default:
                let fields = mirror.children.map { Entry(name: $0.label ?? "", value: Self($0.value)) }
                self = .structure(type: type, fields: fields)
            }
        }
    }

    private init?(scalar value: Any) {
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger: self = .integer("\(value)")
        case let value as Float: self = .float(value.bitPattern)
        case let value as Double: self = .double(value.bitPattern)
        case let value as String: self = .string(value)
        case let value as Data: self = .data(Array(value))
        case let value as Date: self = .date(value.timeIntervalSinceReferenceDate.bitPattern)
        case let value as URL: self = .url(value.absoluteString)
        case let value as UUID: self = .uuid(value.uuidString)
        // Its components are undefined for more seconds than an `Int64` holds.
        case let value as Duration: self = .duration("\(Int128(value._high) << 64 | Int128(value._low))")
        default: return nil
        }
    }
}

extension ObservedValue: CustomStringConvertible {
    var description: String {
        func list(_ entries: [Entry]) -> String { entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
        switch self {
        case .none: return "nil"
        case .bool(let value): return "\(value)"
        case .integer(let digits): return digits
        case .float(let bits): return "\(Float(bitPattern: bits)) as Float"
        case .double(let bits): return "\(Double(bitPattern: bits))"
        case .string(let text): return String(reflecting: text)
        case .data(let bytes): return "data \(bytes)"
        case .date(let bits): return "date \(Double(bitPattern: bits))"
        case .url(let text): return "URL \(String(reflecting: text))"
        case .uuid(let text): return "UUID \(text)"
        case .duration(let digits): return "duration of \(digits) attoseconds"
        case .enumCase(let type, let name, let rawValue): return "\(type).\(name) (\(rawValue))"
        case .structure(let type, let fields): return "\(type)(\(list(fields)))"
        case .array(let values): return "[\(values.map(\.description).joined(separator: ", "))]"
        case .set(let values): return "set of [\(values.map(\.description).joined(separator: ", "))]"
        case .dictionary(let entries): return "[\(entries.isEmpty ? ":" : list(entries))]"
        }
    }
}
