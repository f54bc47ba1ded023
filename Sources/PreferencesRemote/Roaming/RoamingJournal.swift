import Foundation
import PreferencesRuntime

/// The names under which a ``RoamingStore`` keeps its own entries in the stores.
enum RoamingName {
    /// The prefix of all these names.
    private static let reserved = "::roaming"
    private static let journalPrefix = "::roaming:"
    private static let conflictPrefix = "::roaming:conflict "

    /// The entry of ``MachineState`` in the local store.
    static let state = "::roaming state"

    /// The entry of a pending change in the local store: ``JournalEntry``.
    static func journal(of name: String) -> String { journalPrefix + name }

    /// The entry of the last push of a machine in a shared store: ``PushMarker``. Stores of two scopes may be one.
    static func marker(of machine: String, in scope: PreferenceScope) -> String {
        "::roaming:machine \(scope.rawValue) \(machine)"
    }

    /// The entry of a value's stamp in a shared store.
    static func stamp(of name: String) -> String { "::roaming:stamp \(name)" }

    /// The entry of the other values of a name in a shared store.
    static func conflict(of name: String) -> String { conflictPrefix + name }

    static func isReserved(_ name: String) -> Bool { name.utf8.starts(with: reserved.utf8) }

    /// Returns the name whose journal entry this is.
    static func journaledName(_ name: String) -> String? { suffix(of: name, after: journalPrefix) }

    /// Returns the name whose conflict this is.
    static func conflictingName(_ name: String) -> String? { suffix(of: name, after: conflictPrefix) }

    /// Compares bytes: the name may begin with a combining character, which `hasPrefix` would join to the prefix.
    private static func suffix(of name: String, after prefix: String) -> String? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}

/// The identity of a machine and the state of its clock, in the local store.
struct MachineState: Sendable, Hashable {
    var machine: String
    /// The last stamp, so that later ones are later even if the clock is set back.
    var clock: ClockStamp?
    /// The numbers of the last pushes, by the scopes of the stores.
    var pushes: [PreferenceScope: Int64] = [:]

    /// Creates the state of a machine that has never changed a shared value.
    static func new() -> MachineState { MachineState(machine: .randomIdentifier()) }
}

/// A push of changes to a shared store.
struct PushID: Sendable, Hashable {
    /// The machine, under whose identifier the shared store has the marker.
    var machine: String
    /// The number among the pushes of the machine to the store.
    var number: Int64
    /// Distinguishes the pushes of two machines with one identifier, one of which was copied from the other.
    var token: String
}

/// A change that is not shared yet.
struct JournalEntry: Sendable, Hashable {
    /// A value and its stamp. A removed value also has one.
    struct Version: Sendable, Hashable {
        var value: PreferenceValue?
        var stamp: ClockStamp?
    }

    /// A change that is being pushed: it may or may not have reached the shared store.
    struct InFlight: Sendable, Hashable {
        var push: PushID
        var value: PreferenceValue?
        var stamp: ClockStamp
        /// The shared value when a later change has decided a conflict; nil if none has.
        var decided: Version?
    }

    var scope: PreferenceScope
    var rule: PreferenceMergeRule
    /// The value that was set; nil if it was removed.
    var value: PreferenceValue?
    var stamp: ClockStamp
    /// The time of the first of the changes that are not shared yet.
    var since: Date
    /// The shared value when the first of these changes was made; nil if the shared store could not be read.
    var base: Version?
    /// The other values of a conflict that the change decides: the stamps by the machines.
    var settled: [String: ClockStamp] = [:]
    var inFlight: InFlight?

    /// Returns the value that the name reads as. A local value under the rule `last` was set while a version of the
    /// program did not share the name, and so after the change, which would have removed it.
    func value(after own: PreferenceValue?) -> PreferenceValue? { rule == .last ? own ?? value : value }
}

/// The last push of a machine that a shared store has applied.
struct PushMarker: Sendable, Hashable {
    var push: PushID
    /// The names whose changes were left out, because the store has refused them.
    var refused: Set<String> = []
}

/// Everything that a shared store has for a name.
struct SharedRecord: Sendable, Hashable {
    var version: JournalEntry.Version
    /// Whether there is a value that cannot be read, for example because it was edited by hand. It counts as absent, and
    /// any change replaces it.
    var isMalformed = false
    /// The other values of a conflict, by the machines that have set them.
    var alternatives: [String: JournalEntry.Version] = [:]

    /// Returns the other values that a pending change does not decide.
    func alternatives(notSettledBy entry: JournalEntry?) -> [String: JournalEntry.Version] {
        guard let settled = entry?.settled, !settled.isEmpty else { return alternatives }
        return alternatives.filter { settled[$0.key] != $0.value.stamp }
    }

    /// Reads the record inside of an update of the store.
    init(of name: String, _ read: (_ name: String) throws -> PreferenceValue?) throws {
        version = .init()
        do {
            version.value = try read(name)
        } catch let problem as PreferenceProblem where problem.concernsValue(of: name) {
            isMalformed = true
        }
        version.stamp = ClockStamp(try Self.entry(RoamingName.stamp(of: name), read))
        guard case .dictionary(let entries)? = try Self.entry(RoamingName.conflict(of: name), read) else { return }
        alternatives = entries.compactMapValues(JournalEntry.Version.init)
    }

