import Foundation
import PreferencesRuntime
import TestSupport

/// The check of a store with a damaged file.
struct DamageCheck {
    enum Writer: String {
        case reader = "written by a store that has read it before"
        case new = "written by a new store"
        /// SQLite caches pages of an open database, and does not notice that they change in the file.
        case noReader = "met by no store but a new one"
    }

    let store: ProvenStore
    let format: FileStore.Format
    let good: Data
    let writer: Writer
    /// Whether the store writes with an update.
    let updates: Bool

    private static let name = "proof:new"

    func run(_ damage: Damage, in folder: URL) throws -> [String] {
        let url = folder.appending(component: store.fileName)
        try good.write(to: url)
        FileAge.makeOld(url)
        var reader: (any PreferenceStore)? =
            writer == .noReader ? nil : store.open(url, isExclusive: true, format: format)
        if let reader, try reader.value(for: SampleEntries.kept.name) != SampleEntries.kept.value {
            return ["the good file is not read"]
        }
        // A store that watches the file would notice that it is missing for a moment.
        var problems = damage.leavesGap ? nil : reader.map(ReportedProblems.init)
        try damage.inflict(url, good)
        FileAge.makeOld(url)
        let snapshot = FileSnapshot(at: url.path)
        let isValid = try isParsable(snapshot, at: url)

        var found: [String] = []
        let (names, problem) = try readAll(url, &found)
        if problem == nil, !isValid { found.append("a file that does not parse is read as a valid one") }
        if let reader { found += serve(reader, isReadable: problem == nil && isValid) }
        if writer != .reader {
            problems = nil
            reader = nil
        }
        let values = reader ?? store.open(url, isExclusive: true, format: format)
        let listening = problems ?? ReportedProblems(of: values)
        let reading = Reading(
            url: url,
            snapshot: snapshot,
            names: names,
            isMalformed: problem?.code == .storeMalformed || !isValid,
            isDamagedDatabase: store.isDatabase && !isValid && !snapshot.isText,
            rows: store.isDatabase && !isValid ? try readableRows(snapshot, at: url) : [:]
        )
        found += try write(values, listening, reading)
        return found
    }

    /// Whether an independent parser reads the file. True for other things than files.
    private func isParsable(_ snapshot: FileSnapshot, at url: URL) throws -> Bool {
        guard case .bytes(let bytes) = snapshot else { return true }
        if bytes.isEmpty { return false }
        guard case .entries = try store.plainContents(of: url) else { return false }
        return true
    }

    /// The rows to recover from a damaged database: all of them if only its header is damaged.
    private func readableRows(_ snapshot: FileSnapshot, at url: URL) throws -> [String: [String]] {
        let headerLength = 100
        guard case .bytes(let bytes) = snapshot, bytes.count == good.count,
            bytes.dropFirst(headerLength) == good.dropFirst(headerLength)
        else { return try PlainDatabase.rows(of: url) }
        return try withTemporaryDirectory { folder in
            let sound = folder.appending(component: "sound")
            try good.write(to: sound)
            return try PlainDatabase.rows(of: sound)
        }
    }

    /// The state before the store writes.
    private struct Reading {
        let url: URL
        let snapshot: FileSnapshot
        let names: Set<String>
        let isMalformed: Bool
        /// Whether the file is a damaged database, which the store replaces when a value is set.
        let isDamagedDatabase: Bool
        /// The readable rows of a damaged database.
        let rows: [String: [String]]
    }

