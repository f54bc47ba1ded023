import Foundation
import PreferencesRuntime

/// Uses a store while a call fails, and checks the file and the store after each step.
struct CallCheck {
    let store: ProvenStore
    let scenario: CallScenario
    let layer: FaultLayer
    let fault: CallFault?

    /// The names of a batch.
    static let group = ["a", "b", "c"]

    /// The value that the store must return; nil before the first read or set.
    private(set) var served: Int64?
    /// The values that the file may contain for the batch's names.
    private(set) var possible: Set<Int64?> = []
    /// The initial state of the file.
    private(set) var snapshot = FileSnapshot.nothing
    private(set) var attributes: FileAttributes?
    /// The readable rows of a damaged database.
    private(set) var rows: [String: [String]] = [:]
    /// Preferences that have read the file; nil if it could not be read.
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
        snapshot = FileSnapshot(at: url.path)
        attributes = FileAttributes(of: url.path)
        if store.isDatabase, scenario == .damaged { rows = try PlainDatabase.rows(of: url) }
        possible = [scenario.hasContents ? 0 : nil]
        layer.watch(folder)
        if let fault { layer.arm(fault) }
        defer { layer.watch(URL(filePath: "/nowhere")) }
        do {
            let values = store.open(url, isExclusive: true)
            let problems = scenario.isObserved ? ReportedProblems(of: values) : nil
            try use(values, url)
            // This releases the store.
            preferences = nil
            if !closes {
                layer.lift()
                try recover(values, url)
                if scenario == .damaged {
                    findDamage(problems)
                    try findRows(in: url)
                }
            }
        }
        if closes {
            // The log has been moved into the database, unless calls failed.
            try check(at: url, nil, after: "closing")
            layer.lift()
            try recover(store.open(url, isExclusive: true), url)
        }
        journal = try layer.journal()
        let target = scenario.target(of: url)
        found += SyncRules.violations(in: journal, about: target, of: store).map { "\($0): \(journal.text)" }
        let leftovers = try Leftovers.count(in: target.deletingLastPathComponent())
        if leftovers > 0 { found.append("\(leftovers) temporary files are left") }
        return found
    }

    private static func batch(_ number: Int64) -> PreferenceBatch {
        PreferenceBatch(Dictionary(uniqueKeysWithValues: group.map { ($0, .set(.int(number))) }))
    }

    /// Whether the store is released while calls still fail. Observed stores are not.
    private var closes: Bool { store.isDatabase && !scenario.isObserved }

    private mutating func use(_ values: any PreferenceStore, _ url: URL) throws {
        read(values)
        if scenario == .existing {
            let preferences = Preferences(store: SilentStore(values))
            if preferences.kept == 7 { self.preferences = preferences }
        }
        if scenario.hasContents, fault?.isLasting == false { readAgain(values) }
        try check(at: url, values, after: "reading")
        attempt("setting", 1_000_000) { [addition = scenario.addition] in
            try values.commit(PreferenceBatch(Self.batch(1_000_000).edits.merging(addition.edits) { $1 }))
        }
        try check(at: url, values, after: "setting")
        // Replaces longer contents by shorter ones.
        attempt("setting again", 50) { try values.commit(Self.batch(50)) }
        try check(at: url, values, after: "setting again")
        attempt("updating", 2, isWritten: true) { try values.commit { _ in Self.batch(2) } }
        try check(at: url, values, after: "updating")
        flush(values)
        try check(at: url, values, after: "flushing")
    }

    private mutating func recover(_ values: any PreferenceStore, _ url: URL) throws {
        repair(values, url)
        try check(at: url, values, after: "repairing")
        if scenario.hasContents { findNothingSetAside(beside: scenario.target(of: url)) }
    }

    // MARK: - Steps

    private mutating func read(_ values: any PreferenceStore) {
        expectProblems("reading") { check in
            guard case .int(let number)? = try values.value(for: "a") else { return }
            check.served = number
        }
    }

    /// Checks that a single failed call affects at most one of two reads.
    private mutating func readAgain(_ values: any PreferenceStore) {
        do {
            _ = try (try? values.value(for: "a")) ?? values.value(for: "a")
        } catch {
            found.append("one call has failed, and an intact file is no longer read: \(error)")
        }
    }

    /// - Parameter isWritten: Whether every store has written the change when the step returns.
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
                // A failed commit that could not be rolled back may be in the database's log, and apply after a crash.
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

    /// Checks that the next flush writes pending changes after the fault, and that values can be set again.
    private mutating func repair(_ values: any PreferenceStore, _ url: URL) {
        if scenario.hasContents {
            do {
                _ = try values.value(for: "a")
            } catch {
                found.append("the fault has ended, but an intact file is not read: \(error)")
            }
        }
        do {
            try values.flush()
            if store.isCoalescing, let served, served > 0 {
                let number = try store.plainContents(of: url).numbers?["a"]
                if number != served { found.append("the fault has ended, but \(served) is not written") }
                acknowledge(served)
            }
            try values.commit(Self.batch(3))
            try values.flush()
            served = 3
            acknowledge(3)
        } catch {
            found.append("the fault has ended, but the store still fails: \(error)")
        }
    }

    private mutating func acknowledge(_ number: Int64) {
        layer.note(CallJournal.acknowledgement)
        possible = [number]
    }

    /// Calls a closure that may throw only a problem.
    private mutating func expectProblems(_ step: String, _ body: (inout CallCheck) throws -> Void) {
        do {
            try body(&self)
        } catch is PreferenceProblem {
            return
        } catch {
            found.append("\(step) throws an error that is not a problem: \(error)")
        }
    }
}

