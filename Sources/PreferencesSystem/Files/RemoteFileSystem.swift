#if canImport(Darwin)
    import Foundation
#endif

/// A file system whose files another machine or program can change without an event on this system.
package struct RemoteFileSystem: Hashable, Sendable {
    /// The name that `mount` uses, such as `nfs`.
    package let name: String

    /// Creates the file system of a folder; nil if only this system changes it, or the folder is missing.
    package init?(of folder: String) {
        #if canImport(Darwin)
            // Apple requires a declared reason for calling `statfs`, and accepts only reasons about free space.
            let volume = try? URL(filePath: folder, directoryHint: .isDirectory)
                .resourceValues(forKeys: [.volumeIsLocalKey, .volumeTypeNameKey])
            guard let volume, volume.volumeIsLocal == false else { return nil }
            self.init(name: volume.volumeTypeName ?? "of an unknown type")
        #else
            guard let type = LinuxSystemCalls.shared.fileSystemType(of: folder) else { return nil }
            self.init(type: type)
        #endif
    }

    /// Creates the file system of a type; nil if it is not remote.
    ///
    /// - Parameter type: Linux's number of the type: see `linux/magic.h` and statfs(2).
    package init?(type: UInt32) {
        guard let name = Self.names[type] else { return nil }
        self.init(name: name)
    }

    private init(name: String) {
        self.name = name
    }

    private static let names: [UInt32: String] = [
        0x6969: "nfs",
        0x517B: "smb",
        0xFF53_4D42: "cifs",
        0xFE53_4D42: "smb2",
        0x0102_1997: "9p",
        0x00C3_6400: "ceph",
        0x5346_414F: "afs",
        0x6B41_4653: "afs",
        0x7375_7245: "coda",
        0x564C: "ncp",
        0x0BD0_0BD0: "lustre",
        0x4750_4653: "gpfs",
        0x0116_1970: "gfs2",
        0x7461_636F: "ocfs2",
        // Folders that a virtual machine shares with its host.
        0x786F_4256: "vboxsf",
        0x7C7C_6673: "prl_fs",
        0xBACB_ACBC: "vmhgfs",
        // The program that serves it can get its files from anywhere, as sshfs does.
        0x6573_5546: "fuse",
    ]
}
