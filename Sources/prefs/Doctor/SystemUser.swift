import Foundation
import PreferencesCommandLine

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

    /// Returns the code of the error of an access by the process's effective user; 0 for none.
    static func failure(of mode: CInt, _ path: String) -> CInt {
        faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 ? 0 : errno
    }
}

extension stat {
    /// The permissions in octal digits, such as `0644`.
    var permissions: String { Self.text(ofMode: st_mode) }

    static func text(ofMode mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The owner and the permissions, for messages.
    var ownerAndPermissions: String {
        "its owner is \(SystemUser.name(of: st_uid)), and its permissions are \(permissions)"
    }

    /// Whether the process may change the permissions.
    var canBeChanged: Bool { [0, st_uid].contains(geteuid()) }

    /// Returns the command that gives this user access to a path with this status.
    ///
    /// - Parameter bits: The missing permissions, such as `rw`.
    func advice(forAccess bits: String, to path: String) -> String {
        st_uid == geteuid() ? "run 'chmod u+\(bits) \(path.shellQuoted)'" : Self.advice(forOwnershipOf: path)
    }

    /// Returns the command that makes this user the owner of a path.
    static func advice(forOwnershipOf path: String) -> String {
        "run 'sudo chown \(SystemUser.argument(geteuid())) \(path.shellQuoted)', or run the program as its owner"
    }
}
