import Dispatch
import Foundation
import PreferencesCommandLine
import PreferencesCompatibility
import PreferencesRemote
import PreferencesRuntime
import PreferencesSQLite
import PreferencesSchema
import Synchronization

/// The location of a store, as the command line gives it: a path, or a URL such as `sqlite:weather.db`.
struct StoreLocation {
    let text: String
    private let kind: Kind
    private let rest: String
    private let settings: [String: String]

    private enum Kind: String, CaseIterable {
        case file
        case sqlite
        case defaults
        case env
        case http
        case https
        case gsettings
        case kconfig
        case secret
        case etcd

        /// The names of its settings, after `?`, and their values, none for any; nil if these are the paths of schemas.
        var settings: [String: [String]]? {
            switch self {
            case .file: ["format": StoreLocation.formats.keys.sorted(), "layout": StoreLocation.layouts.keys.sorted()]
            case .gsettings: nil
            case .secret: Keyring.settings
            default: [:]
            }
        }

        /// Whether `?` begins a query, which belongs to the location.
        var hasQuery: Bool { self == .http || self == .https }

        /// Whether the location is the path of a file.
        var isPath: Bool { ![.defaults, .env, .http, .https, .secret, .etcd].contains(self) }
    }

    private static let formats: [String: FileStore.Format] = [
        "json": .json, "jsonc": .jsonWithComments, "plist": .xmlPropertyList, "bplist": .binaryPropertyList,
    ]
    private static let layouts: [String: FileStore.Layout] = ["flat": .flat, "nested": .nested]

    /// The section of help texts.
    static let section = CommandDescription.Section(
        "STORES",
        [
            .init(
                "PATH, file:PATH",
                "A file. '?format=json', 'jsonc', 'plist' or 'bplist' overrides its name; '?layout=nested' is for JSON with "
                    + "an object for each namespace."
            ),
            .init("sqlite:PATH", "A database of SQLiteStore."),
            .init("defaults:SUITE", "The user defaults of a suite, such as an app's identifier."),
            .init("env:PREFIX", "Environment variables, read-only: 'env:APP_' has APP_WEATHER_UNIT for weather.unit."),
            .init("http:…, https:…", "A JSON document, read-only."),
            .init(
                "gsettings:PATH",
                "A keyfile of GSettings. Default: ~/.config/glib-2.0/settings/keyfile. The paths of the keys are those of "
                    + "the *.gschema.xml; '?SCHEMA=/PATH/&…' gives them for other and for relocatable schemas."
            ),
            .init("kconfig:PATH", "A file of a KDE program."),
            .init(
                "secret:SERVICE",
                "The items of a service in the desktop's keyring, or in the keychain on macOS. Default: the service of "
                    + "'--app'. '?collection=LABEL' is another collection than the default one, and "
                    + "'?collection=session' the one in memory."
            ),
            .init(
                "etcd:URL/PREFIX",
                "The keys of a prefix in etcd: 'etcd:http://127.0.0.1:2379/fleet/weather', or of several members "
                    + "'etcd:http://a:2379,http://b:2379/fleet/weather'. As for etcdctl, ETCDCTL_USER is the user, with "
                    + "':PASSWORD' or ETCDCTL_PASSWORD, and ETCDCTL_CACERT, ETCDCTL_CERT and ETCDCTL_KEY are files of "
                    + "certificates."
            ),
        ]
    )

    init(_ text: String) throws(UsageError) {
        self.text = text
        guard !text.isEmpty else {
            throw UsageError(message: "the location of a store is empty; a shell variable may be unset")
        }
        let scheme = text.prefix { $0 != ":" }
        guard scheme.count < text.count, !scheme.contains("/"), !scheme.contains("?") else {
            if Kind(rawValue: text) != nil, !FilePath.exists(text) {
                throw UsageError(
                    message: "'\(text)' is a kind of store; did you mean '\(text):'? './\(text)' is a file"
                )
            }
            kind = .file
            (rest, settings) = try Self.parts(text[...], of: .file)
            return
        }
        guard let kind = Kind(rawValue: scheme.lowercased()) else {
            throw UsageError(
                message:
                    "unknown kind of store '\(scheme)'; the kinds are \(Kind.allCases.map(\.rawValue).quotedList), "
                    + "and './\(text)' is a file"
            )
        }
        self.kind = kind
        (rest, settings) = try Self.parts(text.dropFirst(scheme.count + 1), of: kind)
    }

    /// Returns a location without its settings, and these.
    private static func parts(
        _ location: Substring,
        of kind: Kind
    ) throws(UsageError) -> (rest: String, settings: [String: String]) {
        // The name of a file can contain the mark.
        let isName = kind.hasQuery || kind.isPath && FilePath.exists(String(location))
        guard !isName, let mark = location.lastIndex(of: "?") else { return (String(location), [:]) }
        return (String(location[..<mark]), try settings(location[location.index(after: mark)...], of: kind))
    }

