import Foundation
import PreferencesCommandLine
import PreferencesJSON
import PreferencesRuntime
import PreferencesSystem

extension PreferenceProblem.Code {
    /// A file of a policy has no effect for users.
    static let ineffectivePolicy = Self(rawValue: "ineffectivePolicy")
}

extension ManagedStore {
    /// The problems of files without an effect, also of those that only the superuser can read, and of values that
    /// cannot be read.
    var problemsOfFiles: [PreferenceProblem] {
        let found = folder.map { PolicyFiles(folder: $0).problems } ?? []
        let places = found.map(\.store)
        return found
            + examine().filter { problem in
                // The same fault, without the advice.
                !(problem.key == nil && problem.code == .storeUnreadable
                    && places.contains { problem.store == $0 || problem.store.hasPrefix("\($0)/") })
            }
    }
}

/// The files in the folder of a policy.
struct PolicyFiles {
    let folder: String

    private static let names = ["locks", "managed.json", "preferences.json"]

    /// Whether there is neither a folder nor anything else.
    var isMissing: Bool { kind(folder) == nil }

    /// The problems of files that have no effect without being damaged or untrusted.
    var problems: [PreferenceProblem] {
        switch kind(folder) {
        case nil, S_IFLNK: return [dangling(folder)].compactMap(\.self)
        case S_IFDIR: break
        default: return [problem(folder, "it is a file, not a folder, and there is no policy; move it away")]
        }
        var problems = [unreadable(folder, "755")].compactMap(\.self)
        for name in ["managed.json", "preferences.json"] {
            problems += [dangling("\(folder)/\(name)") ?? unreadable("\(folder)/\(name)", "644")].compactMap(\.self)
        }
        let locks = "\(folder)/locks"
        switch kind(locks) {
        case nil, S_IFLNK: problems += [dangling(locks)].compactMap(\.self)
        case S_IFDIR:
            problems += [unreadable(locks, "755")].compactMap(\.self)
            problems += names(in: locks).compactMap {
                dangling("\(locks)/\($0)") ?? unreadable("\(locks)/\($0)", "644")
            }
        default:
            let advice = "make it a folder, and move the list into it"
            problems.append(problem(locks, "it has no effect, because it is a file, not a folder of lists; \(advice)"))
        }
        return problems
    }

    /// Remarks on files that look like those of a policy, and that nothing reads.
    var remarks: [Finding] {
        var suggestions = Suggestions()
        return names(in: folder).filter { !Self.names.contains($0) }.compactMap { name in
            let nearest = suggestions.nearest(to: name, among: Self.names)
            if nearest == nil, !name.hasSuffix(".json") { return nil }
            let advice = nearest.map { "did you mean '\($0)'?" } ?? "a policy is in 'managed.json'"
            return Finding(.remark, at: "\(folder)/\(name)", "no program reads it as a policy", do: advice)
        }
    }

    /// Returns the kind of a file, `S_IFLNK` if it is a link that leads nowhere; nil if there is none.
    private func kind(_ path: String) -> mode_t? {
        let status = (try? FileStatus.current(path)) ?? (try? FileStatus.current(path, followsLink: false))
        return status.map { $0.st_mode & S_IFMT }
    }

    private func names(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    private func dangling(_ path: String) -> PreferenceProblem? {
        guard kind(path) == S_IFLNK,
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        else { return nil }
        return problem(
            path,
            "it has no effect, because it is a link to \(target), which does not exist; restore that file, or remove the "
                + "link"
        )
    }

    /// Returns the problem of a file or a folder that users cannot read.
    private func unreadable(_ path: String, _ mode: String) -> PreferenceProblem? {
        guard let status = (try? FileStatus.current(path)) ?? nil else { return nil }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let needed: mode_t = isFolder ? 0o005 : 0o004
        // The program may run as a member of a group that can read it.
        let isOfGroup = status.st_gid != 0 && status.st_mode & (needed << 3) == needed << 3
        if status.st_mode & needed == needed || isOfGroup { return nil }
        let command = "\(status.canBeChanged ? "" : "sudo ")chmod \(mode) \(path.shellQuoted)"
        return problem(path, "users cannot read it: its permissions are \(status.permissions); run '\(command)'")
    }

    private func problem(_ path: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.ineffectivePolicy, store: path, message: message)
    }
}
