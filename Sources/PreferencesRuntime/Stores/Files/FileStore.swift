public import Foundation

/// Preferences in a file of their own: JSON that people can read and edit, or a property list.
///
/// ```swift
/// let preferences = Preferences(store: FileStore(url: URL(filePath: "/etc/weather.json")))
/// ```
///
/// A set value is on the disk when the setter returns. The file is never half written: its next contents go to a
/// temporary file in the same folder, which then takes its place. It keeps its permissions and, where the system lets
/// it, its owner; a new one belongs to its user alone. A symbolic link stays and leads to the new contents.
///
/// Programs that write the same file at the same time lose nothing: each has an advisory lock while it writes
/// (`.NAME.lock`, beside the file), looks first whether the file has changed, and changes only the entries that it
/// sets. What others wrote is read after the next write, or after ``reload()``.
///
/// A file that is missing holds nothing; it and its folder are made by the first write, never by a read. One that
/// cannot be read as its format is left as it is: reads and writes fail with ``PreferenceProblem/Code/storeMalformed``,
/// which names line and column, until someone has mended it. What was read before is still given to readers; once the
/// file is mended, the next write or ``reload()`` reads it again. So is it with one that cannot be read at all.
///
/// See <doc:FileFormats> for what is in the file.
public final class FileStore: PreferenceStore {
    /// Where the file is.
    public let url: URL
    /// What the file is written as.
    public let format: Format

    /// The file's path.
    public var label: String { file.path }

    private let file: StoreFile
    /// What was last read or written. Held for moments only, so that reading does not wait for the disk.
    private let state = Locked<State>(.unread)
    /// Held by whoever reads or writes the file. Taken before `state`.
    private let fileAccess = Locked<Void>(())

    private enum State {
        case unread
        case read(Snapshot)
        /// With the bytes that do not parse, nil where they could not even be read; and with what was last good, which
        /// is still given to readers.
        case failed(PreferenceProblem, bytes: [UInt8]?, last: Snapshot?)

        /// What readers are given.
        var lastGood: Snapshot? {
            switch self {
            case .unread: nil
            case .read(let snapshot): snapshot
            case .failed(_, _, let last): last
            }
        }
    }

    private struct Snapshot {
        var contents: any StoreFileContents
        /// What the contents were read from or written as; nil where there is no file.
        var bytes: [UInt8]?
    }

    /// Makes a store. The file is not touched before the first value is read or written.
    ///
    /// - Parameters:
    ///   - url: Where the file is, or will be. It must be a file URL.
    ///   - format: What it is written as. By default `.xmlPropertyList` where the name ends in `.plist`, else `.json`.
    public init(url: URL, format: Format? = nil) {
        guard url.isFileURL else { fatalError("FileStore needs a file URL, not \(url)") }
        self.url = url
        self.format = format ?? (url.pathExtension.lowercased() == "plist" ? .xmlPropertyList : .json)
        self.file = StoreFile(path: Self.path(of: url))
    }

    /// The value kept under a name.
    ///
    /// - Throws: ``PreferenceProblem`` where the file or this one value cannot be read.
    public func value(for name: String) throws -> PreferenceValue? {
        let contents = try currentContents()
        do {
            return try contents.value(for: name)
        } catch {
            throw problem(.unsupportedValue, error)
        }
    }

    /// Makes all changes of a batch, or none. They are on the disk when it returns.
    ///
    /// - Throws: ``PreferenceProblem`` where nothing was changed: the file cannot be read or written, or a value of the
    ///   batch has no representation in the file's format. With ``PreferenceProblem/Code/notDurable`` all was changed,
    ///   but may not survive a power failure.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        guard !batch.isEmpty else { return }
        try fileAccess.withLock { _ in try write(batch) }
    }

    /// All names that a value is kept under.
    ///
    /// - Throws: ``PreferenceProblem`` where the file cannot be read.
    public func names() throws -> Set<String> {
        try currentContents().names
    }

    /// Reads the file again.
    ///
    /// - Throws: ``PreferenceProblem`` where it cannot be read.
    public func reload() throws {
        _ = try fileAccess.withLock { _ in try load() }
    }
}

