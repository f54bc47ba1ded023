import Foundation
import PreferencesRuntime
import TestSupport

/// What must hold when a store meets a damaged file.
struct DamageCheck {
    enum Writer: String {
        case knowing = "written by a store that has read it before"
        case new = "written by a new store"
        /// SQLite has pages of an open database in memory, and does not see them change in the file.
        case alone = "met by no store but a new one"
    }

    let store: ProvenStore
    let format: FileStore.Format
    let good: Data
    let writer: Writer
    /// Whether what is written is made of what is kept.
    let updates: Bool

    private static let name = "proof:new"

    func run(_ damage: Damage, in folder: URL) throws -> [String] {
        let url = folder.appending(component: store.fileName)
        try good.write(to: url)
        FileAge.makeOld(url)
        var knowing: (any PreferenceStore)? = writer == .alone ? nil : store.open(url, isAlone: true, format: format)
        if let knowing, try knowing.value(for: SampleEntries.kept.name) != SampleEntries.kept.value {
            return ["the good file is not read"]
        }
        // One that watches would see that there is nothing, where that is so for a moment, and hold on to that.
        var told = damage.leavesGap ? nil : knowing.map(ToldProblems.init)
        try damage.inflict(url, good)
        FileAge.makeOld(url)
        let evidence = FileEvidence(at: url.path)
        let doesParse = try isParsed(evidence, at: url)

        var found: [String] = []
        let (names, problem) = try readAll(url, &found)
        if problem == nil, !doesParse { found.append("a file that does not parse is read as one that does") }
        if let knowing { found += serve(knowing, isReadable: problem == nil && doesParse) }
        if writer != .knowing {
            told = nil
            knowing = nil
        }
        let values = knowing ?? store.open(url, isAlone: true, format: format)
        let listening = told ?? ToldProblems(of: values)
        let reading = Reading(
            url: url,
            evidence: evidence,
            names: names,
            isMalformed: problem?.code == .storeMalformed || !doesParse,
            isDamagedDatabase: store.isDatabase && !doesParse && !evidence.isText,
            rows: store.isDatabase && !doesParse ? try readableRows(evidence, at: url) : [:]
        )
        found += try write(values, listening, reading)
        return found
    }

    /// Whether something that knows nothing of the store finds entries in a file. Of what is none nothing can be said.
    private func isParsed(_ evidence: FileEvidence, at url: URL) throws -> Bool {
        guard case .bytes(let bytes) = evidence else { return true }
        if bytes.isEmpty { return false }
        guard case .entries = try store.plainContents(of: url) else { return false }
        return true
    }

    /// What is to be saved of a damaged database: all where nothing but its header is damaged.
    private func readableRows(_ evidence: FileEvidence, at url: URL) throws -> [String: [String]] {
        let headerLength = 100
        guard case .bytes(let bytes) = evidence, bytes.count == good.count,
            bytes.dropFirst(headerLength) == good.dropFirst(headerLength)
        else { return try PlainDatabase.rows(of: url) }
        return try withTemporaryDirectory { folder in
            let sound = folder.appending(component: "sound")
            try good.write(to: sound)
            return try PlainDatabase.rows(of: sound)
        }
    }

    /// What there was before the store writes.
    private struct Reading {
        let url: URL
        let evidence: FileEvidence
        let names: Set<String>
        let isMalformed: Bool
        /// Whether it is a damaged database, which makes room for another when something is set.
        let isDamagedDatabase: Bool
        /// Of a damaged database, the rows that can be read.
        let rows: [String: [String]]
    }

    /// Has a store that knows nothing read all there is.
    private func readAll(_ url: URL, _ found: inout [String]) throws -> (Set<String>, PreferenceProblem?) {
        let values = store.openAnew(url, isAlone: true, format: format)
        do {
            let names = try values.names()
            for name in names {
                do {
                    _ = try values.value(for: name)
                } catch is PreferenceProblem {
                    // Of this one value, which stays as it is.
                } catch {
                    found.append("reading '\(name)' gives an error that is no problem: \(error)")
                }
            }
            return (names, nil)
        } catch let problem as PreferenceProblem {
            return ([], problem)
        }
    }

    private func serve(_ values: any PreferenceStore, isReadable: Bool) -> [String] {
        do {
            let value = try values.value(for: SampleEntries.kept.name)
            if isReadable || value == SampleEntries.kept.value { return [] }
            return ["what was read before is not served any more, but \(value.map { "\($0)" } ?? "nothing")"]
        } catch is PreferenceProblem where isReadable {
            return []
        } catch {
            return ["what was read before is not served any more: \(error)"]
        }
    }

