import Foundation
import PreferencesRemote
import PreferencesRuntime
import TestSupport

/// The calls of one thread of a client.
struct Calls: Sendable {
    /// A change of one or two keys.
    enum Change {
        case write(String, String?)
        /// The value of both keys of a pair.
        case writePair(String?)
        case increment(String)

        var operations: [(key: String, operation: HistoryEntry.Operation)] {
            switch self {
            case .write(let key, let text): [(key, .write(text))]
            case .writePair(let text): FleetKeys.pair.map { ($0, .write(text)) }
            case .increment(let key): [(key, .increment(from: nil))]
            }
        }
    }

    private let copy: WatchedCopy
    private let log: CallLog
    private let fault: ClientFault?
    private var random: SeededRandom
    /// Changes that were acknowledged, but not made yet.
    private var owed: [Change] = []
    private var changeCount = 0

    private var store: EtcdStore { copy.store }

    init(_ copy: WatchedCopy, _ log: CallLog, _ random: SeededRandom, _ fault: ClientFault?) {
        (self.copy, self.log, self.random, self.fault) = (copy, log, random, fault)
    }

    /// Makes a random call.
    mutating func makeCall() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: return makeRead()
        case 40..<48: readFromEtcd(FleetKeys.key(from: FleetKeys.all, using: &random))
        case 48..<66: change(.write(FleetKeys.key(from: FleetKeys.texts, using: &random), text()))
        case 66..<72: change(.write(FleetKeys.key(from: FleetKeys.texts, using: &random), nil))
        case 72..<80: change(.writePair(text()))
        case 80..<81: change(.writePair(nil))
        default: change(.increment(FleetKeys.key(from: FleetKeys.counters, using: &random)))
        }
        pause()
    }

    /// Reads from the copy of the store.
    mutating func makeRead() {
        let group = [FleetKeys.counters, FleetKeys.texts, FleetKeys.pair].randomElement(using: &random) ?? []
        if group == FleetKeys.pair {
            if Bool.random(using: &random) { readPairInTransaction() } else { readCopy(group) }
        } else {
            readCopy([FleetKeys.key(from: group, using: &random)])
        }
        pause()
    }

    func readAllKeys() {
        for key in FleetKeys.counters + FleetKeys.texts { readCopy([key]) }
        readCopy(FleetKeys.pair)
    }

    /// Waits at random, since reads from memory would fill the history otherwise. No result depends on the duration.
    private mutating func pause() {
        usleep(UInt32.random(in: 0..<20_000, using: &random))
    }

    /// Returns a text that no other call writes.
    private mutating func text() -> String {
        "\(copy.number)-\(String(random.next(), radix: 36))"
    }

    // MARK: - Reading

    /// Reads keys from the copy at one revision. There are two keys only for a pair.
    private func readCopy(_ keys: [String]) {
        let call = log.nextNumber()
        let started = keys.map { HistoryEntry(client: copy.number, call: call, key: $0, .sessionRead(nil)) }
        guard let (values, revision) = valuesAtOneRevision(of: keys) else { return }
        if Set(values).count > 1 { reportHalf(values, "at revision \(revision)") }
        log.write(zip(started, values).map { $0.ended(.sessionRead($1), revision: revision) })
    }

    /// Reads a pair in a transaction that changes nothing, which reads the values of one revision.
    private mutating func readPairInTransaction() {
        var values: [String?] = []
        do {
            if Bool.random(using: &random) {
                try copy.preferences.transaction { preferences in values = FleetKeys.pair.map { preferences[$0].text } }
            } else {
                try store.update { current in
                    values = try FleetKeys.pair.map { try current($0).text }
                    return [:]
                }
            }
        } catch {
            return
        }
        if Set(values).count > 1 { reportHalf(values, "in a transaction") }
    }

    private func reportHalf(_ values: [String?], _ place: String) {
        let texts = values.map { $0 ?? "nothing" }.joined(separator: " and ")
        Client.report(.violation("\(copy.name): half of a batch was read \(place): \(texts)"))
    }

    /// Asks etcd for the current values first, so that the read is linearizable.
    private func readFromEtcd(_ key: String) {
        let started = HistoryEntry(client: copy.number, call: log.nextNumber(), key: key, .read(nil))
        do {
            try store.reload()
        } catch {
            return log.write([started.ended(nil, .failed)])
        }
        guard let (values, revision) = valuesAtOneRevision(of: [key]) else { return }
        log.write([started.ended(.read(values[0]), revision: revision)])
    }

    /// Returns values of the copy, with their revision; nil if it changes all the time, or cannot be read.
    private func valuesAtOneRevision(of keys: [String]) -> (values: [String?], revision: Int64)? {
        for _ in 0..<20 {
            let before = store.revision
            guard let values = try? keys.map({ try store.value(for: $0).text }) else { return nil }
            if let revision = store.revision, revision == before { return (values, revision) }
        }
        return nil
    }

    // MARK: - Changing

    private mutating func change(_ change: Change) {
        for change in owed { _ = try? perform(change) }
        owed = []
        changeCount += 1
        let call = log.nextNumber()
        let entries = change.operations.map { HistoryEntry(client: copy.number, call: call, key: $0.key, $0.operation) }
        log.write(entries)
        let before = store.revision ?? 0
        var outcome = HistoryEntry.Outcome.ok
        var number: Int?
        do {
            if fault == .acknowledgesEarly, changeCount.isMultiple(of: 4), case .write = change {
                owed.append(change)
            } else {
                number = try perform(change)
                if fault == .repeatsCalls, changeCount.isMultiple(of: 4), number != nil { _ = try perform(change) }
            }
        } catch {
            outcome = self.outcome(of: error)
        }
        var ended = entries.map { $0.ended(number.map { .increment(from: $0) }, outcome) }
        if outcome == .ok {
            if owed.isEmpty { checkOwnChange(change, after: before, number) }
            let revision = change.revision(in: store, number)
            for index in ended.indices { ended[index].revision = revision }
            log.noteChange(isIncrement: number != nil)
        }
        log.write(ended)
        // The change should be read now.
        if !owed.isEmpty { readFromEtcd(entries[0].key) }
    }

    /// Makes a change, by one of two interfaces.
    ///
    /// - Returns: The number that an increment has read.
    private mutating func perform(_ change: Change) throws -> Int? {
        let usesPreferences = Bool.random(using: &random)
        switch change {
        case .write(let key, let text) where usesPreferences:
            try copy.preferences.set(\.[key], to: text.map { .string($0) })
        case .write, .writePair:
            let edits = change.operations.map { key, operation -> (String, PreferenceEdit) in
                guard case .write(let text?) = operation else { return (key, .remove) }
                return (key, .set(.string(text)))
            }
            if fault == .splitsBatches {
                for (key, edit) in edits { try store.apply([key: edit]) }
            } else if usesPreferences {
                try copy.preferences.transaction { preferences in
                    for (key, edit) in edits { preferences[key] = edit.value }
                }
            } else {
                try store.apply(PreferenceBatch(Dictionary(uniqueKeysWithValues: edits)))
            }
        case .increment(let key): return try increment(key, usesPreferences)
        }
        return nil
    }

    private func increment(_ key: String, _ usesPreferences: Bool) throws -> Int {
        func number(_ value: PreferenceValue?) -> Int { value.text.flatMap { Int($0) } ?? 0 }
        if fault == .countsByApplying {
            let before = number(try store.value(for: key))
            try store.apply([key: .set(.int(Int64(before + 1)))])
            return before
        }
        // The closure is called again after a conflict.
        var before = 0
        if usesPreferences {
            try copy.preferences.update(named: key, default: 0) { number in
                before = number
                number += 1
            }
        } else {
            try store.update { current in
                before = number(try current(key))
                return [key: .set(.int(Int64(before + 1)))]
            }
        }
        return before
    }

    /// Returns the effect of a call that has thrown an error.
    private func outcome(of error: any Error) -> HistoryEntry.Outcome {
        guard let problem = error as? PreferenceProblem else {
            Client.report(.violation("\(copy.name): an error that is no problem: \(error)"))
            return .unknown
        }
        if problem.code == .outcomeUnknown { return .unknown }
        if problem.message.contains("the change was made") { return .ok }
        // Thrown by the closure of an update that has read no values yet.
        if problem.message.contains("nothing was changed") || problem.code == .storeUnreadable { return .failed }
        Client.report(.violation("\(copy.name): a problem does not state the effect: \(problem)"))
        return .unknown
    }

    /// Reports an acknowledged change that reads do not return.
    ///
    /// - Parameters:
    ///   - before: The revision of the copy before the call.
    ///   - number: The number that an increment has read.
    private func checkOwnChange(_ change: Change, after before: Int64, _ number: Int?) {
        for (key, operation) in change.operations {
            if case .write(nil) = operation { continue }
            guard let revision = store.setRevision(of: key), revision <= before else { continue }
            let text = "an acknowledged change of '\(key)' is not read; its value is that of revision \(revision)"
            Client.report(.violation("\(copy.name): \(text), and the call began after revision \(before)"))
        }
        if let number, case .increment(let key) = change {
            let value = copy.preferences.get(named: key, default: 0)
            guard value <= number else { return }
            let text = "preferences read \(value) after an acknowledged increment of '\(key)' from \(number)"
            Client.report(.violation("\(copy.name): \(text)"))
        }
    }
}

extension Calls.Change {
    /// Returns the revision of an acknowledged change; nil if its value is no longer in the store.
    fileprivate func revision(in store: EtcdStore, _ number: Int?) -> Int64? {
        guard let (key, operation) = operations.first else { return nil }
        let text: String
        switch operation {
        case .write(let written?): text = written
        case .increment:
            guard let number else { return nil }
            text = String(number + 1)
        default: return nil
        }
        let revision = store.setRevision(of: key)
        guard let value = try? store.value(for: key), Optional(value).text == text,
            store.setRevision(of: key) == revision
        else {
            return nil
        }
        return revision
    }
}

extension EtcdStore {
    /// Returns the revision at which a value was set; nil if there is none.
    fileprivate func setRevision(of name: String) -> Int64? {
        // "etcd http://127.0.0.1:2379, revision 12"
        guard let source = try? source(of: name) else { return nil }
        return source.description.split(separator: " ").last.flatMap { Int64($0) }
    }
}
