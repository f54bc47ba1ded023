import Foundation
import PreferencesRuntime

/// What must hold of a file that was half written just now: an editor may be at it, so it is left alone for a while.
struct FreshDamageCheck {
    let store: ProvenStore

    func run(in folder: URL) throws -> [String] {
        let url = folder.appending(component: store.fileName)
        let half = Data(#"{"city": "Os"#.utf8)
        var found: [String] = []
        let values = store.open(url, isAlone: true)
        let told = ToldProblems(of: values)
        // The clock says when it was written: a busy machine may take longer than half a second to try.
        var isLeftAlone = false
        for _ in 0..<20 where !isLeftAlone {
            try half.write(to: url)
            isLeftAlone = fails(values, &found) && FileEvidence(at: url.path) == .bytes(half)
        }
        if !isLeftAlone { found.append("a file that was changed just now is not left alone") }
        if store.isCoalescing, try values.value(for: "new") != 1 { found.append("what was set is not served") }
        FileAge.makeOld(url)
        try values.commit(["new": .set(1)])
        try values.flush()
        if try store.plainContents(of: url).numbers?["new"] != 1 {
            found.append("what was set is not in the file, an age later")
        }
        guard let path = told.asidePath else { return found + ["no problem says where the damaged file is"] }
        if FileEvidence(at: path) != .bytes(half) { found.append("other bytes than the damaged are in \(path)") }
        return found
    }

    private func fails(_ values: any PreferenceStore, _ found: inout [String]) -> Bool {
        do {
            try values.commit(["new": .set(1)])
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
