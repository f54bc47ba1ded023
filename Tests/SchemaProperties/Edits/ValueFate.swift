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

    // MARK: Cases and fields

    /// Returns the subjects of changes of the types that both versions of a key use.
    func members(of types: [DraftType], _ newTypes: [DraftType]) -> Set<String> {
        var found: Set<String> = []
        for type in types {
            guard let other = newTypes.first(where: { $0.identity == type.identity }) else { continue }
            let names = [type, other].flatMap { $0.cases.map(\.name) + $0.fields.map(\.name) }
            found.formUnion(names.map { "\(type.name).\($0)" } + [type.name])
        }
        return found
    }

    /// Returns the cases and fields in a value that the new version does not read as the same, and the fields that it
    /// requires besides.
    func changedMembers(of value: ObservedValue) -> Set<String> {
        switch value {
        case .enumCase(let type, let name, _):
            guard let before = old.type(named: type), let enumCase = before.cases.first(where: { $0.name == name }),
                let now = new.types.first(where: { $0.identity == before.identity })
            else { return [] }
            if let owner = now.cases.first(where: { $0.rawValue == enumCase.rawValue }) {
                return owner.identity == enumCase.identity ? [] : ["\(type).\(name)"]
            }
            // Raw values of another type are reported for the enum.
            return ["\(type).\(name)", type]
        case .structure(let type, let fields):
            guard let before = old.type(named: type),
                let now = new.types.first(where: { $0.identity == before.identity })
            else { return [] }
            var found = Set(fields.flatMap { changedMembers(of: $0.value) })
            for field in before.fields where isChanged(field, now) { found.insert("\(type).\(field.name)") }
            for field in now.fields where !before.fields.contains(where: { $0.identity == field.identity }) {
                found.insert("\(type).\(field.name)")
            }
            return found
        case .array(let values), .set(let values): return Set(values.flatMap(changedMembers))
        case .dictionary(let entries): return Set(entries.flatMap { changedMembers(of: $0.value) })
        default: return []
        }
    }

    /// Whether a field is not declared in the same way in a newer version of its struct.
    private func isChanged(_ field: DraftType.Field, _ type: DraftType) -> Bool {
        guard let other = type.fields.first(where: { $0.identity == field.identity }) else { return true }
        return field.storedName != other.storedName || field.type != other.type
            || field.defaultValue?.json.text != other.defaultValue?.json.text
    }

    /// Returns the cases and fields because of which a value is read as another one: those of the old version that were
    /// stored under the name that is read.
    func misreadMembers(_ written: ObservedValue, _ read: ObservedValue) -> Set<String> {
        if isKept(written, read) { return [] }
        switch (written, read) {
        case (.structure(let first, let fields), .structure(let second, let others)) where isSameType(first, second):
            guard let before = old.type(named: first), let now = new.type(named: second) else { return [] }
            var found: Set<String> = []
            for entry in fields {
                guard let field = before.fields.first(where: { $0.name == entry.name }) else { continue }
                guard let other = now.fields.first(where: { $0.identity == field.identity }),
                    let value = others.first(where: { $0.name == other.name })?.value
                else {
                    found.insert("\(first).\(field.name)")
                    continue
                }
                if isKept(entry.value, value) { continue }
                let owner = before.fields.first { $0.storedName == other.storedName }
                let isOwnerSet = owner.map { owner in fields.contains { $0.name == owner.name && $0.value != .none } }
                if let owner, owner.identity != field.identity, isOwnerSet == true {
                    found.insert("\(first).\(owner.name)")
                } else {
                    found.formUnion(misreadMembers(entry.value, value))
                    if isChanged(field, now) { found.insert("\(first).\(field.name)") }
                }
            }
            return found
        case (.array(let first), .array(let second)) where first.count == second.count:
            return zip(first, second).reduce(into: []) { $0.formUnion(misreadMembers($1.0, $1.1)) }
        case (.dictionary(let first), .dictionary(let second)):
            return first.reduce(into: []) { found, entry in
                guard let other = second.first(where: { $0.name == entry.name }) else { return }
                found.formUnion(misreadMembers(entry.value, other.value))
            }
        default: return changedMembers(of: written)
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
