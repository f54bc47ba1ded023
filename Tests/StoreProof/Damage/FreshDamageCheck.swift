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
        if !isLeftAlone { found.append("a file that was changed just now is not left alone") }
        if store.isCoalescing, try values.value(for: "new") != 1 { found.append("what was set is not served") }
        FileAge.makeOld(url)
        try values.apply(["new": .set(1)])
        try values.flush()
        if try store.plainContents(of: url).numbers?["new"] != 1 {
            found.append("what was set is not in the file, an age later")
        }
        guard let path = problems.asidePath else { return found + ["no problem says where the damaged file is"] }
        if FileSnapshot(at: path) != .bytes(half) { found.append("other bytes than the damaged are in \(path)") }
        return found
    }

    private func fails(_ values: any PreferenceStore, _ found: inout [String]) -> Bool {
        do {
            try values.apply(["new": .set(1)])
            try values.flush()
            return false
        } catch let problem as PreferenceProblem {
            if problem.code != .storeMalformed { found.append("the problem is another: \(problem)") }
            return true
        } catch {
            found.append("the error is no problem: \(error)")
            return true
        }
    }
}
