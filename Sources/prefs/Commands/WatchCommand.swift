import Dispatch
import Foundation
import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesRuntime

/// `prefs watch`.
struct WatchCommand: ParsableCommand {
    private var live = LiveArguments(permitsGVariant: true, canShowSecrets: true)
    private var names: [String] = []
    private var showsInitialValues = false
    /// The time between two readings of stores that do not notify of changes, in seconds.
    private var interval = 5.0

    static let description = CommandDescription(
        summary: "Print changes as they happen.",
        overview: "Prints the new value of each key that changes, by any process, until it is interrupted.",
        usage: ["watch [OPTIONS] [KEY…]"],
        discussion: """
            With '--json', each line is an object with the key, its new and its old value.
            """,
        sections: [StoreLocation.section],
        arguments: [LiveArguments.optionalKeys],
        options: [
            .init("--initial", "Print the present values first."),
            .init(
                "--interval",
                value: "SECONDS",
                "How often a store is read that does not report changes. Default: 5."
            ),
        ] + LiveArguments.options + [LiveArguments.showSecretsOption, LiveArguments.gVariantOption],
        examples: ["watch --app weather", "watch --app weather --initial --json weather.unit"]
    )

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = try live.next(&parser) {
            switch argument {
            case .option(let option) where option.name == "--initial":
                try parser.setFlag(&showsInitialValues, by: option)
            case .option(let option) where option.name == "--interval":
                let text = try parser.value(of: option)
                guard let seconds = Double(text), seconds >= 0.1, seconds <= 86_400 else {
                    throw UsageError(message: "'\(text)' is not a number of seconds from 0.1 to 86400")
                }
                interval = seconds
            default: names.append(try parser.positional(argument))
            }
        }
    }

    func run() throws(UsageError) -> ExitStatus {
        try live.run { session in
            let problems = session.preferences.problems
            Task.detached { for await problem in problems { ProblemLog.write(problem.forUsers) } }
            let queue = DispatchQueue(label: "prefs.watch")
            // 'gsettings monitor' also prints a key that was set to its default.
            var options: PreferenceWatchOptions = session.output == .gVariant ? .old : [.old, .removeDuplicates]
            if showsInitialValues { options.insert(.initial) }
            // 'gsettings monitor' leaves out the keys of children.
            let keys = try session.readableKeys(names, isRecursive: session.output != .gVariant)
            let watchers = keys.map { key in
                session.preferences.reference(to: key).watch(options: options, on: queue) { change in
                    Self.printLine(line(for: change, of: key, session))
                }
            }
            let isNotified = session.allStores.allSatisfy { $0.notifiesAllChanges && !$0.isDocument }
            if !isNotified { reloadLater(session, on: queue) }
            // Until a signal ends the process.
            withExtendedLifetime(watchers) { DispatchSemaphore(value: 0).wait() }
            return .success
        }
    }

    private func line(
        for change: PreferenceChange<PreferenceValue?>,
        of key: PreferenceKeyDescription,
        _ session: Session
    ) -> String {
        switch session.output {
        case .text, .gVariant: return "\(session.shortName(key)): \(session.text(of: change.new, key, isLine: true))"
        case .json:
            var members: [String: PreferenceValue] = [
                "key": .string(key.keyPath), "value": session.json(change.new, key),
            ]
            if let old = change.old { members["old"] = session.json(old, key) }
            return PreferenceValue.dictionary(members).jsonLine
        }
    }

    /// Prints a line, or ends the program if the line cannot be written.
    private static func printLine(_ line: String) {
        do throws(FileError) {
            if try !Console.printWhileOpen(line) { exit(ExitStatus.success.rawValue) }
        } catch {
            Console.printFailure(error.message, of: Tool.prefs.name)
            exit(ExitStatus.system.rawValue)
        }
    }

    /// Reads the stores again after the interval, and so on.
    private func reloadLater(_ session: Session, on queue: DispatchQueue) {
        queue.asyncAfter(deadline: .now() + interval) {
            do {
                try session.allStores.refreshDocuments()
                try session.preferences.reload()
            } catch {
                Console.printFailure("\(error)", of: Tool.prefs.name)
            }
            reloadLater(session, on: queue)
        }
    }
}
