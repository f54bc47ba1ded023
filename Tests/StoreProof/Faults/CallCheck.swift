import Foundation
import PreferencesRuntime

/// Uses a store while a call fails, and sees to it after each step that file and store are what they may be.
struct CallCheck {
    let store: ProvenStore
    let scenario: CallScenario
    let layer: FaultLayer
    let fault: CallFault?

    private static let group = ["a", "b", "c"]

    /// What readers are to be given; nil as long as nothing was read or set.
    private var served: Int64?
    /// What is on the disk at least.
    private var durable: Int64?
    /// What may be on the disk instead.
    private var possible: Set<Int64?> = []
    private var found: [String] = []
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
        try scenario.prepare(url)
        durable = scenario == .first || scenario == .damaged ? nil : 0
        possible = [durable]
        layer.watch(folder)
        if let fault { layer.arm(fault) }
        defer { layer.watch(URL(filePath: "/nowhere")) }
        do {
            let values = store.open(url, isPatient: true)
            let told = scenario == .observed || scenario == .damaged ? ToldProblems(of: values) : nil
            read(values)
            look(at: url, values, after: "reading")
            attempt("setting", 1, values) { try values.apply(Self.batch(1)) }
            look(at: url, values, after: "setting")
            attempt("updating", 2, values, isWritten: true) { try values.update { _ in Self.batch(2) } }
            look(at: url, values, after: "updating")
            if attemptFlush(values) { look(at: url, values, after: "flushing") }
            layer.lift()
            mend(values, url)
            if scenario == .damaged { findDamage(url, told) }
        }
        journal = layer.journal
        let target = scenario.target(of: url)
        found += SyncLaw.complaints(in: journal, about: target.path).map { "\($0): \(journal.text)" }
        try lookForRest(beside: target)
        return found
    }

    private static func batch(_ number: Int64) -> [String: PreferenceEdit] {
        Dictionary(uniqueKeysWithValues: group.map { ($0, .set(.int(number))) })
    }

    // MARK: - Steps

    private mutating func read(_ values: any PreferenceStore) {
        do {
            if case .int(let number)? = try values.value(for: "a") { served = number }
        } catch is PreferenceProblem {
            return
        } catch {
            found.append("reading gives an error that is no problem: \(error)")
        }
    }

    /// - Parameter isWritten: Whether it is on the disk when the step returns, whatever the store.
    private mutating func attempt(
        _ step: String,
        _ number: Int64,
        _ values: any PreferenceStore,
        isWritten: Bool = false,
        _ body: () throws -> Void
    ) {
        do {
            try body()
            served = number
            if isWritten || !store.isCoalescing { acknowledge(number) } else { possible.insert(number) }
        } catch let problem as PreferenceProblem where problem.code == .notDurable {
            served = number
            durable = number
            possible = [number]
        } catch is PreferenceProblem {
            // What was set before may have been written.
            return
        } catch {
            found.append("\(step) gives an error that is no problem: \(error)")
        }
    }

    private mutating func acknowledge(_ number: Int64) {
        layer.note(CallJournal.acknowledgement)
        durable = number
        possible = [number]
    }

    private mutating func attemptFlush(_ values: any PreferenceStore) -> Bool {
        do {
            try values.flush()
            if let served, durable != nil || store.isCoalescing || served > 0 { acknowledge(served) }
        } catch is PreferenceProblem {
            // Whatever may be there may still be.
        } catch {
            found.append("flushing gives an error that is no problem: \(error)")
        }
        return true
    }

    // MARK: - Looking

    private mutating func look(at url: URL, _ values: any PreferenceStore, after step: String) {
        let contents = layer.unhindered { PlainContents(of: url) }
        let numbers = contents.numbers ?? [:]
        switch contents {
        case .missing:
            if !possible.contains(nil) || scenario != .first { found.append("after \(step) the file is gone") }
        case .unreadable(let why):
            let isAsItWas = layer.unhindered { FileEvidence(at: url.path) == .bytes(CallScenario.damage) }
            if scenario != .damaged || !isAsItWas { found.append("after \(step): \(why)") }
        case .entries:
            let group = Self.group.map { numbers[$0] }
            if Set(group).count > 1 { found.append("after \(step) a batch is not whole: \(group)") }
            if !possible.contains(group[0]) {
                found.append(
                    "after \(step) there is \(Self.text(group[0])), and may be \(possible.map(Self.text).sorted())"
                )
            }
            if scenario != .first, scenario != .damaged, numbers["kept"] != 7 {
                found.append("after \(step) another entry is gone")
            }
        }
        guard let served else { return }
        do {
            let value = try values.value(for: "a")
            if value != .int(served) {
                found.append("after \(step) \(value.map { "\($0)" } ?? "nothing") is served, not \(served)")
            }
        } catch {
            found.append("after \(step) nothing is served any more: \(error)")
        }
    }

    private static func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "none" }

    // MARK: - Afterwards

    /// The fault is gone: what was set is written, by the next flush or, where setting failed, by setting it anew.
    private mutating func mend(_ values: any PreferenceStore, _ url: URL) {
        do {
            try values.flush()
            if store.isCoalescing, let served, served > 0 {
                let number = PlainContents(of: url).numbers?["a"]
                if number != served {
                    found.append("the fault is gone, and \(served) was not written, but \(Self.text(number))")
                }
                acknowledge(served)
            }
            try values.apply(Self.batch(3))
            try values.flush()
            served = 3
            acknowledge(3)
            look(at: url, values, after: "mending")
        } catch {
            found.append("the fault is gone, and the store still fails: \(error)")
        }
    }

    /// The user's bytes are under the name that was told.
    private mutating func findDamage(_ url: URL, _ told: ToldProblems?) {
        guard let path = told?.asidePath else {
            found.append("a damaged file was replaced, and no problem says where it is: \(told?.all ?? [])")
            return
        }
        if FileEvidence(at: path) != .bytes(CallScenario.damage) {
            found.append("other bytes than the damaged are in \(path)")
        }
    }

    private mutating func lookForRest(beside url: URL) throws {
        let leftovers = try Leftovers.count(in: url.deletingLastPathComponent())
        if leftovers > 0 { found.append("\(leftovers) temporary files are left") }
    }
}
