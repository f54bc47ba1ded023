public import Foundation
public import PreferencesRuntime

/// A store in a configuration file of a KDE program, such as `~/.config/konsolerc`.
///
/// It reads and writes the entries that the program reads and writes, so a schema that was imported from KConfigXT keeps
/// the users' settings:
///
/// ```swift
/// let file = URL.homeDirectory.appending(path: ".config/konsolerc")
/// let preferences = Preferences(store: KConfigStore(url: file))
/// // MainWindow:ToolBars:Height   is `Height=` in the group `[MainWindow][ToolBars]`
/// // Version                      is `Version=` before the first group
/// ```
///
/// A name is the names of the nested groups and the key, joined by colons. A colon within a group or a key follows a
/// backslash: `Colors\:Window:Background`.
///
/// ### Values
///
/// KConfig stores text, which is converted to the type of the key:
///
/// | type | text |
/// |---|---|
/// | `Bool` | `true` and `false`. As in KConfig, `false`, `no`, `off` and `0` are read as false in any case, and any other text as true |
/// | numbers | `5`, `1.5` |
/// | `String`, `URL` | the text. A path is read as a file URL |
/// | enums | the raw value. The names of cases with strings as raw values are read in any case, and an index is read as its case |
/// | arrays, sets | the elements, separated by `,`; `\,` and `\\` are escapes |
/// | `Date` | `2026,1,31,12,0,30.5`, in a time zone, rounded to milliseconds |
/// | `Data` | the bytes |
/// | other types | JSON |
///
/// ### Entries
///
/// - A localized entry, `Name[de]=…`, takes precedence over `Name=…` if it has the language of ``locale``. Setting a
///   value writes the entry that is read. Entries in other languages are not changed.
/// - In an entry with `[$e]`, environment variables are replaced: `$HOME/Music`. No command is run. A value that is set
///   is stored without `[$e]`, and is read literally.
/// - An entry, a group or a file with `[$i]` is immutable. If another program makes an entry immutable before an edit of
///   it is written, the edit is reported as lost. Otherwise edits are refused with
///   ``/PreferencesRuntime/PreferenceProblem/Code/storeUnwritable``.
/// - An entry with `[$d]` is deleted: it has no value.
/// - Lines that KConfig ignores are kept, in any encoding. A file that has only such lines, such as an image, is reported
///   with ``/PreferencesRuntime/PreferenceProblem/Code/storeMalformed``, and is not written.
///
/// The store reads one file. KConfig also reads files of the same name in system folders and `kdeglobals`: for those,
/// add a layer each to a `LayeredStore`.
///
/// Files are locked, replaced and watched as by ``/PreferencesRuntime/FileStore``. Comments, unknown lines and their
/// order are kept. KDE programs use another lock, so that simultaneous edits of one key by such a program may be lost.
public struct KConfigStore: PreferenceStoreAdapter {
    /// The store of the file's texts.
    public var base: any PreferenceStore { file }
    /// The locale whose localized entries are read, such as `de_DE`.
    public let locale: String

    private let file: FileStore
    private let writesAtOnce: Bool
    private let coding: KConfigCoding

    /// Creates a store. The file is not accessed until the store is first read, written or observed.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file, which need not exist yet. The program ends with any other URL.
    ///   - locale: The locale whose localized entries are read, such as `de_DE` or `de`; by default ``currentLocale``.
    ///   - timeZone: The time zone of dates, which KConfig stores without one; by default the current one, as in KConfig.
    ///   - durability: When edits are written; by default 50 ms after the first one.
    ///   - lockTimeout: The time that a call waits for the file's lock while another process holds it.
    public init(
        url: URL,
        locale: String = KConfigStore.currentLocale,
        timeZone: TimeZone = .current,
        durability: FileStore.Durability = .coalesced(milliseconds: 50),
        lockTimeout: Duration = FileStore.defaultLockTimeout
    ) {
        self.locale = locale
        file = FileStore(
            url: url,
            contents: KeyFileContents<KConfigFormat>.self,
            durability: durability,
            lockTimeout: lockTimeout
        )
        writesAtOnce = durability == .immediate
        coding = KConfigCoding(timeZone: timeZone)
    }

    /// The locale of the environment variables `LC_ALL`, `LC_MESSAGES` and `LANG`: the first one that is set, without
    /// its encoding; `C` if none is.
    public static var currentLocale: String {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = locale?.prefix { $0 != "." && $0 != "@" } ?? "C"
        return name == "POSIX" ? "C" : String(name)
    }