    private func write(_ values: any PreferenceStore, _ told: ToldProblems, _ reading: Reading) throws -> [String] {
        var given: [String: PreferenceValue?] = [:]
        do {
            if updates {
                try values.commit { current in
                    for name in SampleEntries.all(onlyNumbers: store.hasOnlyNumbers).keys {
                        do {
                            given[name] = .some(try current(name))
                        } catch let problem as PreferenceProblem where problem.code == .unsupportedValue {
                            // This one cannot be read, and stays as it is.
                        }
                    }
                    return [Self.name: .set(1)]
                }
            } else {
                try values.commit([Self.name: .set(1)])
            }
            try values.flush()
        } catch let problem as PreferenceProblem {
            var found: [String] = []
            if reading.isDamagedDatabase {
                found.append("a damaged database is not set aside: \(problem)")
            }
            if FileEvidence(at: reading.url.path) != reading.evidence {
                found.append("writing failed, and what was there is another")
            }
            return try found + mend(values, reading.url)
        } catch {
            return ["writing gives an error that is no problem: \(error)"]
        }
        return try judge(reading, told, given)
    }

    /// What must hold where the store has written.
    ///
    /// - Parameter given: What the closure of an update was given.
    private func judge(
        _ reading: Reading,
        _ told: ToldProblems,
        _ given: [String: PreferenceValue?]
    ) throws -> [String] {
        var found: [String] = []
        let fresh = store.openAnew(reading.url, isAlone: true, format: format)
        if try fresh.value(for: Self.name) != 1 { found.append("a new store does not read what was set") }
        let contents = try store.plainContents(of: reading.url)
        guard case .entries(let entries) = contents else { return ["what was written cannot be read: \(contents)"] }
        if contents.numbers?[Self.name] != 1 { found.append("what was set is not in the file") }
        let others = given.filter { name, value in
            switch (value, try? fresh.value(for: name)) {
            case (nil, nil): false
            case (let value?, let kept?): !kept.isIdentical(to: value)
            default: true
            }
        }
        if !others.isEmpty { found.append("an update was given something else than is kept: \(others.keys.sorted())") }
        if reading.isDamagedDatabase { found += try findRows(reading) }
        if reading.isMalformed || (store.isDatabase && told.asidePath != nil) {
            guard let path = told.asidePath else {
                return found + ["a damaged file was replaced, and no problem says where it is: \(told.all)"]
            }
            if FileEvidence(at: path) != reading.evidence {
                found.append("other bytes than the damaged are in \(path)")
            }
            if writer == .knowing { found += try findWhatWasRead(in: fresh) }
        } else {
            let lost = reading.names.subtracting(entries.keys)
            if !lost.isEmpty { found.append("entries that could be read are gone: \(lost.sorted())") }
        }
        return found
    }

    /// What could be read of a damaged database is in the one that has taken its place.
    private func findRows(_ reading: Reading) throws -> [String] {
        let rows = try PlainDatabase.rows(of: reading.url)
        let lost = reading.rows.filter { $0.key != Self.name && rows[$0.key] != $0.value }
        return lost.isEmpty ? [] : ["rows that can be read are not in the new database: \(lost.keys.sorted())"]
    }

    /// What the store had read before the file was damaged is in the one that has taken its place.
    private func findWhatWasRead(in fresh: any PreferenceStore) throws -> [String] {
        let lost = try SampleEntries.all(onlyNumbers: store.hasOnlyNumbers).filter {
            try fresh.value(for: $0.key)?.isIdentical(to: $0.value) != true
        }
        return lost.isEmpty ? [] : ["what had been read is not in the new file: \(lost.keys.sorted())"]
    }

    /// Puts the good file back: what was set is to get there.
    private func mend(_ values: any PreferenceStore, _ url: URL) throws -> [String] {
        var found: [String] = []
        // An update is made at once, or not at all.
        let isServed = store.isCoalescing && !updates
        if isServed, try values.value(for: Self.name) != 1 { found.append("what was set is not served") }
        if FileEvidence(at: url.path) != .nothing { try FileManager.default.removeItem(at: url) }
        try good.write(to: url)
        if !isServed { try values.commit([Self.name: .set(1)]) }
        try values.flush()
        let numbers = try store.plainContents(of: url).numbers
        if numbers?[Self.name] != 1 { found.append("the file is good again, and what was set is not in it") }
        if numbers?[SampleEntries.kept.name] == nil { found.append("the file is good again, and lost something") }
        return found
    }
}