    /// Reads all values with a new store.
    private func readAll(_ url: URL, _ found: inout [String]) throws -> (Set<String>, PreferenceProblem?) {
        let values = store.openIndependently(url, isExclusive: true, format: format)
        do {
            let names = try values.names()
            for name in names {
                do {
                    _ = try values.value(for: name)
                } catch is PreferenceProblem {
                    // Only this value is unreadable, and it stays unchanged.
                } catch {
                    found.append("reading '\(name)' throws an error that is not a problem: \(error)")
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
            return ["the earlier value is no longer returned, but \(value.map { "\($0)" } ?? "nothing")"]
        } catch is PreferenceProblem where isReadable {
            return []
        } catch {
            return ["the earlier value is no longer returned: \(error)"]
        }
    }

    private func write(_ values: any PreferenceStore, _ problems: ReportedProblems, _ reading: Reading) throws
        -> [String]
    {
        var given: [String: PreferenceValue?] = [:]
        do {
            if updates {
                try values.commit { current in
                    for name in SampleEntries.all(onlyNumbers: store.storesOnlyNumbers).keys {
                        do {
                            given[name] = .some(try current(name))
                        } catch let problem as PreferenceProblem where problem.code == .unsupportedValue {
                            // Only this value is unreadable, and it stays unchanged.
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
                found.append("a damaged database is not moved: \(problem)")
            }
            if FileSnapshot(at: reading.url.path) != reading.snapshot {
                found.append("writing failed, but the file has changed")
            }
            return try found + repair(values, reading.url)
        } catch {
            return ["writing throws an error that is not a problem: \(error)"]
        }
        return try judge(reading, problems, given)
    }

    /// Checks the file after the store has written it.
    ///
    /// - Parameter given: The values that the closure of an update read.
    private func judge(
        _ reading: Reading,
        _ problems: ReportedProblems,
        _ given: [String: PreferenceValue?]
    ) throws -> [String] {
        var found: [String] = []
        let fresh = store.openIndependently(reading.url, isExclusive: true, format: format)
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
        if !others.isEmpty { found.append("an update read other values than stored: \(others.keys.sorted())") }
        if reading.isDamagedDatabase { found += try findRows(reading) }
        if reading.isMalformed || (store.isDatabase && problems.asidePath != nil) {
            guard let path = problems.asidePath else {
                return found + ["a damaged file was replaced, and no problem reports its path: \(problems.all)"]
            }
            if FileSnapshot(at: path) != reading.snapshot {
                found.append("the bytes differ from the damaged file's in \(path)")
            }
            if writer == .reader { found += try findWhatWasRead(in: fresh) }
        } else {
            let lost = reading.names.subtracting(entries.keys)
            if !lost.isEmpty { found.append("entries that could be read are gone: \(lost.sorted())") }
        }
        return found
    }

    /// Checks that the new database contains the readable rows of the damaged one.
    private func findRows(_ reading: Reading) throws -> [String] {
        let rows = try PlainDatabase.rows(of: reading.url)
        let lost = reading.rows.filter { $0.key != Self.name && rows[$0.key] != $0.value }
        return lost.isEmpty ? [] : ["rows that can be read are not in the new database: \(lost.keys.sorted())"]
    }

    /// Checks that the new file contains what the store had read before the damage.
    private func findWhatWasRead(in fresh: any PreferenceStore) throws -> [String] {
        let lost = try SampleEntries.all(onlyNumbers: store.storesOnlyNumbers).filter {
            try fresh.value(for: $0.key)?.isIdentical(to: $0.value) != true
        }
        return lost.isEmpty ? [] : ["what had been read is not in the new file: \(lost.keys.sorted())"]
    }

    /// Restores the intact file, and checks that the store writes its change to it.
    private func repair(_ values: any PreferenceStore, _ url: URL) throws -> [String] {
        var found: [String] = []
        // An update is applied immediately or fails.
        let isServed = store.isCoalescing && !updates
        if isServed, try values.value(for: Self.name) != 1 { found.append("the set value is not returned") }
        if FileSnapshot(at: url.path) != .nothing { try FileManager.default.removeItem(at: url) }
        try good.write(to: url)
        if !isServed { try values.commit([Self.name: .set(1)]) }
        try values.flush()
        let numbers = try store.plainContents(of: url).numbers
        if numbers?[Self.name] != 1 { found.append("the file is intact again, but what was set is not in it") }
        if numbers?[SampleEntries.kept.name] == nil { found.append("the file is intact again, but lost something") }
        return found
    }
}