    /// Null, the empty name, control characters in names (NUL and U+001D), exact values, since values are stored as
    /// text, and exclusive updates, since KDE programs use another lock.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        [.null, .exactValues, .emptyName, .controlCharactersInNames, .exclusiveUpdates]
    }

    // MARK: - Names

    /// The names that a name can have in the file: with the locale, with its language, and without a language.
    private func fileNames(of name: String) -> [String] {
        languages.map { "\(name)\(KConfigName.languageSeparator)\($0)" } + [name]
    }

    private var languages: [String] {
        let language = String(locale.prefix { $0 != "_" })
        // KConfig reads American texts from the untranslated entries, which are marked `C` in old files.
        return (language == locale ? [locale] : [locale, language]) + (locale == "en_US" ? ["C"] : [])
    }

    /// Returns the name without the language; nil for entries in other languages.
    public func name(ofBaseName baseName: String) -> String? {
        let parts = baseName.split(separator: KConfigName.languageSeparator, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return baseName }
        return languages.contains(String(parts[1])) ? String(parts[0]) : nil
    }

    // MARK: - Reading

    /// Returns the text of a name, or data if it is not UTF-8; nil if it is not set.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if the file cannot be read, or can have no such name.
    public func value(for name: String) throws -> PreferenceValue? {
        try value(for: name, in: file.value)
    }

    private func value(
        for name: String,
        in current: (_ fileName: String) throws -> PreferenceValue?
    ) throws -> PreferenceValue? {
        if KConfigName.isImpossible(name) { return Optional.none }
        try check(name)
        for fileName in fileNames(of: name) {
            if let value = try current(fileName) { return value }
        }
        return Optional.none
    }

    /// Returns the file as the source of a value; nil if the name is not set.
    public func source(of name: String) throws -> PreferenceSource? {
        try value(for: name) == nil ? nil : PreferenceSource(store: label, name: name)
    }

    /// Converts a text to a type.
    ///
    /// - Throws: An error if the text does not fit the type.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try coding.decode(value, as: type)
    }

    // MARK: - Writing

    /// Applies a batch completely or not at all, as ``/PreferencesRuntime/FileStore``.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` if nothing was changed: also if an entry is immutable.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        if batch.isEmpty { return }
        if writesAtOnce {
            // Another program may have added or removed localized entries. An update would create a missing folder.
            if !batch.onlyRemoves { return try update(by: writer) { _ in batch } }
            try file.reload()
        }
        let fileBatch: PreferenceBatch
        do {
            fileBatch = try self.fileBatch(of: batch, file.value)
        } catch let problem as PreferenceProblem where problem.code == .storeUnwritable {
            // The entry may no longer be immutable.
            try file.reload()
            fileBatch = try self.fileBatch(of: batch, file.value)
        }
        try file.apply(fileBatch, by: writer?.parts.first)
    }

    /// Applies a batch that is made from the current values, as ``/PreferencesRuntime/FileStore``.
    ///
    /// - Throws: Any error of the closure; and as ``apply(_:by:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try file.update(by: writer?.parts.first) { current in
            // The compiler cannot see that `current` does not call the closure to which it is passed.
            try withoutActuallyEscaping(current) { current in
                try fileBatch(of: makeBatch { name in try value(for: name, in: current) }, current)
            }
        }
    }

    private func fileBatch(
        of batch: PreferenceBatch,
        _ current: (_ fileName: String) throws -> PreferenceValue?
    ) throws -> PreferenceBatch {
        if batch.isEmpty { return batch }
        guard let contents = try file.contents() as? KeyFileContents<KConfigFormat> else {
            fatalError("The contents of a KConfigStore are those that its initializer has given to the file.")
        }
        var edits: [String: PreferenceEdit] = [:]
        for (name, edit) in batch {
            try check(name)
            let existing = try fileNames(of: name).filter { try current($0).map { _ in true } ?? false }
            switch edit {
            case .set(let value):
                do {
                    edits[existing.first ?? name] = .set(try coding.text(of: value))
                } catch {
                    throw problem(.unsupportedValue, name, error.message)
                }
            case .remove:
                for fileName in existing { edits[fileName] = .remove }
            }
            for fileName in fileNames(of: name) where edits[fileName] != nil {
                if let reason = contents.immutability(of: fileName) { throw problem(.storeUnwritable, name, reason) }
            }
        }
        return PreferenceBatch(edits)
    }

    private func check(_ name: String) throws(PreferenceProblem) {
        let message = "KConfig has no entry of this name"
        if KConfigName.isImpossible(name) { throw problem(.unsupportedValue, name, message) }
        do {
            _ = try KConfigName.location(of: name)
        } catch {
            throw problem(.unsupportedValue, name, error.message)
        }
    }

    private func problem(_ code: PreferenceProblem.Code, _ name: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(code, key: name, store: label, message: message, isMessagePublic: true)
    }
}

extension PreferenceStore where Self == KConfigStore {
    /// A store in a configuration file of KDE: ``KConfigStore/init(url:locale:timeZone:durability:lockTimeout:)``.
    public static func kConfig(url: URL) -> KConfigStore { KConfigStore(url: url) }
}
