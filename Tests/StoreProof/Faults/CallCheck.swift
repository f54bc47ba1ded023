import Foundation
import PreferencesRuntime

/// Uses a store while a call fails, and sees to it after each step that file and store are what they may be.
struct CallCheck {
    let store: ProvenStore
    let scenario: CallScenario
    let layer: FaultLayer
    let fault: CallFault?

    /// The names that are set together.
    static let group = ["a", "b", "c"]

    /// What readers are to be given; nil as long as nothing was read or set.
    private(set) var served: Int64?
    /// What may be in the file, all under one number, or none.
    private(set) var possible: Set<Int64?> = []
    /// What there was at first.
    private(set) var evidence = FileEvidence.nothing
    private(set) var attributes: FileAttributes?
    /// Of a damaged database, the rows that can be read.
    private(set) var rows: [String: [String]] = [:]
    /// What has read the file before, as an app has it, and asks again each time; nil where it could not be read.
    private(set) var preferences: Preferences?
    var found: [String] = []
    /// The calls that were made.
    private(set) var journal = CallJournal("")

    init(store: ProvenStore, scenario: CallScenario, layer: FaultLayer, fault: CallFault?) {
        self.store = store
        self.scenario = scenario
        self.layer = layer
        self.fault = fault
    }

    mutating func run(in folder: URL) throws -> [String] {
        let url = scenario.url(in: folder, store)
        try scenario.prepare(url, store)
        evidence = FileEvidence(at: url.path)
        attributes = FileAttributes(of: url.path)
        if store.isDatabase, scenario == .damaged { rows = try PlainDatabase.rows(of: url) }
        possible = [scenario.hasContents ? 0 : nil]
        layer.watch(folder)
        if let fault { layer.arm(fault) }
        defer { layer.watch(URL(filePath: "/nowhere")) }
        do {
            let values = store.open(url, isAlone: true)
            let told = scenario.isObserved ? ToldProblems(of: values) : nil
            try use(values, url)
            // With them the store goes, where nobody else has it.
            preferences = nil
            if !closes {
                layer.lift()
                try recover(values, url)
                if scenario == .damaged {
                    findDamage(told)
                    try findRows(in: url)
                }
            }
        }
        if closes {
            // The log has been brought into the database, as far as calls have let it.
            try look(at: url, nil, after: "closing")
            layer.lift()
            try recover(store.open(url, isAlone: true), url)
        }
        journal = try layer.journal()
        let target = scenario.target(of: url)
        found += SyncLaw.complaints(in: journal, about: target, of: store).map { "\($0): \(journal.text)" }
        let leftovers = try Leftovers.count(in: target.deletingLastPathComponent())
        if leftovers > 0 { found.append("\(leftovers) temporary files are left") }
        return found
    }

    private static func batch(_ number: Int64) -> PreferenceBatch {
        PreferenceBatch(Dictionary(uniqueKeysWithValues: group.map { ($0, .set(.int(number))) }))
    }

    /// Whether the store is let go of while calls still fail. What is observed stays.
    private var closes: Bool { store.isDatabase && !scenario.isObserved }

    private mutating func use(_ values: any PreferenceStore, _ url: URL) throws {
        read(values)
        if scenario == .existing {
            let preferences = Preferences(store: UntellingStore(values))
            if preferences.kept == 7 { self.preferences = preferences }
        }
        if scenario.hasContents, fault?.isLasting == false { readOn(values) }
        try look(at: url, values, after: "reading")
        attempt("setting", 1_000_000) { [addition = scenario.addition] in
            try values.commit(PreferenceBatch(Self.batch(1_000_000).edits.merging(addition.edits) { $1 }))
        }
        try look(at: url, values, after: "setting")
        // Over the first contents, which are shorter, and then over the second, which are longer.
        attempt("setting again", 50) { try values.commit(Self.batch(50)) }
        try look(at: url, values, after: "setting again")
        attempt("updating", 2, isWritten: true) { try values.commit { _ in Self.batch(2) } }
        try look(at: url, values, after: "updating")
        flush(values)
        try look(at: url, values, after: "flushing")
    }

    private mutating func recover(_ values: any PreferenceStore, _ url: URL) throws {
        mend(values, url)
        try look(at: url, values, after: "mending")
        if scenario.hasContents { findNothingSetAside(beside: scenario.target(of: url)) }
    }

    // MARK: - Steps

    private mutating func read(_ values: any PreferenceStore) {
        expectProblems("reading") { check in
            guard case .int(let number)? = try values.value(for: "a") else { return }
            check.served = number
        }
    }

    /// One call that fails keeps one read from what is there, the first one or the next.
    private mutating func readOn(_ values: any PreferenceStore) {
        do {
            _ = try (try? values.value(for: "a")) ?? values.value(for: "a")
        } catch {
            found.append("one call has failed, and a sound file is not read any more: \(error)")
        }
    }

    /// - Parameter isWritten: Whether it is on the disk when the step returns, whatever the store.
    private mutating func attempt(_ step: String, _ number: Int64, isWritten: Bool = false, _ body: () throws -> Void) {
        expectProblems(step) { check in
            do {
                try body()
                check.served = number
                if isWritten || !check.store.isCoalescing {
                    check.acknowledge(number)
                } else {
                    check.possible.insert(number)
                }
            } catch let problem as PreferenceProblem where problem.code == .notDurable {
                check.served = number
                check.possible = [number]
            } catch {
                // What a database could neither commit nor take back may be in its log, and count after a crash.
                if check.store.isDatabase { check.possible.insert(number) }
                throw error
            }
        }
    }

    private mutating func flush(_ values: any PreferenceStore) {
        expectProblems("flushing") { check in
            try values.flush()
            if check.store.isCoalescing, let served = check.served, served > 0 { check.acknowledge(served) }
        }
    }

    /// The fault is gone: what was set is written by the next flush, and what could not be set can be set anew.
    private mutating func mend(_ values: any PreferenceStore, _ url: URL) {
        if scenario.hasContents {
            do {
                _ = try values.value(for: "a")
            } catch {
                found.append("the fault is gone, and a sound file is not read: \(error)")
            }
        }
        do {
            try values.flush()
            if store.isCoalescing, let served, served > 0 {
                let number = try store.plainContents(of: url).numbers?["a"]
                if number != served { found.append("the fault is gone, and \(served) is not written") }
                acknowledge(served)
            }
            try values.commit(Self.batch(3))
            try values.flush()
            served = 3
            acknowledge(3)
        } catch {
            found.append("the fault is gone, and the store still fails: \(error)")
        }
    }

    private mutating func acknowledge(_ number: Int64) {
        layer.note(CallJournal.acknowledgement)
        possible = [number]
    }

    /// Runs a body that may throw a problem, and nothing else.
    private mutating func expectProblems(_ step: String, _ body: (inout CallCheck) throws -> Void) {
        do {
            try body(&self)
        } catch is PreferenceProblem {
            return
        } catch {
            found.append("\(step) gives an error that is no problem: \(error)")
        }
    }
}
