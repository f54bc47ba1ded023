import Foundation
import PreferencesRuntime

extension CallCheck {
    /// Looks at the file, past the calls that fail, and asks the store, which may have to make some.
    ///
    /// - Parameter values: The store, as long as it is there.
    mutating func look(at url: URL, _ values: (any PreferenceStore)?, after step: String) throws {
        switch try layer.unhindered({ try store.plainContents(of: url) }) {
        case .missing:
            // A damaged one may have been set aside already.
            if scenario.hasContents || (scenario == .damaged && !isEvidenceKept(beside: url)) {
                found.append("after \(step) the file is gone")
            } else if scenario == .first, !possible.contains(nil) {
                found.append("after \(step) there is no file")
            }
        case .unreadable(let why):
            if scenario != .damaged || layer.unhindered({ FileEvidence(at: url.path) }) != evidence {
                found.append("after \(step): \(why)")
            }
        case .entries(let entries):
            judge(entries.compactMapValues { ($0 as? NSNumber)?.int64Value }, after: step)
            if scenario.hasContents, store.keepsAttributes { try lookAtAttributes(of: url, after: step) }
        }
        if let values { ask(values, after: step) }
    }

    private mutating func judge(_ numbers: [String: Int64], after step: String) {
        let group = Self.group.map { numbers[$0] }
        if Set(group).count > 1 { found.append("after \(step) a batch is not whole: \(group.map(Self.text))") }
        // Of a database, what was before the damage may have been saved.
        let isSaved = scenario == .damaged && store.isDatabase && group[0] == 0
        if !possible.contains(group[0]), !isSaved {
            let expected = possible.map(Self.text).sorted().joined(separator: " or ")
            found.append("after \(step) there is \(Self.text(group[0])), not \(expected)")
        }
        if scenario.hasContents, numbers["kept"] != 7 { found.append("after \(step) another entry is gone") }
    }

    private mutating func lookAtAttributes(of url: URL, after step: String) throws {
        let now = layer.unhindered { FileAttributes(of: url.path) }
        guard let attributes, now != attributes else { return }
        if let fault, try fault.hasDeniedAttributes(in: layer.journal()), now.areDenied(of: attributes) { return }
        found.append("after \(step) the file has other permissions or attributes")
    }

    private mutating func ask(_ values: any PreferenceStore, after step: String) {
        if let preferences, preferences.kept != 7 {
            found.append("after \(step) preferences do not give any more what they have read")
        }
        guard let served else { return }
        do {
            let value = try values.value(for: "a")
            if value == .int(served) || (store.isDatabase && isUncertain(value)) { return }
            found.append("after \(step) \(value.map { "\($0)" } ?? "nothing") is served, not \(served)")
        } catch is PreferenceProblem where store.isDatabase {
            // Which is read each time: `Preferences` remember what they have read.
        } catch {
            found.append("after \(step) nothing is served any more: \(error)")
        }
    }

    /// Whether a value is one that may be in the file.
    private func isUncertain(_ value: PreferenceValue?) -> Bool {
        possible.contains { $0.map { .int($0) } == value }
    }

    private func isEvidenceKept(beside url: URL) -> Bool {
        layer.unhindered {
            let folder = url.deletingLastPathComponent()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.contains { FileEvidence(at: folder.appending(component: $0).path) == evidence }
        }
    }

    /// The user's bytes are under the name that was told.
    mutating func findDamage(_ told: ToldProblems?) {
        guard let path = told?.asidePath else {
            found.append("a damaged file was replaced, and no problem says where it is: \(told?.all ?? [])")
            return
        }
        if FileEvidence(at: path) != evidence { found.append("other bytes than the damaged are in \(path)") }
    }

    /// What could be read of a damaged database, and was not set since, is in the new one.
    mutating func findRows(in url: URL) throws {
        let now = try layer.unhindered { try PlainDatabase.rows(of: url) }
        let lost = rows.filter { !Self.group.contains($0.key) && now[$0.key] != $0.value }
        if !lost.isEmpty { found.append("rows that can be read are not in the new database: \(lost.keys.sorted())") }
    }

    /// What cannot be read for a while is not damaged.
    mutating func findNothingSetAside(beside url: URL) {
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        guard let name = names?.first(where: { $0.contains(".corrupt-") }) else { return }
        found.append("a sound file was set aside as \(name)")
    }

    private static func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "none" }
}
