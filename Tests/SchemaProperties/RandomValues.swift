import Foundation
import PreferencesSchema
import TestSupport

// MARK: - Values at random

extension SchemaMaker {
    /// Returns a value of a type, which is seldom nil.
    mutating func value(of type: ValueType, depth: Int = 0) -> DefaultValue {
        switch type {
        case .bool: return .bool(random.chance(2))
        case .integer(let type): return .integer(integer(type))
        case .float: return .decimal(decimal(Float.self) { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) })
        case .double: return .decimal(decimal(Double.self) { Double(bitPattern: $0) })
        case .string: return .string(string())
        case .data: return .data((0..<random.below(random.chance(8) ? 100 : 9)).map { _ in UInt8(random.below(256)) })
        case .date: return date()
        case .url: return .url(pick(Self.urls))
        case .uuid:
            let hex = (0..<32).map { _ in String(random.below(16), radix: 16, uppercase: true) }.joined()
            let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map {
                hex.utf8.prefix($0.upperBound).dropFirst($0.lowerBound)
            }
            return .uuid(groups.map { String(decoding: Array($0), as: UTF8.self) }.joined(separator: "-"))
        case .duration: return .duration(attoseconds: duration())
        case .enumeration(let name): return .enumCase(pick(types.enums[name] ?? []).name)
        case .structure(let name):
            return .structure(
                types.structs[name, default: []].compactMap { field in
                    if field.defaultValue != nil, depth > 2 || random.chance(2) || !types.isLiteral(field.type) {
                        return nil
                    }
                    let value = value(of: field.type, depth: depth + 1)
                    return .init(name: field.name, type: field.type, value: value)
                }
            )
        case .external(let name, _):
            let fields = RandomTypes.externals.first { $0.name == name }?.fields ?? []
            return .structure(fields.map { .init(name: $0.name, type: $0.type, value: value(of: $0.type)) })
        case .array(let element):
            return .array((0..<count(depth)).map { _ in value(of: element, depth: depth + 1) })
        case .set(let element):
            return .array(unique((0..<count(depth)).map { _ in value(of: element, depth: depth + 1) }, as: element))
        case .dictionary(let element):
            let keys = Set((0..<count(depth)).map { _ in string() })
            return .dictionary(keys.sorted().map { .init(key: $0, value: value(of: element, depth: depth + 1)) })
        case .optional(let wrapped):
            return random.chance(4) ? .none : value(of: wrapped, depth: depth)
        }
    }

    /// The number of elements of a collection, which is smaller for nested ones.
    private mutating func count(_ depth: Int) -> Int {
        depth > 3 ? 0 : random.below(random.chance(10) ? 12 : 4)
    }

    /// Returns the values without duplicates.
    mutating func unique(_ values: [DefaultValue], as type: ValueType) -> [DefaultValue] {
        var seen: Set<String> = []
        return values.filter { seen.insert(types.description(of: $0, as: type, isIdentity: true)).inserted }
    }

    mutating func integer(_ type: IntegerType) -> Int128 {
        switch random.below(6) {
        case 0: return type.range.lowerBound
        case 1: return type.range.upperBound
        case 2: return 0
        case 3: return Int128(random.below(100))
        default:
            let span = type.range.upperBound - type.range.lowerBound
            return type.range.lowerBound + Int128(random.next()) % (span + 1)
        }
    }

    private mutating func decimal<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Number.Type,
        _ make: (UInt64) -> Number
    ) -> String {
        let texts = [
            "0", "-0", "0.1", "-0.5", "1e5", "-1E-3", "21.50", "16777217", "1e-40", "100000000000000000000", "7e6",
        ]
        guard random.chance(2) else { return pick(texts) }
        let number = make(random.next())
        let text = random.chance(2) && number.isFinite ? "\(number)" : "\(Number(random.below(2_000_000)) / 64 - 9999)"
        return text == "inf" || text == "nan" ? "1" : text
    }

    private static let urls = [
        "https://example.org", "https://example.org/a%20b?c=d&e=%22#f", "file:///tmp/a", "mailto:a@example.org", "a/b",
        "https://example.org/\(String(repeating: "long/", count: 30))", "http://[::1]:80/",
    ]

    /// A date of the years 1600 to 9000, with a fraction that a `Double` holds exactly, in some time zone.
    private mutating func date() -> DefaultValue {
        let seconds = Int64(random.below(230_000_000_000)) - 12_600_000_000
        let fractions: [(text: String, value: Double)] = [("", 0), (".5", 0.5), (".125", 0.125), (".25000", 0.25)]
        let zones: [(text: String, seconds: Int64)] = [("Z", 0), ("+01:00", 3600), ("-11:30", -41_400)]
        let (fraction, zone) = (pick(fractions), pick(zones))
        let local = Date(timeIntervalSinceReferenceDate: Double(seconds + zone.seconds)).formatted(.iso8601).dropLast()
        return .date(
            secondsSinceReference: Double(seconds) + fraction.value,
            text: "\(local)\(fraction.text)\(zone.text)"
        )
    }

    private mutating func duration() -> Int128 {
        let second: Int128 = 1_000_000_000_000_000_000
        return switch random.below(6) {
        case 0: 0
        case 1: Int128(random.below(100)) * second
        case 2: -Int128(random.below(100_000)) * second / 1000
        case 3: Int128(random.next() >> 1) * second + Int128(random.next()) % second
        case 4: -(Int128(random.next() >> 1) * second + Int128(random.next()) % second)
        default: Int128(random.next() >> 20)
        }
    }
}