    /// Reads the record while other threads may change the store.
    init(of name: String, in store: any PreferenceStore) throws {
        try self.init(of: name, store.value)
        // A value with the stamp of another one would look like an edit by hand.
        while true {
            let next = try Self(of: name, store.value)
            if next == self { return }
            self = next
        }
    }

    /// Returns an entry that the shared store has beside the values; nil also if it cannot be read.
    static func entry(
        _ name: String,
        _ read: (_ name: String) throws -> PreferenceValue?
    ) throws -> PreferenceValue? {
        do {
            return try read(name)
        } catch let problem as PreferenceProblem where problem.concernsValue(of: name) {
            return nil
        }
    }
}

extension PreferenceProblem {
    /// Whether a read has thrown the problem because of the value, and not because the store cannot be read.
    fileprivate func concernsValue(of name: String) -> Bool { key == name && code != .storeUnreadable }
}

// MARK: - Coding

extension String {
    /// Returns 16 random hexadecimal digits.
    static func randomIdentifier() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension MachineState {
    init?(_ value: PreferenceValue?) {
        guard case .dictionary(let fields)? = value, case .string(let machine)? = fields["machine"] else { return nil }
        self.init(machine: machine, clock: ClockStamp(fields["clock"]))
        guard case .dictionary(let numbers)? = fields["pushes"] else { return }
        for case (let scope, .int(let number)) in numbers {
            if let scope = PreferenceScope(rawValue: scope) { pushes[scope] = number }
        }
    }

    var preferenceValue: PreferenceValue {
        var fields: [String: PreferenceValue] = ["machine": .string(machine)]
        fields["clock"] = clock?.preferenceValue
        fields["pushes"] = .dictionary(
            Dictionary(uniqueKeysWithValues: pushes.map { ($0.key.rawValue, .int($0.value)) })
        )
        return .dictionary(fields)
    }
}

extension PushID {
    init?(_ fields: [String: PreferenceValue]) {
        guard case .string(let machine)? = fields["machine"], case .int(let number)? = fields["push"],
            case .string(let token)? = fields["token"]
        else { return nil }
        self.init(machine: machine, number: number, token: token)
    }

    var fields: [String: PreferenceValue] {
        ["machine": .string(machine), "push": .int(number), "token": .string(token)]
    }
}

extension PushMarker {
    init?(_ value: PreferenceValue?) {
        guard case .dictionary(let fields)? = value, let push = PushID(fields) else { return nil }
        self.init(push: push)
        guard case .array(let names)? = fields["refused"] else { return }
        for case .string(let name) in names { refused.insert(name) }
    }

    var preferenceValue: PreferenceValue {
        var fields = push.fields
        if !refused.isEmpty { fields["refused"] = .array(refused.sorted().map(PreferenceValue.string)) }
        return .dictionary(fields)
    }
}

extension JournalEntry.Version {
    init?(_ value: PreferenceValue?) {
        guard case .dictionary(let fields)? = value else { return nil }
        self.init(value: fields["value"], stamp: ClockStamp(fields["stamp"]))
    }

    var preferenceValue: PreferenceValue {
        var fields: [String: PreferenceValue] = [:]
        fields["value"] = value
        fields["stamp"] = stamp?.preferenceValue
        return .dictionary(fields)
    }
}

extension JournalEntry {
    init?(_ value: PreferenceValue) {
        guard case .dictionary(let fields) = value,
            case .string(let scope)? = fields["scope"], let scope = PreferenceScope(rawValue: scope),
            case .string(let rule)? = fields["merge"], let rule = PreferenceMergeRule(rawValue: rule),
            let stamp = ClockStamp(fields["stamp"]), case .date(let since)? = fields["since"]
        else { return nil }
        self.init(scope: scope, rule: rule, value: fields["value"], stamp: stamp, since: since)
        base = Version(fields["base"])
        if case .dictionary(let stamps)? = fields["settled"] { settled = stamps.compactMapValues(ClockStamp.init) }
        guard let flight = fields["inFlight"] else { return }
        guard case .dictionary(let fields) = flight, let push = PushID(fields), let stamp = ClockStamp(fields["stamp"])
        else { return nil }
        inFlight = InFlight(
            push: push,
            value: fields["value"],
            stamp: stamp,
            decided: Version(fields["decided"])
        )
    }

    var preferenceValue: PreferenceValue {
        var fields: [String: PreferenceValue] = [
            "scope": .string(scope.rawValue), "merge": .string(rule.rawValue), "stamp": stamp.preferenceValue,
            "since": .date(since),
        ]
        fields["value"] = value
        fields["base"] = base?.preferenceValue
        if !settled.isEmpty { fields["settled"] = .dictionary(settled.mapValues(\.preferenceValue)) }
        fields["inFlight"] = inFlight.map { flight in
            var fields = flight.push.fields
            fields["value"] = flight.value
            fields["stamp"] = flight.stamp.preferenceValue
            fields["decided"] = flight.decided?.preferenceValue
            return .dictionary(fields)
        }
        return .dictionary(fields)
    }
}
