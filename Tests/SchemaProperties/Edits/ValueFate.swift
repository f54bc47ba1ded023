import Foundation
import PreferencesRuntime
import PreferencesSchema

/// Whether a value that the old accessors have written is the one that the new accessors read.
struct ValueFate {
    var old: DraftModule
    var new: DraftModule

    /// Returns whether nothing of a value is lost. Numbers must be equal whatever their types are, texts must have the
    /// same characters, cases and fields the same identity.
    func isKept(_ written: ObservedValue, _ read: ObservedValue) -> Bool {
        switch (written, read) {
        case (.none, .none): true
        case (.bool(let first), .bool(let second)): first == second
        case (.data(let first), .data(let second)): first == second
        case (.date(let first), .date(let second)): first == second
        case (.enumCase(let first, let name, let rawValue), .enumCase(let second, let other, let otherRawValue)):
            isSameType(first, second)
                ? old.identity(ofCase: name, in: first) == new.identity(ofCase: other, in: second)
                : isKept(rawValue, otherRawValue)
        case (.enumCase(_, _, let rawValue), _): isKept(rawValue, read)
        case (_, .enumCase(_, _, let rawValue)): isKept(written, rawValue)
        case (.structure(let first, let fields), .structure(let second, let others)) where isSameType(first, second):
            fields.allSatisfy { field in
                let identity = old.field(field.name, of: first)?.identity
                let other = others.first { new.field($0.name, of: second)?.identity == identity }
                return other.map { isKept(field.value, $0.value) } ?? false
            }
        case (.structure(let type, let fields), _):
            isKept(.dictionary(stored(fields, of: old.type(named: type))), read)
        case (_, .structure(let type, let fields)):
            isKept(written, .dictionary(stored(fields, of: new.type(named: type))), allowsMore: true)
        case (.dictionary, .dictionary): isKept(written, read, allowsMore: false)
        case (.array(let first), .array(let second)):
            first.count == second.count && zip(first, second).allSatisfy { isKept($0, $1) }
        case (.set(let first), .set(let second)), (.array(let first), .set(let second)),
            (.set(let first), .array(let second)):
            isKept(first, inAnyOrder: second)
        default: isKept(text: written, read) ?? isKept(number: written, read) ?? false
        }
    }

    private func isSameType(_ first: String, _ second: String) -> Bool {
        guard let first = old.type(named: first), let second = new.type(named: second) else { return false }
        return first.identity == second.identity
    }

    /// The fields of a struct under their names in stored values, in which nil fields are missing.
    private func stored(_ fields: [ObservedValue.Entry], of type: DraftType?) -> [ObservedValue.Entry] {
        fields.filter { $0.value != .none }.map { entry in
            let field = type?.fields.first { $0.name == entry.name }
            return .init(name: field?.storedName ?? entry.name, value: entry.value)
        }
    }

    /// - Parameter allowsMore: Whether the value that is read may have more entries: the defaults of a struct's fields.
    private func isKept(_ written: ObservedValue, _ read: ObservedValue, allowsMore: Bool) -> Bool {
        guard case .dictionary(let first) = written, case .dictionary(let second) = read else { return false }
        return (allowsMore || first.count == second.count)
            && first.allSatisfy { entry in
                second.contains { $0.name == entry.name && isKept(entry.value, $0.value) }
                    || allowsMore && entry.value == .none
            }
    }

    private func isKept(_ first: [ObservedValue], inAnyOrder second: [ObservedValue]) -> Bool {
        var rest = second
        for value in first {
            guard let index = rest.firstIndex(where: { isKept(value, $0) }) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }

    /// Nil if not both are texts.
    private func isKept(text written: ObservedValue, _ read: ObservedValue) -> Bool? {
        func text(_ value: ObservedValue) -> String? {
            switch value {
            case .string(let text), .url(let text), .uuid(let text): text
            default: nil
            }
        }
        guard let first = text(written), let second = text(read) else { return nil }
        if case .uuid = read { return first.uppercased() == second }
        return first.unicodeScalars.elementsEqual(second.unicodeScalars)
    }

    /// Nil if not both are numbers or durations.
    private func isKept(number written: ObservedValue, _ read: ObservedValue) -> Bool? {
        switch (written, read) {
        case (.integer(let first), .integer(let second)), (.duration(let first), .duration(let second)):
            return first == second
        case (.float(let bits), .double(let other)):
            // The double has the digits of the float.
            let (first, second) = (Float(bitPattern: bits), Double(bitPattern: other))
            return first.isNaN ? second.isNaN : Float(second) == first
        case (.duration(let first), _):
            guard let second = Self.attoseconds(read) else { return nil }
            return first == second
        case (_, .duration(let second)):
            guard let first = Self.attoseconds(written) else { return nil }
            return first == second
        case (.integer(let digits), _):
            guard let second = Self.double(read), let first = Int128(digits) else { return nil }
            return Double(exactly: first) == second
        case (_, .integer(let digits)):
            guard let first = Self.double(written), let second = Int128(digits) else { return nil }
            return Double(exactly: second) == first
        default:
            guard let first = Self.double(written), let second = Self.double(read) else { return nil }
            return first.isNaN ? second.isNaN : first == second
        }
    }

    private static func double(_ value: ObservedValue) -> Double? {
        switch value {
        case .float(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        default: nil
        }
    }

    /// A number of seconds, as durations are stored.
    private static func attoseconds(_ value: ObservedValue) -> String? {
        let stored: PreferenceValue? =
            switch value {
            case .integer(let digits): Int128(digits).flatMap { PreferenceValue.integer($0) }
            case .float(let bits): Float(bitPattern: bits).preferenceValue()
            case .double(let bits): .double(Double(bitPattern: bits))
            default: nil
            }
        guard let stored, let duration = try? Duration(preferenceValue: stored),
            case .duration(let digits) = ObservedValue(duration)
        else { return nil }
        return digits
    }
}

extension DraftModule {
    fileprivate func identity(ofCase name: String, in type: String) -> Int? {
        self.type(named: type)?.cases.first { $0.name == name }?.identity
    }

    fileprivate func field(_ name: String, of type: String) -> DraftType.Field? {
        self.type(named: type)?.fields.first { $0.name == name }
    }
}
