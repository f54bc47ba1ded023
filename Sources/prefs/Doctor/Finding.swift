import PreferencesCommandLine
import PreferencesSystem

/// A finding of `prefs doctor` in one place.
struct Finding {
    enum Level: String {
        /// It needs attention.
        case problem
        /// It is as it may be, but has consequences.
        case remark
        /// It was a problem.
        case fixed
    }

    let level: Level
    /// The file, or the label of the store.
    let place: String
    /// The storage name of the value that cannot be read; nil if there is none, or it is secret.
    var key: String?
    /// The fault, in words that follow the place.
    let message: String
    /// The advice, as one sentence without a full stop; empty if there is none.
    let advice: String
    /// Whether `--fix` repairs it.
    var isFixable = false

    init(
        _ level: Level = .problem,
        at place: String,
        _ message: String,
        do advice: String = "",
        isFixable: Bool = false
    ) {
        (self.level, self.place, self.message, self.advice) = (level, place, message, advice)
        self.isFixable = isFixable
    }

    /// Creates the problem of a failed system call.
    init(at place: String, _ error: SystemError) {
        self.init(at: place, error.fault, do: error.advice ?? "")
    }

    var line: String { "\(place): \(level): \(message)\(advice.isEmpty ? "" : "; \(advice)")" }
}

/// The findings about one store.
struct StoreReport {
    let label: String
    var findings: [Finding] = []
    /// Remarks for a store without findings, such as `status 200`.
    var details: [String] = []
    /// The folder of the store's files; nil if it has at most one.
    var folder: String?

    /// Whether a file is one of the store's.
    func includes(_ path: String) -> Bool { folder.map { path.hasPrefix("\($0)/") } ?? false }

    var lines: [String] {
        if !findings.isEmpty { return findings.map(\.line) }
        return ["\(label): no problems" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")]
    }
}
