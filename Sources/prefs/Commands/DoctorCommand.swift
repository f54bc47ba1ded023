import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs doctor`.
struct DoctorCommand: ParsableCommand {
    private var live = LiveArguments()
    private var fixes = false

    static let description = CommandDescription(
        summary: "Find faults of the stores themselves.",
        overview: "Examines the files, servers, keyrings and variables of each store, and says what to do.",
        usage: ["doctor [OPTIONS]"],
        discussion: """
            It looks at permissions and owners, links, damaged contents, the lock and the process that holds it, copies that
            were set aside, temporary files of killed processes, the disk, and the limits of watching files; at whether a user
            could have written the files of a policy; at whether a keyring is there and unlocked, which it never asks
            for; at whether each member of etcd answers; and with a schema, at what 'check' looks at.

            Problems need attention, and remarks do not. The exit status is 1 if there are problems that were not fixed.
            """,
        sections: [StoreLocation.section],
        options: [
            .init(
                "--fix",
                "Remove stale temporary files, and narrow permissions. Nothing else is changed, and nothing without "
                    + "it; policies are for the administrator to correct."
            )
        ] + LiveArguments.options,
        examples: [
            "doctor --app weather", "doctor -s /etc/xdg/weather/preferences.json --json", "doctor --fix --app weather",
        ]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) {
            switch argument {
            case .positional: throw UsageError(message: "'doctor' examines stores; name them with '--store STORE'")
            case .option(let option) where option.name == "--fix": try parser.setFlag(&fixes, by: option)
            case .option(let option): throw parser.unknownOption(option)
            }
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        var schemaFindings: [Finding] = []
        var catalogue: PreferenceCatalogue?
        var gSettings = GSettingsSchemas([])
        do throws(Failure) {
            if let named = try live.catalogueIfNamed() { (catalogue, gSettings) = named }
        } catch {
            let advice = "repair it; the values were not checked"
            schemaFindings.append(Finding(at: "schema", error.message, do: advice))
        }
        let (layers, secrets) = try live.storesToExamine(catalogue, gSettings)
        let examination = StoreExamination(fixes: fixes, catalogue: catalogue)
        var reports = layers.flatMap { examination.reports(about: $0) }
        reports += secrets.map(examination.reports) ?? []
        let count = reports.count
        if let catalogue { add(checks(of: catalogue, layers, secrets?.store, reports), to: &reports) }
        if !schemaFindings.isEmpty { reports.append(StoreReport(label: "schema", findings: schemaFindings)) }
        let text: String
        switch live.output {
        case .text, .gVariant:
            let summary = "\(counted(count, "store")): \(summary(of: reports))"
            text = (reports.flatMap(\.lines) + [summary]).map(\.escapingControls).joined(separator: "\n")
        case .json:
            do {
                text = try PreferenceValue.array(reports.map(\.preferenceValue)).jsonText()
            } catch {
                Console.printFailure("\(error)", of: Tool.prefs.name)
                return .system
            }
        }
        let status = Console.printResult(text + "\n", of: Tool.prefs.name)
        if status != .success { return status }
        return reports.contains { $0.findings.contains { $0.level == .problem } } ? .schemaFault : .success
    }

    /// Returns the problems of the values, by the label of their store, as `prefs check` finds them.
    ///
    /// Secrets are only read if their store is without findings: reading them narrows permissions. Other keyrings with
    /// findings are left out: each value would be waited for again.
    private func checks(
        of catalogue: PreferenceCatalogue,
        _ layers: [any PreferenceStore],
        _ secrets: (any PreferenceStore)?,
        _ reports: [StoreReport]
    ) -> [(store: String, finding: Finding)] {
        func hasNoFindings(_ store: any PreferenceStore) -> Bool {
            reports.filter { $0.label == store.label }.allSatisfy { $0.findings.allSatisfy { $0.level == .fixed } }
        }
        let layers = layers.filter { !$0.isKeyring || hasNoFindings($0) }
        if layers.isEmpty { return [] }
        let readsSecrets = secrets.map(hasNoFindings)
        let preferences = Preferences(
            store: LayeredStore(layers),
            secrets: readsSecrets == true ? secrets : nil
        )
        // Problems are not also printed while the stream exists.
        let stream = preferences.problems
        let check = SchemaCheck(preferences: preferences, layers: layers, catalogue: catalogue)
        let problems = withExtendedLifetime(stream) {
            (try? check.problems()) ?? (try? check.problems(permitsUnknownNames: true)) ?? []
        }
        let policies = layers.compactMap { $0 as? ManagedStore }
        let environments = layers.compactMap { $0 as? EnvironmentStore }
        let examined: [PreferenceProblem.Code] = [
            .storeUnreadable, .storeMalformed, .storeMissing, .remoteFileSystem, .secretsExposed, .unsupportedValue,
            .untrustedPolicy, .ineffectivePolicy,
        ]
        return problems.filter { problem in
            // These are findings of the examination.
            let isVariable =
                problem.code == .unrecognizedName
                && environments.contains { problem.key.flatMap($0.source)?.description == problem.store }
            return !isVariable && !(examined.contains(problem.code) && isFound(problem, in: reports))
        }.map { problem in
            let isOfPolicy = policies.contains { problem.key.flatMap($0.source)?.description == problem.store }
            let advice = problem.isOfValue ? isOfPolicy ? "correct it" : "set another value, or reset it" : ""
            return (problem.store, Finding(at: problem.store, problem.messageAboutKey, do: advice))
        }
    }

    /// Whether the examination of a store has found a problem of the store or of a value in it.
    private func isFound(_ problem: PreferenceProblem, in reports: [StoreReport]) -> Bool {
        guard let key = problem.key else { return true }
        return reports.contains { $0.findings.contains { $0.key == key } }
    }

    private func add(_ checks: [(store: String, finding: Finding)], to reports: inout [StoreReport]) {
        for (store, finding) in checks {
            let index = reports.firstIndex { $0.label == store } ?? reports.firstIndex { $0.includes(store) }
            if index == nil { reports.append(StoreReport(label: store)) }
            reports[index ?? reports.count - 1].findings.append(finding)
        }
    }

    private func summary(of reports: [StoreReport]) -> String {
        let findings = reports.flatMap(\.findings)
        func count(_ level: Finding.Level) -> Int { findings.count { $0.level == level } }
        var parts = [count(.problem) == 0 ? "no problems" : counted(count(.problem), "problem")]
        if count(.remark) > 0 { parts.append(counted(count(.remark), "remark")) }
        if count(.fixed) > 0 { parts.append("\(count(.fixed)) fixed") }
        let fixable = findings.count(where: \.isFixable)
        return parts.joined(separator: ", ") + (fixable > 0 ? "; '--fix' fixes \(fixable)" : "")
    }
}

extension StoreReport {
    /// The report for JSON.
    fileprivate var preferenceValue: PreferenceValue {
        .dictionary([
            "store": .string(label),
            "details": .array(details.map(PreferenceValue.string)),
            "findings": .array(
                findings.map { finding in
                    .dictionary([
                        "level": .string(finding.level.rawValue), "place": .string(finding.place),
                        "message": .string(finding.message),
                        "advice": finding.advice.isEmpty ? .null : .string(finding.advice),
                        "fixable": .bool(finding.isFixable),
                    ])
                }
            ),
        ])
    }
}
