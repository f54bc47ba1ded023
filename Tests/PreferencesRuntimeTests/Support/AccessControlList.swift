import StoreTestSupport

@testable import PreferencesSystem

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import PreferencesRuntime

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A POSIX access control list, in the form of the extended attribute that contains it.
    enum AccessControlList {
        private static let attribute = "system.posix_acl_access"

        /// Lets another user read a file, whose mode becomes 0640.
        ///
        /// - Returns: The list.
        @discardableResult
        static func letRead(_ user: uid_t, _ url: URL) throws -> [UInt8] {
            // The layout of linux/posix_acl_xattr.h: version 2, and then a tag, permissions and an identifier for the
            // owner, the user, the group, the mask and all others.
            let id = withUnsafeBytes(of: user.littleEndian) { Array($0) }
            let list: [UInt8] =
                [2, 0, 0, 0] + [1, 0, 6, 0, 255, 255, 255, 255] + [2, 0, 4, 0] + id + [4, 0, 0, 0, 255, 255, 255, 255]
                + [16, 0, 4, 0, 255, 255, 255, 255] + [32, 0, 0, 0, 255, 255, 255, 255]
            let file = open(url.filePath, O_RDONLY)
            defer { close(file) }
            try #require(
                LinuxSystemCalls.shared.fsetxattr?(file, attribute, list, list.count, 0) == 0,
                "the file system has no access control lists"
            )
            return list
        }

        /// Returns the list of a file; nil if it has none.
        static func of(_ url: URL) -> [UInt8]? {
            let file = open(url.filePath, O_RDONLY)
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 100)
            guard let count = LinuxSystemCalls.shared.fgetxattr?(file, attribute, &bytes, bytes.count), count >= 0
            else {
                return nil
            }
            return Array(bytes.prefix(count))
        }
    }
#endif
