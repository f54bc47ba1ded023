import Foundation
import PreferencesRuntime

/// The store of the user's folder for configuration, where there is none, or none that makes sense.
struct HomelessCheck {
    enum Environment: String, CaseIterable {
        case relative = "XDG_CONFIG_HOME is a relative path"
        case missing = "HOME is missing, and the user's folder cannot be made"
    }

    let environment: Environment

    func run(in folder: URL) throws -> [String] {
        try User.becomeOrdinary(owning: folder)
        // Who has a home in the system's list of users is none to be tried this with: that home would be written to.
        if environment == .missing, getuid() != 65_534 { throw NeedsRoot() }
        setenv("XDG_CONFIG_HOME", "config", 1)
        if environment == .relative { setenv("HOME", folder.path, 1) } else { unsetenv("HOME") }
        let values = FileStore.default
        let told = ToldProblems(of: values)
        try values.apply(["a": .set(1)])
        var found: [String] = []
        if try values.value(for: "a") != 1 { found.append("what was set is not served") }
        switch environment {
        case .relative:
            try values.flush()
            if !values.label.hasPrefix(folder.appending(component: ".config").path) {
                found.append("the file is in another folder: \(values.label)")
            }
        case .missing:
            do {
                try values.flush()
                found.append("a folder was made where there is none: \(values.label)")
            } catch let problem as PreferenceProblem {
                if problem.code != .storeUnwritable { found.append("the problem is another: \(problem)") }
            }
        }
        if FileManager.default.fileExists(atPath: "config") {
            found.append("there is a folder named by a relative path")
        }
        withExtendedLifetime(told) {}
        return found
    }

    private struct NeedsRoot: Error, CustomStringConvertible {
        var description: String {
            "only root can become a user without a home; run the proof as root, or leave out faults"
        }
    }
}
