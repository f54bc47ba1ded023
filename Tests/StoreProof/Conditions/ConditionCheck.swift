import PreferencesSystem
import Foundation
import PreferencesRuntime

/// Uses a store while something keeps it from its file, and after.
struct ConditionCheck {
    let store: ProvenStore
    let condition: any StoreCondition

    func run(in folder: URL) throws -> [String] {
        defer { condition.clear(folder) }
        let url = try condition.prepare(folder).appending(component: store.fileName)
        // With times as they are by default: what was set is to be written by itself.
        let values = store.open(url)
        let told = ToldProblems(of: values)
        try values.commit(["kept": .set(7), "a": .set(1)])
        try values.flush()
        let preferences = Preferences(store: values)
        var found = serve(preferences, a: 1)
        try condition.begin(url)
        found += try use(values, preferences, told, url)
        try condition.end(url)
        return try found + mend(values, url)
    }

    /// With a value that no spare room is enough for.
    private static let large = PreferenceEdit.set(.string(String(repeating: "x", count: 20_000)))

    private func use(
        _ values: any PreferenceStore,
        _ preferences: Preferences,
        _ told: ToldProblems,
        _ url: URL
    ) throws -> [String] {
        var found: [String] = []
        let old = FileEvidence(at: url.path)
        let didSet = succeeds("setting", &found) {
            try values.commit(store.hasOnlyNumbers ? ["a": .set(2)] : ["a": .set(2), "large": Self.large])
        }
        let isWritten = succeeds("flushing", &found) { try values.flush() } && didSet
        if isWritten != condition.isHarmless(to: store) {
            found.append(isWritten ? "it was written all the same" : "it was not written")
        }
        if store.isCoalescing, !didSet { found.append("setting fails, though nothing is to be written yet") }
        if !condition.isHarmless(to: store), !store.isDatabase, FileEvidence(at: url.path) != old {
            found.append("writing failed, and the file is another")
        }
        let a: Int64 = didSet ? 2 : 1
        found += try serve(values, ["kept": 7, "a": .int(a)]) + serve(preferences, a: a)
        if store.isCoalescing, !condition.isHarmless(to: store), !told.wait(atMost: 20) {
            found.append("no problem says that it is not written")
        }
        return found
    }

    private func serve(_ preferences: Preferences, a: Int64) -> [String] {
        if preferences.kept == 7, preferences.a == a { return [] }
        return ["preferences give \(preferences.kept) and \(preferences.a), not 7 and \(a), as was read before or set"]
    }

    private func serve(_ values: any PreferenceStore, _ expected: [String: PreferenceValue]) throws -> [String] {
        do {
            let lost = try expected.filter { try values.value(for: $0.key) != $0.value }
            return lost.isEmpty ? [] : ["what was there before, or was set, is not served: \(lost.keys.sorted())"]
        } catch is PreferenceProblem where store.isDatabase {
            // Which is read each time: `Preferences` remember what they have read.
            return []
        }
    }

    /// Runs a body that may throw a problem, and nothing else.
    private func succeeds(_ step: String, _ found: inout [String], _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch is PreferenceProblem {
            return false
        } catch {
            found.append("\(step) gives an error that is no problem: \(error)")
            return false
        }
    }

    /// The fault is gone: what is served is written by itself, what was refused can be set.
    private func mend(_ values: any PreferenceStore, _ url: URL) throws -> [String] {
        var found: [String] = []
        if !store.isCoalescing { try values.commit(["a": .set(2)]) }
        // What is in the file itself counts, whatever the store says.
        let changes = DispatchSemaphore(value: 0)
        let watcher = FileWatcher(path: url.path)
        watcher.startOrStop(isNeeded: { true }) { _ in changes.signal() }
        let deadline = DispatchTime.now() + 70
        while try store.plainContents(of: url).numbers?["a"] != 2, changes.wait(timeout: deadline) == .success {}
        let numbers = try store.plainContents(of: url).numbers
        if numbers?["a"] != 2 { found.append("the fault is gone, and what was set is not written") }
        if numbers?["kept"] != 7 { found.append("the fault is gone, and something is lost") }
        return found
    }
}