    private static func settings(_ text: Substring, of kind: Kind) throws(UsageError) -> [String: String] {
        var settings: [String: String] = [:]
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let known = kind.settings else {
                guard words.count == 2, GSettingsKeyfileStore.accepts(path: words[1]) else {
                    throw UsageError(message: "'\(part)' is no path of a schema; write 'SCHEMA=/PATH/'")
                }
                if let other = settings.first(where: { $0.key != words[0] && $0.value == words[1] })?.key {
                    throw UsageError(message: "'\(other)' and '\(words[0])' have the same path '\(words[1])'")
                }
                settings[words[0]] = words[1]
                continue
            }
            guard words.count == 2, let values = known[words[0]] else {
                throw UsageError(
                    message: "unknown setting '\(part)' of a store; "
                        + (known.isEmpty
                            ? "'\(kind.rawValue):' has none"
                            : "those of '\(kind.rawValue):' are \(known.keys.sorted().quotedList)")
                )
            }
            guard !values.isEmpty || !words[1].isEmpty else {
                throw UsageError(message: "the setting '\(words[0])' of a store has no value")
            }
            guard values.isEmpty || values.contains(words[1]) else {
                throw UsageError(message: "unknown \(words[0]) '\(words[1])'; the values are \(values.quotedList)")
            }
            settings[words[0]] = words[1]
        }
        return settings
    }

    /// Returns the paths of namespaces in a keyfile of GSettings; nil for another store.
    func paths(_ gSettings: GSettingsSchemas) -> [String: String]? {
        kind == .gsettings ? gSettings.paths(given: settings) : nil
    }

    /// Opens the store. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - gSettings: The schemas of GSettings, whose paths a keyfile has.
    ///   - keyring: The keyring.
    func store(_ gSettings: GSettingsSchemas, _ keyring: Keyring) throws(UsageError) -> any PreferenceStore {
        switch kind {
        case .file: try fileStore()
        case .sqlite: SQLiteStore(url: try url())
        case .defaults: try defaultsStore()
        case .env: EnvironmentStore(prefix: rest)
        case .http, .https: try httpStore()
        case .gsettings:
            GSettingsKeyfileStore(
                url: rest.isEmpty ? GSettingsKeyfileStore.defaultURL : try url(),
                paths: gSettings.paths(given: settings)
            )
        case .kconfig: KConfigStore(url: try url())
        case .secret: try keyringStore(keyring)
        case .etcd: try etcdStore()
        }
    }

    /// The path of the file; nil for other stores, and for the default file of GSettings.
    var path: String? { kind.isPath && !rest.isEmpty ? (try? url())?.path(percentEncoded: false) : nil }

    private func url() throws(UsageError) -> URL {
        if kind == .file, rest.hasPrefix("//") {
            // `file:///etc/weather%20station.json`
            guard let url = URL(string: "file:\(rest)"), ["", "localhost"].contains(url.host() ?? "") else {
                throw UsageError(message: "'\(text)' is not the URL of a file of this machine; write 'file:PATH'")
            }
            return URL(filePath: url.path(percentEncoded: false))
        }
        let path = rest.hasPrefix("//") ? String(rest.drop { $0 == "/" }.reduce(into: "/") { $0.append($1) }) : rest
        guard !path.isEmpty else { throw UsageError(message: "'\(text)' has no path; write '\(kind.rawValue):PATH'") }
        // Shells expand a tilde only at the beginning of a word.
        guard path.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else {
            return URL(filePath: path)
        }
        return URL(filePath: home + path.dropFirst())
    }

    private func fileStore() throws(UsageError) -> any PreferenceStore {
        FileStore(
            url: try url(),
            format: settings["format"].flatMap { Self.formats[$0] },
            layout: settings["layout"].flatMap { Self.layouts[$0] } ?? .flat,
            // A command must not set a file aside that its user can repair.
            damageHandling: .refuse
        )
    }

    private func defaultsStore() throws(UsageError) -> any PreferenceStore {
        guard !rest.isEmpty, !rest.contains("/"), UserDefaults(suiteName: rest) != nil else {
            throw UsageError(message: "'\(text)' names no suite of user defaults; write 'defaults:SUITE'")
        }
        return UserDefaultsStore(suite: rest)
    }

    private func keyringStore(_ keyring: Keyring) throws(UsageError) -> any PreferenceStore {
        guard let service = rest.isEmpty ? keyring.app : rest else {
            throw UsageError(message: "'\(text)' names no service; write 'secret:SERVICE', or specify '--app NAME'")
        }
        return keyring.store(service: service, settings)
    }

    private func etcdStore() throws(UsageError) -> any PreferenceStore {
        guard !rest.contains("@") else {
            // The message does not repeat the password.
            throw UsageError(
                message: "a location of 'etcd:' has no user; other users see it among the processes; set ETCDCTL_USER"
            )
        }
        guard let cluster = EtcdCluster(rest) else {
            throw UsageError(
                message:
                    "'\(text)' is no prefix in etcd; write 'etcd:http://HOST:2379/PREFIX', or with 'https'"
            )
        }
        return try cluster.store(ProcessInfo.processInfo.environment)
    }

    private func httpStore() throws(UsageError) -> any PreferenceStore {
        guard let url = URL(string: text), url.host() != nil else {
            throw UsageError(message: "'\(text)' is not a URL")
        }
        return HTTPStore(url: url)
    }
}

extension PreferenceStore {
    /// Whether the store has the document of a server, which changes only when it is requested.
    var isDocument: Bool { self is HTTPStore }
}

extension [any PreferenceStore] {
    /// Requests the documents of servers, and waits for them. The caller must not run in a task.
    ///
    /// - Throws: The problem of the first store whose document was not received.
    func refreshDocuments() throws {
        for case let store as HTTPStore in self { _ = try waitForTask { try await store.refresh() } }
    }
}

/// Runs a task, and blocks the thread until it has ended. The caller must not
/// be a task: the new one may need its thread.
func waitForTask<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isComplete = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await body()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        isComplete.signal()
    }
    isComplete.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("a task that has ended has a result") }
    return try result.get()
}