// MARK: - A value as JSON, as Swift, and as the program prints it

extension SchemaMaker {
    /// Returns the JSON of a value in a schema.
    mutating func json(_ value: DefaultValue, as type: ValueType) -> JSON {
        switch (value, type) {
        case (.none, _): return .null
        case (_, .optional(let wrapped)): return json(value, as: wrapped)
        case (.bool(let bool), _): return .raw("\(bool)")
        case (.integer(let integer), _): return .raw("\(integer)")
        case (.decimal(let text), _): return .raw(text)
        case (.string(let text), _), (.url(let text), _): return .string(text)
        case (.uuid(let text), _): return .string(random.chance(2) ? text.lowercased() : text)
        case (.enumCase(let name), _): return .string(respelt(name))
        case (.data(let bytes), _): return .string(Data(bytes).base64EncodedString())
        case (.date(_, let text), _): return .string(text)
        case (.duration(let attoseconds), _): return .raw(Self.seconds(attoseconds))
        case (.array(let values), .array(let element)), (.array(let values), .set(let element)):
            var elements: [JSON] = []
            for value in values { elements.append(json(value, as: element)) }
            return .array(elements)
        case (.dictionary(let entries), .dictionary(let element)):
            var members: [(String, JSON)] = []
            for entry in entries.shuffled(using: &random) {
                members.append((entry.key, json(entry.value, as: element)))
            }
            return .object(members)
        case (.structure(let fields), _):
            var members: [(String, JSON)] = []
            for field in fields.shuffled(using: &random) {
                members.append((respelt(field.name), json(field.value, as: field.type)))
            }
            return .object(members)
        default: preconditionFailure("a value of type \(type.swiftName) is made as such")
        }
    }

    /// Attoseconds as a decimal number of seconds.
    static func seconds(_ attoseconds: Int128) -> String {
        let second: Int128 = 1_000_000_000_000_000_000
        let (whole, rest) = attoseconds.magnitude.quotientAndRemainder(dividingBy: second.magnitude)
        let digits = String(rest)
        let fraction = String(repeating: "0", count: 18 - digits.count) + digits
        return (attoseconds < 0 ? "-" : "") + "\(whole).\(fraction)"
    }
}

