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
            // The folder that the system's list of users has: the real one is none to try this with.
            try FaultLayer().giveHome(closed.appending(component: "home"))
        }
        let values = FileStore.default
        let told = ToldProblems(of: values)
        try values.apply(["a": .set(1)])
        var found: [String] = []
        if try values.value(for: "a") != 1 { found.append("what was set is not served") }
        switch environment {
        case .relative: break
        case .missing:
            do {
                try values.flush()
                found.append("a folder was made where there is none: \(values.label)")
            } catch let problem as PreferenceProblem {
                if problem.code != .storeUnwritable { found.append("the problem is another: \(problem)") }
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
        withExtendedLifetime(told) {}
        return found
    }
}
