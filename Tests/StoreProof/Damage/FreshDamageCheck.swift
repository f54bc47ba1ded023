import Foundation
import PreferencesRuntime

/// The check of a file that was incompletely written just now. A store must wait, because an editor may be writing it.
struct FreshDamageCheck {
    let store: ProvenStore

    func run(in folder: URL) throws -> [String] {
        let url = folder.appending(component: store.fileName)
        let half = Data(#"{"city": "Os"#.utf8)
        var found: [String] = []
        let values = store.open(url, isExclusive: true)
        let problems = ReportedProblems(of: values)
        // Repeated, because on a busy machine an attempt may take longer than half a second.
        var isLeftAlone = false
        for _ in 0..<20 where !isLeftAlone {
            try half.write(to: url)
            isLeftAlone = fails(values, &found) && FileSnapshot(at: url.path) == .bytes(half)
        }
        if !isLeftAlone { found.append("a file that was just changed is replaced") }
        if store.isCoalescing, try values.value(for: "new") != 1 { found.append("the set value is not returned") }
        FileAge.makeOld(url)
        try values.commit(["new": .set(1)])
        try values.flush()
        if try store.plainContents(of: url).numbers?["new"] != 1 {
            found.append("what was set is not in the file, after ten seconds")
        }
        guard let path = problems.asidePath else { return found + ["no problem reports the path of the damaged file"] }
        if FileSnapshot(at: path) != .bytes(half) {
            found.append("the bytes differ from the damaged file's in \(path)")
        }
        return found
    }

    private func fails(_ values: any PreferenceStore, _ found: inout [String]) -> Bool {
        do {
            try values.commit(["new": .set(1)])
            try values.flush()
            return false
        } catch let problem as PreferenceProblem {
            if problem.code != .storeMalformed { found.append("unexpected problem: \(problem)") }
            return true
        } catch {
            found.append("the error is not a problem: \(error)")
            return true
        }
    }
}
