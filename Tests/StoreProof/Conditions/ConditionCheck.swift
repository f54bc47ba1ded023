import Foundation
import PreferencesRuntime
import PreferencesSystem

/// Real conditions of disks and processes, without simulated system calls.
struct ConditionCases {
    private let store: ProvenStore

    init(_ store: ProvenStore) {
        self.store = store
    }

    var all: [ProofCase] {
        let all: [(String, any StoreCondition)] = [
            (FullDisk.name, FullDisk()),
            ("no more file descriptors", NoFileDescriptors()),
            ("a folder that may not be written", DeniedPermission(.folder)),
            ("a file that may not be read", DeniedPermission(.file)),
            ("a file that may only be read", DeniedPermission(.writing)),
        ]
        let cases = all.map { name, condition in
            ProofCase(group: name, name: geteuid() == 0 ? "as the user nobody" : "as this user") {
                folder in
                try ConditionCheck(store: store, condition: condition).run(in: folder)
            }
        }
        guard store == .fileCoalesced else { return cases }
        return cases
            + MissingHomeCheck.Environment.allCases.map { environment in
                ProofCase(group: "no folder for configuration", name: environment.rawValue) { folder in
                    try MissingHomeCheck(environment: environment).run(in: folder)
                }
            }
    }
}

/// Checks a store while a condition prevents access to its file, and afterwards.
struct ConditionCheck {
    let store: ProvenStore
    let condition: any StoreCondition

    func run(in folder: URL) throws -> [String] {
        defer { condition.cleanUp(folder) }
        let url = try condition.prepare(folder).appending(component: store.fileName)
        // With the default delays, because the store must write without being flushed.
        let values = store.open(url)
        let problems = ReportedProblems(of: values)
        try values.commit(["kept": .set(7), "a": .set(1)])
        try values.flush()
        let preferences = Preferences(store: values)
        var found = serve(preferences, a: 1)
        try condition.begin(url)
        found += try use(values, preferences, problems, url)
        try condition.end(url)
        return try found + repair(values, url)
    }

    /// A value that exceeds the free space.
    private static let large = PreferenceEdit.set(.string(String(repeating: "x", count: 20_000)))

    private func use(
        _ values: any PreferenceStore,
        _ preferences: Preferences,
        _ problems: ReportedProblems,
        _ url: URL
    ) throws -> [String] {
        var found: [String] = []
        let old = FileSnapshot(at: url.path)
        let didSet = succeeds("setting", &found) {
            try values.commit(store.storesOnlyNumbers ? ["a": .set(2)] : ["a": .set(2), "large": Self.large])
        }
        let isWritten = succeeds("flushing", &found) { try values.flush() } && didSet
        if isWritten != condition.isHarmless(to: store) {
            found.append(isWritten ? "it was written nevertheless" : "it was not written")
        }
        if store.isCoalescing, !didSet { found.append("setting fails, though nothing is to be written yet") }
        if !condition.isHarmless(to: store), !store.isDatabase, FileSnapshot(at: url.path) != old {
            found.append("writing failed, but the file has changed")
        }
        let a: Int64 = didSet ? 2 : 1
        found += try serve(values, ["kept": 7, "a": .int(a)]) + serve(preferences, a: a)
        if store.isCoalescing, !condition.isHarmless(to: store), !problems.wait(timeout: 20) {
            found.append("no problem reports that it is not written")
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
            return lost.isEmpty ? [] : ["earlier or set values are not returned: \(lost.keys.sorted())"]
        } catch is PreferenceProblem where store.isDatabase {
            // A database is read each time, and `Preferences` cache its values.
            return []
        }
    }

    /// Calls a closure that may throw only a problem.
    private func succeeds(_ step: String, _ found: inout [String], _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch is PreferenceProblem {
            return false
        } catch {
            found.append("\(step) throws an error that is not a problem: \(error)")
            return false
        }
    }

    /// Checks that the store writes pending changes by itself after the fault, and accepts refused ones.
    private func repair(_ values: any PreferenceStore, _ url: URL) throws -> [String] {
        var found: [String] = []
        if !store.isCoalescing { try values.commit(["a": .set(2)]) }
        // The file's contents count, not what the store reports.
        let changes = DispatchSemaphore(value: 0)
        let watcher = FileWatcher(path: url.path)
        watcher.startOrStop(isNeeded: { true }) { _ in changes.signal() }
        let deadline = DispatchTime.now() + 70
        while try store.plainContents(of: url).numbers?["a"] != 2, changes.wait(timeout: deadline) == .success {}
        let numbers = try store.plainContents(of: url).numbers
        if numbers?["a"] != 2 { found.append("the fault has ended, but what was set is not written") }
        if numbers?["kept"] != 7 { found.append("the fault has ended, but something is lost") }
        return found
    }
}

/// Checks the default store if the user's configuration folder is missing or invalid.
struct MissingHomeCheck {
    enum Environment: String, CaseIterable {
        case relative = "XDG_CONFIG_HOME is a relative path"
        case missing = "HOME is missing, and the user's folder cannot be made"
    }

    let environment: Environment

    func run(in folder: URL) throws -> [String] {
        try User.becomeOrdinary(owning: folder)
        setenv("XDG_CONFIG_HOME", "config", 1)
        let closed = folder.appending(component: "closed", directoryHint: .isDirectory)
        switch environment {
        case .relative: setenv("HOME", folder.path, 1)
        case .missing:
            unsetenv("HOME")
            try FileManager.default.createDirectory(
                at: closed,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o500]
            )
            // Replaces the home folder in the system's user database.
            try FaultLayer().setHome(closed.appending(component: "home"))
        }
        let values = FileStore.default
        let problems = ReportedProblems(of: values)
        try values.apply(["a": .set(1)])
        var found: [String] = []
        if try values.value(for: "a") != 1 { found.append("the set value is not returned") }
        switch environment {
        case .relative: break
        case .missing:
            do {
                try values.flush()
                found.append("a folder was made where there is none: \(values.label)")
            } catch let problem as PreferenceProblem {
                if problem.code != .storeUnwritable { found.append("unexpected problem: \(problem)") }
            }
            guard chmod(closed.path, 0o700) == 0 else { throw SystemFailure(code: errno) }
        }
        try values.flush()
        let home = environment == .relative ? folder : closed.appending(component: "home")
        if !values.label.hasPrefix(home.appending(component: ".config").path) {
            found.append("the file is in another folder: \(values.label)")
        }
        if PlainContents(of: URL(filePath: values.label)).numbers != ["a": 1] {
            found.append("what was set is not in the file")
        }
        if FileManager.default.fileExists(atPath: "config") {
            found.append("there is a folder named by a relative path")
        }
        withExtendedLifetime(problems) {}
        return found
    }
}
