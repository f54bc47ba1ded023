public import Foundation
public import PreferencesRuntime

/// A store in the file of GSettings' keyfile backend, `~/.config/glib-2.0/settings/keyfile`.
///
/// Programs use this backend in sandboxes, such as those of Flatpak, and with `GSETTINGS_BACKEND=keyfile`. Settings that
/// are in dconf's database can be written to such a file by `dconf dump / > keyfile`.
///
/// A schema that was imported from GSettings names its keys by the id of the schema: `org.example.Clock:show-seconds`.
/// The store finds them at the path of the schema, which its `*.gschema.xml` declares:
///
/// ```swift
/// let store = GSettingsKeyfileStore(paths: ["org.example.Clock": "/org/example/clock/"])
/// // org.example.Clock:show-seconds     is `show-seconds=true` in the group `[org/example/clock]`
/// // /org/example/other/show-seconds    is the key of any other path
/// ```
///
/// A name with a colon whose namespace is not in ``paths`` is refused, since its values would not be found. Other names
/// are keys of the group `[swift-preferences]`, percent-encoded where a key of the file must not have the character.
///
/// ### Values
///
/// Values are in the GVariant text format: `true`, `5`, `'Oslo'`, `['a', 'b']`, `{'a': 1}`. Types are inferred from the
/// text, and a `Double` reads an integer. Variants and tuples are read as their contents: `{'a': <1>}`, `(1, 'a')`, and
/// stay variants and tuples when they change. Byte strings are read as `Data` or `[UInt8]`. `nothing` is null.
///
/// `gsettings` reads what is set if the type of the key is that of the imported schema. Containers of values of different
/// types become variants. Values that GVariant cannot represent, which are dates and strings with NUL, are stored as
/// `{'$json': '…'}`.
///
/// The store reads one file, and not the defaults and locks of administrators in `/etc/glib-2.0/settings`.
///
/// Files are locked, replaced and watched as by ``/PreferencesRuntime/FileStore``. Comments, other entries and their
/// order are kept. GSettings does not use the lock, so that simultaneous edits by such a program may be lost.
public struct GSettingsKeyfileStore: PreferenceStoreAdapter {
    /// The store of the file's values, by their paths.
    public let base: any PreferenceStore
    /// The paths of namespaces: for `org.example.Clock`, that of the keys `org.example.Clock:…`.
    public let paths: [String: String]

    private let namespaces: [String: String]

    /// The group of names that are not keys of GSettings.
    private static let ownPath = "/swift-preferences/"

    /// Creates a store. The file is not accessed until the store is first read, written or observed.
    ///
    /// - Parameters:
    ///   - url: The file URL of the file, which need not exist yet; by default ``defaultURL``. The program ends with any
    ///     other URL.
    ///   - paths: The paths of namespaces: the names of nested namespaces, joined by colons, with the paths of their
    ///     keys. A path begins and ends with a slash; of two namespaces with one path, or with any other path, the
    ///     program ends.
    ///   - durability: When edits are written; by default 50 ms after the first one.
    ///   - lockTimeout: The time that a call waits for the file's lock while another process holds it.
    public init(
        url: URL = GSettingsKeyfileStore.defaultURL,
        paths: [String: String] = [:],
        durability: FileStore.Durability = .coalesced(milliseconds: 50),
        lockTimeout: Duration = FileStore.defaultLockTimeout
    ) {
        let file = FileStore(
            url: url,
            contents: KeyFileContents<GSettingsKeyfileFormat>.self,
            durability: durability,
            lockTimeout: lockTimeout
        )
        self.init(base: file, paths: paths)
    }

    /// - Parameter base: The store of the file's values, by their paths.
    private init(base: any PreferenceStore, paths: [String: String]) {
        for (namespace, path) in paths where !Self.accepts(path: path) {
            fatalError("GSettings has no path '\(path)' for '\(namespace)': a path is like '/org/example/clock/'")
        }
        self.base = base
        self.paths = paths
        namespaces = Dictionary(paths.map { ($0.value, $0.key) }) { first, second in
            fatalError("'\(first)' and '\(second)' have the same path")
        }
    }

    /// Creates a read-only store of the output of `dconf dump /`, whose values are all in the GVariant text format.
    ///
    /// - Throws: ``ParsedDocument/Fault`` if a line is not one of a keyfile.
    package init(
        parsing bytes: [UInt8],
        paths: [String: String],
        label: String
    ) throws(ParsedDocument.Fault) {
        let document = try ParsedDocument(parsing: bytes, as: KeyFileContents<DconfDumpFormat>.self)
        self.init(base: DocumentStore(document, label: label), paths: paths)
    }

    /// Returns the text of values that `dconf load /` reads.
    ///
    /// - Throws: ``ParsedDocument/Fault`` if the format cannot represent a name or a value.
    package static func text(
        of values: [String: PreferenceValue],
        paths: [String: String]
    ) throws(ParsedDocument.Fault) -> [UInt8] {
        var document = ParsedDocument(KeyFileContents<DconfDumpFormat>.self)
        let store = Self(base: MemoryStore(), paths: paths)
        try document.set(Dictionary(values.map { (store.baseName(of: $0.key), $0.value) }) { first, _ in first })
        return try document.encoded()
    }

