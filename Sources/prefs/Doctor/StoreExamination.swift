import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRemote
import PreferencesRuntime
import PreferencesSQLite
import PreferencesSchema
import PreferencesSystem

/// An examination of stores, one by one.
struct StoreExamination {
    /// Whether to remove what is certainly stale, and to repair permissions.
    let fixes: Bool
    /// The keys; nil without a schema.
    let catalogue: PreferenceCatalogue?

    /// Returns a report about each store that the store of secrets consists of.
    func reports(about secrets: SecretStore) -> [StoreReport] {
        // A service that does not answer is called once.
        guard let problem = secrets.problem else { return reports(about: secrets.store, isSecret: true) }
        guard secrets.isMissing else { return [Self.report(about: problem)] }
        // The app may have another store of secrets.
        let advice = "or specify the store of secrets with '--secrets STORE'"
        let finding = Finding(.remark, at: problem.store, problem.reason, do: advice)
        return [StoreReport(label: problem.store, findings: [finding])]
    }

    /// Returns a report about each store that a store consists of.
    ///
    /// - Parameters:
    ///   - isSecret: Whether it is the store of secrets.
    ///   - isReadOnly: Whether an adapter around the store refuses writes.
    func reports(
        about store: any PreferenceStore,
        isSecret: Bool = false,
        isReadOnly: Bool = false
    ) -> [StoreReport] {
        switch store {
        case let store as LayeredStore:
            store.layers.flatMap { reports(about: $0, isSecret: isSecret, isReadOnly: isReadOnly) }
        case let store as ReadOnlyStore: reports(about: store.base, isSecret: isSecret, isReadOnly: true)
        case let store as FileStore:
            [fileReport(store.label, store, isSecret: isSecret, isReadOnly: isReadOnly)]
        case let store as SQLiteStore: [databaseReport(store, isSecret: isSecret, isReadOnly: isReadOnly)]
        case let store as UserDefaultsStore: [defaultsReport(store, isSecret: isSecret)]
        case let store as EnvironmentStore: [environmentReport(store)]
        case let store as ManagedStore: [policyReport(store)]
        case let store as HTTPStore: [serverReport(store)]
        case let store as EtcdStore: [clusterReport(store)]
        case _ where store.isKeyring: [keyringReport(store, isSecret: isSecret)]
        case let store as any PreferenceStoreAdapter:
            reports(about: store.base, isSecret: isSecret, isReadOnly: isReadOnly)
        default: [StoreReport(label: store.label, findings: problems(of: store, at: store.label, isSecret: isSecret))]
        }
    }

    /// Returns what cannot be read of a store.
    ///
    /// - Parameters:
    ///   - place: The place of the findings.
    ///   - isSecret: Whether messages must not contain anything of the store.
    ///   - advice: What to do about damaged contents.
    private func problems(
        of store: any PreferenceStore,
        at place: String,
        isSecret: Bool,
        do advice: String = ""
    ) -> [Finding] {
        func text(of error: any Error) -> String {
            guard let problem = error as? PreferenceProblem else { return isSecret ? "\(type(of: error))" : "\(error)" }
            return isSecret && !problem.isMessagePublic ? "the reason may contain secrets" : problem.message
        }
        do {
            // Reloading a database would merge its log into it. A new store reads the database anyway.
            if !(store is SQLiteStore) { try store.reload() }
            var findings: [Finding] = []
            for name in try store.names().sorted() {
                do {
                    _ = try store.value(for: name)
                } catch {
                    let value = isSecret ? "a value" : "the value of '\(name)'"
                    var finding = Finding(
                        at: place,
                        "\(value) cannot be read: \(text(of: error))",
                        do: "set another value, or reset it"
                    )
                    finding.key = isSecret ? nil : name
                    findings.append(finding)
                }
            }
            return findings
        } catch {
            let problem = error as? PreferenceProblem
            let isDamaged = problem?.code == .storeMalformed && problem?.isOfForeignFile == false
            return [Finding(at: place, text(of: error), do: isDamaged ? advice : "")]
        }
    }

    // MARK: - Files

