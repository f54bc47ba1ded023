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

    var lines: [String] {
        if !findings.isEmpty { return findings.map(\.line) }
        return ["\(label): no problems" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")]
    }
}

/// The users of the system, by name.
enum SystemUser {
    static var current: String { name(of: geteuid()) }

    /// Returns the name of a user; the number if there is none.
    static func name(of user: uid_t) -> String {
        guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "user \(user)" }
        return String(cString: name)
    }

    /// Returns a user for a command line.
    static func argument(_ user: uid_t) -> String { getpwuid(user) == nil ? "\(user)" : name(of: user) }
}

extension stat {
    /// The permissions in octal digits, such as `0644`.
    var permissions: String { Self.text(ofMode: st_mode) }

    static func text(ofMode mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