    /// Whether a path can be that of a namespace.
    package static func accepts(path: String) -> Bool {
        GSettingsKeyfileFormat.isValidPath(path) && path != ownPath
    }

    /// `glib-2.0/settings/keyfile` in the folder of `XDG_CONFIG_HOME`, or in `$HOME/.config`.
    public static var defaultURL: URL {
        FileStore.configurationFolder(
            environment: ProcessInfo.processInfo.environment,
            home: URL.homeDirectory
        ).appending(path: "glib-2.0/settings/keyfile")
    }

    /// Exclusive updates, since GSettings does not use the file's lock.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .exclusiveUpdates }

    // MARK: - Names

    /// Returns the path of a name.
    public func baseName(of name: String) -> String {
        if name.utf8.first == UInt8(ascii: "/"), let end = name.utf8.lastIndex(of: UInt8(ascii: "/")),
            GSettingsKeyfileFormat.isValidPath("\(name[...end])"),
            GSettingsKeyfileFormat.isValidKey(String(name[end...].dropFirst()))
        {
            let path = String(name[...end])
            // Each entry has one name, since observers are notified of one.
            if let namespace = namespaces[path] {
                return "\(GSettingsKeyfileFormat.refusal)\(namespace):\(name[end...].dropFirst())"
            }
            if path != Self.ownPath { return name }
        }
        if let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")), colon > name.startIndex {
            let key = String(name[name.utf8.index(after: colon)...])
            if GSettingsKeyfileFormat.isValidKey(key) {
                // Without a path, the file refuses the name.
                return paths[String(name[..<colon])].map { $0 + key } ?? name
            }
        }
        return Self.ownPath + Self.encoded(name)
    }

    /// Returns the name of a path; nil if it has none.
    public func name(ofBaseName baseName: String) -> String? {
        if baseName.unicodeScalars.first == GSettingsKeyfileFormat.refusal {
            let parts = baseName.unicodeScalars.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
            let namespace = parts.dropLast().map { String($0) }.joined(separator: ":")
            return paths[namespace].map { $0 + String(parts[parts.count - 1]) }
        }
        guard let end = baseName.utf8.lastIndex(of: UInt8(ascii: "/")) else { return baseName }
        let (path, key) = (String(baseName[...end]), String(baseName[baseName.utf8.index(after: end)...]))
        let name = namespaces[path].map { "\($0):\(key)" } ?? (path == Self.ownPath ? Self.decoded(key) : baseName)
        // An entry of another program in the group of this store may not be the encoding of a name.
        return name.flatMap { self.baseName(of: $0) == baseName ? $0 : nil }
    }

    /// Percent-encodes a name as a key. The empty name is `%`.
    private static func encoded(_ name: String) -> String {
        if name.isEmpty { return "%" }
        let scalars = Array(name.unicodeScalars)
        return scalars.enumerated().map { index, scalar in
            let isAtEnd = index == 0 || index == scalars.count - 1
            let isPlain = GSettingsKeyfileFormat.isValidKey(isAtEnd ? String(scalar) : "a\(scalar)a")
            if isPlain, scalar != "%" { return String(scalar) }
            return String(scalar).utf8.map { byte in
                (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }.joined()
        }.joined()
    }

    /// Decodes UTF-8 itself because Foundation on Linux removes a byte order mark.
    private static func decoded(_ key: String) -> String? {
        if key == "%" { return "" }
        var bytes: [UInt8] = []
        var rest = Array(key.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    // MARK: - Values

    /// Converts a value to a type: bytes to arrays of integers and back, also inside of containers, and any other as its
    /// type does.
    ///
    /// - Throws: An error if the value does not fit the type.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        do {
            return try Value(preferenceValue: value)
        } catch {
            for form in [Self.withArrays(value), Self.withData(value)] {
                if let result = try? Value(preferenceValue: form) { return result }
            }
            throw error
        }
    }

    /// Returns a value with an array of integers in place of each bytes.
    private static func withArrays(_ value: PreferenceValue) -> PreferenceValue {
        switch value {
        case .data(let data): .array(data.map { .int(Int64($0)) })
        case .array(let elements): .array(elements.map(withArrays))
        case .dictionary(let entries): .dictionary(entries.mapValues(withArrays))
        default: value
        }
    }

    /// Returns a value with bytes in place of each array of them.
    private static func withData(_ value: PreferenceValue) -> PreferenceValue {
        switch value {
        case .array(let elements): GVariantReader.data(of: elements).map { .data($0) } ?? .array(elements.map(withData))
        case .dictionary(let entries): .dictionary(entries.mapValues(withData))
        default: value
        }
    }
}

extension PreferenceStore where Self == GSettingsKeyfileStore {
    /// A store in a keyfile of GSettings: ``GSettingsKeyfileStore/init(url:paths:durability:lockTimeout:)``.
    public static func gSettingsKeyfile(
        url: URL = GSettingsKeyfileStore.defaultURL,
        paths: [String: String] = [:]
    ) -> GSettingsKeyfileStore {
        GSettingsKeyfileStore(url: url, paths: paths)
    }
}