    private func fileReport(
        _ path: String,
        _ store: FileStore,
        isSecret: Bool,
        isReadOnly: Bool
    ) -> StoreReport {
        let file = ExaminedFile(path: path, isSecret: isSecret, isReadOnly: isReadOnly, fixes: fixes)
        let examination = FileExamination(file)
        var report = StoreReport(label: store.label, findings: examination.findings)
        if examination.isReadable {
            let aside = "\(path).broken".shellQuoted
            let advice = "repair it in an editor, or begin anew by 'mv \(path.shellQuoted) \(aside)'"
            report.findings.insert(contentsOf: problems(of: store, at: path, isSecret: isSecret, do: advice), at: 0)
        }
        if examination.isMissing { report.details.append("it does not exist yet") }
        return report
    }

    private func databaseReport(_ store: SQLiteStore, isSecret: Bool, isReadOnly: Bool) -> StoreReport {
        let file = ExaminedFile(
            path: store.label,
            isSecret: isSecret,
            isReadOnly: isReadOnly,
            isDatabase: true,
            endings: SQLiteStore.fileEndings,
            fixes: fixes
        )
        let examination = FileExamination(file)
        var report = StoreReport(label: store.label, findings: examination.findings)
        if examination.isMissing { report.details.append("it does not exist yet") }
        do throws(SQLiteUnavailableError) {
            report.details.append("SQLite \(try SQLiteStore.libraryVersion())")
        } catch {
            let advice = error.advice ?? "install SQLite again, 3.31 or later"
            report.findings.insert(Finding(at: store.label, error.fault, do: advice), at: 0)
            return report
        }
        do throws(SystemError) {
            // Before the database is opened, which may create these files.
            let (log, journal, users) = (try store.log(), try store.journal(), try store.users())
            // A transaction must be rolled back before the database can be read.
            let isInterrupted = journal != nil && users.isEmpty
            if examination.isReadable, !isInterrupted {
                let path = store.label
                let advice = "recover more of it by 'sqlite3 \(path.shellQuoted) .recover'"
                report.findings.insert(contentsOf: problems(of: store, at: path, isSecret: isSecret, do: advice), at: 0)
            }
            if let log, examination.isMissing {
                report.findings.append(
                    Finding(
                        at: log.path,
                        "is the log of a database that is missing",
                        do: "restore the database beside it; the next write sets it aside"
                    )
                )
            } else if let log, users.isEmpty {
                report.findings.append(
                    Finding(
                        .remark,
                        at: log.path,
                        "has changes of a program that has ended without merging them (\(log.size) bytes)",
                        do: "nothing is lost: the next program that writes merges them; copy both files together"
                    )
                )
            }
            if let journal, isInterrupted {
                report.findings.append(
                    Finding(
                        at: journal,
                        "is the journal of a transaction that a killed process has left",
                        do:
                            "keep it beside the database, and run 'sqlite3 \(store.label.shellQuoted) .schema' to roll "
                            + "the transaction back"
                    )
                )
            }
        } catch {
            // The path does not lead to a file, which the examination has found.
            if report.findings.isEmpty { report.findings.append(Finding(at: store.label, error)) }
        }
        return report
    }