extension RandomTypes {
    /// Returns a Swift expression for a value to set, with the names of its types.
    func swift(_ value: DefaultValue, as type: ValueType) -> String {
        switch (value, type) {
        case (.none, _): return "nil"
        case (_, .optional(let wrapped)): return swift(value, as: wrapped)
        case (.bool(let bool), _): return "\(bool)"
        case (.integer(let integer), _): return "\(integer)"
        case (.decimal(let text), .float): return "Float(bitPattern: \((Float(text) ?? .nan).bitPattern))"
        case (.decimal(let text), _): return "Double(bitPattern: \((Double(text) ?? .nan).bitPattern))"
        case (.string(let text), _): return Self.literal(text)
        case (.data(let bytes), _): return "Data(\(bytes) as [UInt8])"
        case (.date(let seconds, _), _):
            return "Date(timeIntervalSinceReferenceDate: Double(bitPattern: \(seconds.bitPattern)))"
        case (.url(let text), _): return "URL(string: \(Self.literal(text)))!"
        case (.uuid(let text), _): return "UUID(uuidString: \(Self.literal(text)))!"
        case (.duration(let attoseconds), _):
            let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
            return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(rest))"
        case (.enumCase(let name), _): return "`\(type.swiftName)`.`\(name)`"
        case (.array(let values), .array(let element)), (.array(let values), .set(let element)):
            return "[\(values.map { swift($0, as: element) }.joined(separator: ", "))]"
        case (.dictionary(let entries), .dictionary(let element)):
            let list = entries.map { "\(Self.literal($0.key)): \(swift($0.value, as: element))" }
            return list.isEmpty ? "[:]" : "[\(list.joined(separator: ", "))]"
        case (.structure(let fields), .external(_, let name)):
            return "\(name)(\(fields.map { "\($0.name): \(swift($0.value, as: $0.type))" }.joined(separator: ", ")))"
        case (.structure(let fields), _):
            let list = fields.map { "\($0.name == "inout" ? "`inout`" : $0.name): \(swift($0.value, as: $0.type))" }
            return "`\(type.swiftName)`(\(list.joined(separator: ", ")))"
        default: preconditionFailure("a value of type \(type.swiftName) is made as such")
        }
    }

    /// A string literal of visible ASCII.
    static func literal(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case " "..."~": String(scalar)
                default: "\\u{\(String(scalar.value, radix: 16))}"
                }
            }.joined() + "\""
    }

    /// Returns a text for a value as ``CheckProgram`` prints it. Different values have different texts.
    ///
    /// - Parameter isIdentity: Whether equal values have the same text: 0 and -0, and canonically equivalent strings.
    func description(of value: DefaultValue, as type: ValueType, isIdentity: Bool = false) -> String {
        switch (value, type) {
        case (.none, _): return "nil"
        case (_, .optional(let wrapped)): return description(of: value, as: wrapped, isIdentity: isIdentity)
        case (.bool(let bool), _): return "\(bool)"
        case (.integer(let integer), _): return "\(integer)"
        case (.decimal(let text), .float):
            let number = Float(text) ?? .nan
            return "f\(String((isIdentity && number == 0 ? 0 : number).bitPattern, radix: 16))"
        case (.decimal(let text), _):
            let number = Double(text) ?? .nan
            return "d\(String((isIdentity && number == 0 ? 0 : number).bitPattern, radix: 16))"
        case (.string(let text), _): return Self.literal(isIdentity ? text.decomposed : text)
        case (.data(let bytes), _): return "b\(bytes)"
        case (.date(let seconds, _), _): return "t\(String(seconds.bitPattern, radix: 16))"
        case (.url(let text), _): return "u\(text)"
        case (.uuid(let text), _): return text
        case (.duration(let attoseconds), _): return "a\(attoseconds)"
        case (.enumCase(let name), _): return ".\(name)"
        case (.array(let values), .array(let element)):
            return
                "[\(values.map { description(of: $0, as: element, isIdentity: isIdentity) }.joined(separator: ", "))]"
        case (.array(let values), .set(let element)):
            let elements = values.map { description(of: $0, as: element, isIdentity: isIdentity) }
            return "{\(elements.sorted().joined(separator: ", "))}"
        case (.dictionary(let entries), .dictionary(let element)):
            let list = entries.map { entry in
                let key = Self.literal(isIdentity ? entry.key.decomposed : entry.key)
                return "\(key): \(description(of: entry.value, as: element, isIdentity: isIdentity))"
            }
            return "{\(list.sorted().joined(separator: ", "))}"
        case (.structure(let given), .structure(let name)):
            let fields = structs[name, default: []].map { field in
                let value = given.first { $0.name == field.name }?.value ?? field.defaultValue ?? .none
                return "\(field.name): \(description(of: value, as: field.type, isIdentity: isIdentity))"
            }
            return "(\(fields.joined(separator: ", ")))"
        case (.structure(let fields), _):
            return "(\(fields.map { "\($0.name): \(description(of: $0.value, as: $0.type))" }.joined(separator: ", ")))"
        default: preconditionFailure("a value of type \(type.swiftName) is made as such")
        }
    }
}

extension String {
    /// The form that canonically equivalent strings share.
    var decomposed: String { decomposedStringWithCanonicalMapping }
}