// MARK: - Reading

extension FileStore {
    private static func path(of url: URL) -> String {
        let path = url.absoluteURL.path(percentEncoded: false)
        // As of a URL that was made for a folder.
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private func currentContents() throws(PreferenceProblem) -> any StoreFileContents {
        if let snapshot = state.withLock({ $0.lastGood }) { return snapshot.contents }
        return try fileAccess.withLock { _ throws(PreferenceProblem) in
            // Another thread may have read it in the meantime.
            if let snapshot = state.withLock({ $0.lastGood }) { return snapshot.contents }
            return try load().contents
        }
    }

    /// Reads the file, and parses it if it is not what was last seen there. With `fileAccess` held.
    ///
    /// The bytes tell, not the file's times: those tick slowly enough for two writes in one tick.
    private func load() throws(PreferenceProblem) -> Snapshot {
        let bytes: [UInt8]?
        do {
            bytes = try file.read()
        } catch {
            throw fail(problem(.storeUnreadable, error), bytes: nil)
        }
        switch state.withLock({ $0 }) {
        case .read(let snapshot) where snapshot.bytes == bytes: return snapshot
        case .failed(let problem, let unparsed?, _) where unparsed == bytes: throw problem
        case .read, .failed, .unread: break
        }
        do {
            let contents = try bytes.map { try format.contents.init(parsing: $0) } ?? format.contents.init()
            let snapshot = Snapshot(contents: contents, bytes: bytes)
            state.withLock { $0 = .read(snapshot) }
            return snapshot
        } catch {
            throw fail(problem(.storeMalformed, error), bytes: bytes)
        }
    }

    private func fail(_ problem: PreferenceProblem, bytes: [UInt8]?) -> PreferenceProblem {
        state.withLock { $0 = .failed(problem, bytes: bytes, last: $0.lastGood) }
        return problem
    }
}

// MARK: - Writing

extension FileStore {
    /// Writes a batch. With `fileAccess` held.
    private func write(_ batch: [String: PreferenceEdit]) throws(PreferenceProblem) {
        // Nothing to remove is no reason to make a folder.
        if batch.values.allSatisfy({ $0 == .remove }), try load().bytes == nil { return }
        let lockedFile: LockedStoreFile
        do {
            lockedFile = try file.lock()
        } catch {
            throw problem(.storeUnwritable, error)
        }
        var snapshot = try load()
        let bytes: [UInt8]
        do {
            guard try snapshot.contents.apply(batch) else { return }
            bytes = try snapshot.contents.encoded()
        } catch {
            throw problem(.unsupportedValue, error)
        }
        let syncFailure: SystemError?
        do {
            syncFailure = try lockedFile.replace(with: bytes)
        } catch {
            throw problem(.storeUnwritable, error)
        }
        snapshot.bytes = bytes
        state.withLock { $0 = .read(snapshot) }
        if let syncFailure { throw problem(.notDurable, syncFailure) }
    }

    private func problem(_ code: PreferenceProblem.Code, _ error: any Error) -> PreferenceProblem {
        switch error {
        case let error as StoreFileSyntaxError:
            let place = [error.line.map { "line \($0)" }, error.column.map { "column \($0)" }].compactMap { $0 }
            let message = (place.isEmpty ? "" : "\(place.joined(separator: ", ")): ") + error.message
            return PreferenceProblem(.storeMalformed, store: label, message: message)
        case let error as StoreFileValueError:
            return PreferenceProblem(.unsupportedValue, key: error.name, store: label, message: error.message)
        default:
            return PreferenceProblem(code, store: label, message: ErrorText(error).description)
        }
    }
}