extension CallCheck {
    /// Checks the file without faults, and then the store with them.
    ///
    /// - Parameter values: The store; nil after its release.
    mutating func check(at url: URL, _ values: (any PreferenceStore)?, after step: String) throws {
        switch try layer.unhindered({ try store.plainContents(of: url) }) {
        case .missing:
            // A damaged file may have been moved already.
            if scenario.hasContents || (scenario == .damaged && !isSnapshotSaved(beside: url)) {
                found.append("after \(step) the file is gone")
            } else if scenario == .first, !possible.contains(nil) {
                found.append("after \(step) there is no file")
            }
        case .unreadable(let why):
            if scenario != .damaged || layer.unhindered({ FileSnapshot(at: url.path) }) != snapshot {
                found.append("after \(step): \(why)")
            }
        case .entries(let entries):
            judge(entries.compactMapValues { ($0 as? NSNumber)?.int64Value }, after: step)
            if scenario.hasContents, store.preservesAttributes { try checkAttributes(of: url, after: step) }
        }
        if let values { checkStore(values, after: step) }
    }

    private mutating func judge(_ numbers: [String: Int64], after step: String) {
        let group = Self.group.map { numbers[$0] }
        if Set(group).count > 1 { found.append("after \(step) a batch is incomplete: \(group.map(Self.text))") }
        // The rows of a damaged database may have been recovered.
        let isSaved = scenario == .damaged && store.isDatabase && group[0] == 0
        if !possible.contains(group[0]), !isSaved {
            let expected = possible.map(Self.text).sorted().joined(separator: " or ")
            found.append("after \(step) there is \(Self.text(group[0])), not \(expected)")
        }
        if scenario.hasContents, numbers["kept"] != 7 { found.append("after \(step) another entry is gone") }
    }

    private mutating func checkAttributes(of url: URL, after step: String) throws {
        let now = layer.unhindered { FileAttributes(of: url.path) }
        guard let attributes, now != attributes else { return }
        if let fault, try fault.hasDeniedAttributes(in: layer.journal()), now.differOnlyAsDenied(from: attributes) {
            return
        }
        found.append("after \(step) the file has other permissions or attributes")
    }

    private mutating func checkStore(_ values: any PreferenceStore, after step: String) {
        if let preferences, preferences.kept != 7 {
            found.append("after \(step) preferences no longer return a cached value")
        }
        guard let served else { return }
        do {
            let value = try values.value(for: "a")
            if value == .int(served) || (store.isDatabase && isUncertain(value)) { return }
            found.append("after \(step) \(value.map { "\($0)" } ?? "nothing") is returned, not \(served)")
        } catch is PreferenceProblem where store.isDatabase {
            // A database is read each time, and `Preferences` cache its values.
        } catch {
            found.append("after \(step) the value is no longer returned: \(error)")
        }
    }

    /// Whether the file may contain a value.
    private func isUncertain(_ value: PreferenceValue?) -> Bool {
        possible.contains { $0.map { .int($0) } == value }
    }

    private func isSnapshotSaved(beside url: URL) -> Bool {
        layer.unhindered {
            let folder = url.deletingLastPathComponent()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.contains { FileSnapshot(at: folder.appending(component: $0).path) == snapshot }
        }
    }

    /// Checks that the damaged file is at the reported path.
    mutating func findDamage(_ problems: ReportedProblems?) {
        guard let path = problems?.asidePath else {
            found.append("a damaged file was replaced, and no problem reports its path: \(problems?.all ?? [])")
            return
        }
        if FileSnapshot(at: path) != snapshot { found.append("the bytes differ from the damaged file's in \(path)") }
    }

    /// Checks that the new database contains the readable rows of the damaged one that were not set since.
    mutating func findRows(in url: URL) throws {
        let now = try layer.unhindered { try PlainDatabase.rows(of: url) }
        let lost = rows.filter { !Self.group.contains($0.key) && now[$0.key] != $0.value }
        if !lost.isEmpty { found.append("rows that can be read are not in the new database: \(lost.keys.sorted())") }
    }

    /// Checks that an intact file was not moved as a damaged one.
    mutating func findNothingSetAside(beside url: URL) {
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        guard let name = names?.first(where: { $0.contains(".corrupt-") }) else { return }
        found.append("an intact file was moved to \(name)")
    }

    private static func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "none" }
}
