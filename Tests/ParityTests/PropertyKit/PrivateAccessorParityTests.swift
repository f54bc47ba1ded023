import Foundation
import PreferencesRuntime
import TestSupport
import Testing

private struct Profile: PropertyNamedAccessors {
    let preferences: Preferences

    var secret: String {
        get { get(default: "") }
        nonmutating set { set(newValue) }
    }

    func local() -> PreferenceReference<String> {
        preferences.functionLocal("profile", default: "")
    }
}

private struct Settings: PropertyNamedAccessors {
    let preferences: Preferences

    var secret: String {
        get { get(default: "") }
        nonmutating set { set(newValue) }
    }

    func local() -> PreferenceReference<String> {
        preferences.functionLocal("setting", default: "")
    }

    func local(of number: Int) -> PreferenceReference<String> {
        preferences.functionLocal("numbered", default: "")
    }

    func local(of name: String) -> PreferenceReference<String> {
        preferences.functionLocal("named", default: "")
    }

    struct Profile: PropertyNamedAccessors {
        let preferences: Preferences

        var secret: String {
            get { get(default: "") }
            nonmutating set { set(newValue) }
        }
    }
}

/// Properties named `secret` of types in two files, three of them in this one.
private enum Secret: String, CaseIterable {
    case ofProfile, ofOtherFilesProfile, ofSettings, ofProfileInSettings

    func value(in preferences: Preferences) -> String {
        switch self {
        case .ofProfile: Profile(preferences: preferences).secret
        case .ofOtherFilesProfile: preferences.otherFilesSecret
        case .ofSettings: Settings(preferences: preferences).secret
        case .ofProfileInSettings: Settings.Profile(preferences: preferences).secret
        }
    }

    func set(_ value: String, in preferences: Preferences) {
        switch self {
        case .ofProfile: Profile(preferences: preferences).secret = value
        case .ofOtherFilesProfile: preferences.otherFilesSecret = value
        case .ofSettings: Settings(preferences: preferences).secret = value
        case .ofProfileInSettings: Settings.Profile(preferences: preferences).secret = value
        }
    }

    /// The properties, in an order of which each begins with another one.
    static func all(beginningWith first: Int) -> [Secret] {
        Array(allCases[first...] + allCases[..<first])
    }
}

@Suite("PropertyKit: private accessors and suites")
struct PrivateAccessorParityTests {
    @Test(
        "private accessors of one name in two files, or in two types of one file: never share a value",
        arguments: Secret.allCases.indices
    )
    private func secrets(first: Int) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appending(component: "preferences.json").path
            // In one run.
            await #expect(processExitsWith: .success) { [path = path as String, first = first as Int] in
                let preferences = Preferences(store: FileStore(url: URL(filePath: path)))
                for secret in Secret.all(beginningWith: first) {
                    #expect(secret.value(in: preferences) == "")
                    secret.set(secret.rawValue, in: preferences)
                }
                for secret in Secret.allCases { #expect(secret.value(in: preferences) == secret.rawValue) }
                try preferences.flush()
            }
            // In later runs, whichever is used first.
            await #expect(processExitsWith: .success) { [path = path as String, first = first as Int] in
                let preferences = Preferences(store: FileStore(url: URL(filePath: path)))
                for secret in Secret.all(beginningWith: first).reversed() {
                    #expect(secret.value(in: preferences) == secret.rawValue)
                    secret.set("\(secret.rawValue) again", in: preferences)
                }
                for secret in Secret.allCases { #expect(secret.value(in: preferences) == "\(secret.rawValue) again") }
            }
            let names = try FileStore(url: URL(filePath: path)).names()
            #expect(names.count == Secret.allCases.count)
        }
    }

    @Test("values scoped to a function, or to a property, by their name: persisted, distinct from others of that name")
    func scoped() throws {
        try withTemporaryDirectory { folder in
            // Each value is set in a run of its own, so that no run sees two functions of one name.
            for (index, name) in ["first", "second", "third"].enumerated() {
                let preferences = Preferences(store: FileStore(url: folder.appending(component: "preferences.json")))
                switch index {
                case 0: Profile(preferences: preferences).local().value = name
                case 1: Settings(preferences: preferences).local().value = name
                default: Settings(preferences: preferences).local(of: 1).value = name
                }
                try preferences.flush()
            }
            let later = Preferences(store: FileStore(url: folder.appending(component: "preferences.json")))
            #expect(Profile(preferences: later).local().value == "first")
            #expect(Settings(preferences: later).local().value == "second")
            #expect(Settings(preferences: later).local(of: 1).value == "third")
            #expect(Settings(preferences: later).local(of: "1").value == "")
            #expect(Profile(preferences: later).secret == "")
            Profile(preferences: later).secret = "property"
            #expect(Settings(preferences: later).secret == "")
            #expect(Profile(preferences: later).local().value == "first")
        }
    }

    // In processes of their own, since a process reads the place of its user defaults once.
    @Test("a named suite of user defaults: its values and those of the standard domain differ, in files of their own")
    func suite() async throws {
        try await withTemporaryDirectory { home in
            var environment = ProcessInfo.processInfo.environment
            environment["HOME"] = home.path
            environment["CFFIXED_USER_HOME"] = home.path
            environment["XDG_CONFIG_HOME"] = nil
            func run(_ words: String...) async throws {
                let child = try BuiltWithTests.executable("StoreChild").path
                let run = try await CommandLineRun(child, words, in: home, environment: environment, mergesErrors: true)
                #expect(run.succeeded, "\(run.output)")
            }
            try await run("set", "user.defaults", "level", "1")
            try await run("set", "local.suite", "level", "2")
            // Both values are persisted.
            try await run("follow", "user.defaults", "level", "1")
            try await run("follow", "local.suite", "level", "2")
            #if os(Linux)
                let folder = home.appending(component: ".config")
                let levels = try ["StoreChild.plist", "local.plist"].map { file in
                    let data = try Data(contentsOf: folder.appending(component: file))
                    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
                    return (list as? [String: Int])?["level"]
                }
                #expect(levels == [1, 2])
            #endif
        }
    }
}
