#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The files that the next contents of a file are written to, before they replace it: `.NAME.tmp-` and 13 digits of base 36.
extension FolderEntry {
    /// A name that no file has, another each time.
    package func makeTemporary() -> FolderEntry {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return sibling(temporaryPrefix + String(repeating: "0", count: Self.digitCount - number.utf8.count) + number)
    }

    private var temporaryPrefix: String { ".\(name).tmp-" }

    /// The digits of the largest number of 64 bits in base 36.
    private static let digitCount = 13

    /// Removes the temporary files of processes that were killed while they wrote. The caller has the lock of the file.
    ///
    /// No other process writes meanwhile, and so no live write loses its file. Only where locks do not exclude the processes
    /// of other machines, a live write is possible: there, files stay that were changed within the last minute.
    ///
    /// - Parameters:
    ///   - exception: The name of a file that stays.
    ///   - endings: What may follow the names, as `-wal` of a database.
    package func removeTemporaryFiles(
        except exception: String? = nil,
        endings: [String] = [""]
    ) throws(SystemError) {
        let prefix = Array(temporaryPrefix.utf8)
        let endings = endings.map { Array($0.utf8) }
        let names = try folder.names { name in
            guard name.starts(with: prefix) else { return false }
            let digits = name.dropFirst(prefix.count).prefix(Self.digitCount)
            guard digits.count == Self.digitCount, digits.allSatisfy(Self.isDigit),
                UInt64(String(decoding: digits, as: UTF8.self), radix: 36) != nil
            else { return false }
            return endings.contains { name.dropFirst(prefix.count + Self.digitCount).elementsEqual($0) }
        }
        if names.allSatisfy({ $0 == exception }) { return }
        let minimumAge: Double? = RemoteFileSystem(of: folder.path) == nil ? nil : 60
        for name in names where name != exception {
            let entry = sibling(name)
            guard let status = try entry.status(), status.st_mode & S_IFMT == S_IFREG else { continue }
            if let minimumAge, let now = FileTime.now() {
                // A clock that was set back makes files of the future.
                guard abs(FileTime(of: status).seconds(until: now)) >= minimumAge else { continue }
            }
            entry.remove()
        }
    }

    /// Whether a byte is one of 0 to 9 and a to z.
    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }
}