    private func defaultsReport(_ store: UserDefaultsStore, isSecret: Bool) -> StoreReport {
        #if canImport(Darwin)
            return StoreReport(label: store.label, findings: problems(of: store, at: store.label, isSecret: isSecret))
        #else
            let variables = ProcessInfo.processInfo.environment
            let home = variables["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
            let folder = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
            let path = "\(folder)/\(store.domain).plist"
            let file = FileStore(path: path, format: .xmlPropertyList, damageHandling: .refuse)
            var report = fileReport(path, file, isSecret: isSecret, isReadOnly: false)
            report.details.insert(path, at: 0)
            if report.findings.isEmpty { report.findings = problems(of: store, at: store.label, isSecret: isSecret) }
            return StoreReport(label: store.label, findings: report.findings, details: report.details)
        #endif
    }

    // MARK: - Other stores

    private func environmentReport(_ store: EnvironmentStore) -> StoreReport {
        let variables = store.names().map { store.prefix + $0 }.sorted()
        var report = StoreReport(label: store.label)
        report.details.append("\(variables.count) variable\(variables.count == 1 ? "" : "s")")
        // Without a prefix, all variables of the process are there.
        guard let catalogue, !store.prefix.isEmpty else { return report }
        let known = catalogue.map { store.variable(for: $0.storageName) }
        var suggestions = Suggestions()
        for variable in variables where !known.contains(variable) {
            let nearest = suggestions.nearest(to: variable, among: known)
            report.findings.append(
                Finding(
                    at: store.label,
                    "no key reads the variable \(variable)",
                    do: nearest.map { "did you mean \($0)?" } ?? "unset it"
                )
            )
        }
        return report
    }

    private func policyReport(_ store: ManagedStore) -> StoreReport {
        let findings = store.problemsOfFiles.map { problem in
            let advice = problem.code == .storeMalformed ? "repair it" : ""
            var finding = Finding(at: problem.store, problem.messageAboutKey, do: advice)
            finding.key = problem.key
            return finding
        }
        var report = StoreReport(label: store.label, findings: findings, folder: store.folder)
        let values = ((try? store.names()) ?? []).count
        let files = store.folder.map { PolicyFiles(folder: $0) }
        report.findings += files?.remarks ?? []
        let parts = [(values, "value"), (store.locks.count, "lock")].filter { $0.0 > 0 }.map { counted($0, $1) }
        let nothing = files?.isMissing == true ? "the folder does not exist" : "nothing is fixed"
        report.details.append(parts.isEmpty ? nothing : parts.joined(separator: ", "))
        if catalogue == nil, findings.isEmpty, !parts.isEmpty {
            report.findings.append(
                Finding(
                    .remark,
                    at: store.label,
                    "has \(parts.joined(separator: " and ")); without a schema, it is unknown on which keys they have an effect",
                    do: "specify '--schema FILE'"
                )
            )
        }
        return report
    }

    /// Returns the report about a keyring that cannot be read.
    private static func report(about problem: PreferenceProblem) -> StoreReport {
        let finding = Finding(at: problem.store, problem.reason, do: problem.keyringAdvice)
        return StoreReport(label: problem.store, findings: [finding])
    }

    private func keyringReport(_ store: any PreferenceStore, isSecret: Bool) -> StoreReport {
        do {
            let count = try store.names().count
            return StoreReport(
                label: store.label,
                findings: problems(of: store, at: store.label, isSecret: isSecret),
                details: [counted(count, "value")]
            )
        } catch {
            return Self.report(about: store.problem(of: error))
        }
    }

    private func serverReport(_ store: HTTPStore) -> StoreReport {
        let start = ContinuousClock.now
        do {
            let size = try waitForTask { try await store.refreshUnconditionally() }
            let time = (ContinuousClock.now - start).components
            let milliseconds = time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000
            return StoreReport(
                label: store.label,
                findings: problems(of: store, at: store.label, isSecret: false),
                details: ["status 200", "\(size) bytes in \(milliseconds) ms"]
            )
        } catch {
            let text = (error as? PreferenceProblem)?.message ?? "\(error)"
            let finding = Finding(at: store.label, text, do: "check the URL and the server")
            return StoreReport(label: store.label, findings: [finding])
        }
    }

    private func clusterReport(_ store: EtcdStore) -> StoreReport {
        var report = StoreReport(label: store.label)
        // The store uses any member that answers.
        report.findings = store.failuresOfEndpoints().map { failure in
            Finding(at: store.label, failure, do: "start the member or repair the connection, or omit the endpoint")
        }
        // Each call would wait for its limit.
        if report.findings.count == store.endpoints.count { return report }
        report.findings += problems(of: store, at: store.label, isSecret: false)
        // A RoamingStore has entries of its own.
        guard let count = try? store.names().count(where: { !$0.hasPrefix("::") }) else { return report }
        if count == 0 {
            let advice =
                "check the prefix if there should be some: 'etcdctl get --prefix --keys-only \"\"' lists all keys"
            let message = "no value has a key that begins with '\(store.prefix)'"
            report.findings.append(Finding(.remark, at: store.label, message, do: advice))
        }
        report.details = ["\(counted(count, "value")) at revision \(store.revision ?? 0)"]
        return report
    }
}
