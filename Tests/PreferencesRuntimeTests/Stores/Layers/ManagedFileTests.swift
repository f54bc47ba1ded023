import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Policies in files, which only the superuser can have written.
@Suite(.enabled(if: geteuid() == 0, "only the superuser can write a policy"))
struct ManagedFileTests {
    private static let attacker: uid_t = 12_345

    /// Runs a body with a folder in one that only the superuser can change, as `/tmp` is not.
    private func withPolicyFolder(_ body: (_ folder: URL) async throws -> Void) async throws {
        try await withTemporaryDirectory(in: URL(filePath: "/var/lib"), body)
    }

    /// Preferences over the policy in a folder, and a store of the user.
    private func preferences(
        _ folder: URL,
        user: [String: PreferenceValue] = ["level": 1]
    ) -> Preferences {
        Preferences(store: .layered(.managed(folder: folder.filePath), .memory(user)))
    }

    private func write(_ text: String, to name: String, in folder: URL, mode: mode_t = 0o644) throws {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        // Installers replace files like this.
        let new = url.filePath + ".new"
        try Data(text.utf8).write(to: URL(filePath: new))
        try #require(chmod(new, mode) == 0)
        try #require(rename(new, url.filePath) == 0)
    }

    private func give(_ url: URL, to user: uid_t = attacker) throws {
        try #require(lchown(url.filePath, user, user) == 0)
    }

    // MARK: - Contents

    @Test("The values in managed.json are fixed")
    func theValuesInManagedJSONAreFixed() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 5}", to: "managed.json", in: folder)
            try write("{\"level\": 7, \"other\": 7}", to: "preferences.json", in: folder)
            let preferences = preferences(folder)
            let path = folder.appending(component: "managed.json").filePath
            #expect(preferences.level == 5)
            #expect(preferences.other == 0, "it is not locked")
            #expect(preferences.source(of: \.level) == path)
            let problem = PreferenceProblem(
                .managed,
                key: "level",
                store: path,
                message: "it is fixed by \(path); it was not set"
            )
            #expect(throws: problem) { try preferences.set(\.level, to: 2) }
        }
    }

    @Test("Locked names are fixed at their values in preferences.json, or at their defaults")
    func lockedNamesAreFixed() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 5}", to: "preferences.json", in: folder)
            try write("\n# no other levels\r\n  level\r\n\n", to: "locks/10-levels", in: folder)
            try write("other", to: "locks/20-others", in: folder)
            try write("deep", to: "locks/.hidden", in: folder)
            try write("deep", to: "locks/folder/list", in: folder)
            let preferences = preferences(folder, user: ["level": 1, "other": 1, "a:deep": 1])
            #expect(preferences.level == 5)
            #expect(preferences.other == 0)
            #expect(preferences.deep == 1)
            let list = folder.appending(path: "locks/10-levels").filePath
            let problem = #expect(throws: PreferenceProblem.self) { try preferences.set(\.level, to: 2) }
            #expect(problem?.message == "it is fixed by \(list); it was not set")
            #expect(preferences.source(of: \.level) == folder.appending(component: "preferences.json").filePath)
            #expect(await preferences.reportedProblems().isEmpty)
        }
    }

    @Test("A line that ends with a colon locks all names under the prefix", arguments: ["a:", ":"])
    func aLineThatEndsWithAColonLocksAPrefix(line: String) async throws {
        try await withPolicyFolder { folder in
            try write(line, to: "locks/list", in: folder)
            let preferences = preferences(folder, user: ["a:deep": 1, "level": 1])
            #expect(preferences.isManaged(\.deep))
            #expect(preferences.isManaged(\.level) == (line == ":"))
        }
    }

    @Test("A lock list can have a byte order mark and any line ends", arguments: ["\n", "\r\n", "\r"])
    func aLockListCanHaveAnyLineEnds(end: String) async throws {
        try await withPolicyFolder { folder in
            try write("\u{FEFF}level\(end)other\(end)", to: "locks/list", in: folder)
            try write("a\0\(end)a:deep", to: "locks/other", in: folder)
            let preferences = preferences(folder, user: ["a:deep": 1])
            #expect(preferences.isManaged(\.level))
            #expect(preferences.isManaged(\.other))
            #expect(preferences.isManaged(\.deep))
            let problem = await preferences.firstProblem()
            #expect(problem?.message == "line 1 is not text in UTF-8: the other lines have an effect")
        }
    }

    @Test("A former name that managed.json has gives way to a lock on the present one")
    func aLockOnThePresentNameTakesPrecedence() async throws {
        try await withPolicyFolder { folder in
            try write("{\"a:old\": 1}", to: "managed.json", in: folder)
            try write("{\"a:now\": 2}", to: "preferences.json", in: folder)
            try write("a:now", to: "locks/list", in: folder)
            let now = PreferenceReference(
                "a:now",
                default: 0,
                [.managed, .renamed(from: "a:old")],
                in: preferences(folder, user: ["a:now": 3])
            )
            #expect(now.value == 2)
        }
    }

    @Test("A malformed line of a lock list is reported, and the other lines count")
    func aMalformedLineOfALockListIsReported() async throws {
        try await withPolicyFolder { folder in
            let list = folder.appending(path: "locks/list")
            try write("", to: "locks/list", in: folder)
            try (Data("level\n".utf8) + [0xFF, 0xFE, 0x0A] + Data("other\n".utf8)).write(to: list)
            let preferences = preferences(folder)
            #expect(preferences.isManaged(\.level))
            #expect(preferences.isManaged(\.other))
            let problem = await preferences.firstProblem()
            #expect(problem?.code == .storeMalformed)
            #expect(problem?.store == list.filePath)
            #expect(problem?.message == "line 2 is not text in UTF-8: the other lines have an effect")
            try preferences.reload()
            #expect(await preferences.reportedProblems().count == 1)
        }
    }

    @Test("A policy that is malformed from the start fixes nothing, and is reported once")
    func aPolicyThatIsMalformedFromTheStart() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 5", to: "managed.json", in: folder)
            let preferences = preferences(folder)
            #expect(preferences.level == 1)
            #expect(preferences.plain == 1)
            let problem = await preferences.firstProblem()
            #expect(problem?.code == .storeMalformed)
            #expect(problem?.store == folder.appending(component: "managed.json").filePath)
            try preferences.reload()
            #expect(await preferences.reportedProblems().count == 1)
        }
    }

    @Test("A policy that becomes malformed keeps the values that were read last")
    func aPolicyThatBecomesMalformedKeepsItsValues() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 5}", to: "managed.json", in: folder)
            let preferences = preferences(folder)
            #expect(preferences.level == 5)
            try write("oops", to: "managed.json", in: folder)
            try preferences.reload()
            #expect(preferences.level == 5)
            #expect(preferences.isManaged(\.level))
            #expect(await preferences.reportedProblems().map(\.code) == [.storeMalformed])
            try write("{\"level\": 6}", to: "managed.json", in: folder)
            try preferences.reload()
            #expect(preferences.level == 6)
            #expect(await preferences.reportedProblems().count == 1)
        }
    }

    @Test("A lock whose values are malformed fixes the key at its default")
    func aLockWhoseValuesAreMalformed() async throws {
        try await withPolicyFolder { folder in
            try write("oops", to: "preferences.json", in: folder)
            try write("level", to: "locks/list", in: folder)
            let preferences = preferences(folder)
            #expect(preferences.level == 0)
            #expect(preferences.isManaged(\.level))
        }
    }

    @Test("A value that no store can hold keeps the key fixed, at its default")
    func aValueThatNoStoreCanHoldKeepsTheKeyFixed() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 1e999, \"other\": 3}", to: "managed.json", in: folder)
            let preferences = preferences(folder)
            #expect(preferences.level == 0)
            #expect(preferences.isManaged(\.level))
            #expect(preferences.other == 3)
            #expect(await preferences.firstProblem()?.key == "level")
        }
    }

    @Test("A file of a given path may be a property list")
    func aFileOfAGivenPathMayBeAPropertyList() async throws {
        try await withPolicyFolder { folder in
            let url = folder.appending(component: "policy.plist")
            let list = try PropertyListSerialization.data(fromPropertyList: ["level": 5], format: .xml, options: 0)
            try write(String(decoding: list, as: UTF8.self), to: "policy.plist", in: folder)
            let preferences = Preferences(store: .layered(.managed(file: url.filePath), .memory))
            #expect(preferences.level == 5)
        }
    }

    @Test("A named pipe in the place of a policy does not block, and fixes nothing")
    func aNamedPipeInThePlaceOfAPolicy() async throws {
        try await withPolicyFolder { folder in
            try #require(mkfifo(folder.appending(component: "managed.json").filePath, 0o600) == 0)
            let preferences = preferences(folder)
            #expect(preferences.level == 1)
            #expect(await preferences.firstProblem()?.code == .storeUnreadable)
        }
    }

    @Test("The policy of an app is in a folder that the environment does not change")
    func thePolicyOfAnAppIsInAFolderThatTheEnvironmentDoesNotChange() {
        #if canImport(Darwin)
            let folder = "/Library/Application Support/weather"
        #else
            let folder = "/etc/xdg/weather"
        #endif
        #expect(ManagedStore(forApp: "weather").label == "managed settings in \(folder)")
    }

    #if os(Linux)
        @Test("The policy of an app does not depend on XDG_CONFIG_DIRS")
        func thePolicyOfAnAppDoesNotDependOnTheEnvironment() async throws {
            try await withPolicyFolder { folder in
                let app = "preferences-test-\(UInt64.random(in: .min ... .max))"
                let system = URL(filePath: "/etc/xdg/\(app)")
                defer { try? FileManager.default.removeItem(at: system) }
                try write("{\"level\": 5}", to: "managed.json", in: system)
                try write("{\"level\": 9}", to: "\(app)/managed.json", in: folder)
                var environment = ProcessInfo.processInfo.environment
                environment["XDG_CONFIG_DIRS"] = folder.filePath
                environment["XDG_CONFIG_HOME"] = folder.filePath
                let run = try await CommandLineRun(
                    BuiltWithTests.executable("StoreChild").path,
                    ["managed", app, "level", "1"],
                    environment: environment,
                    mergesErrors: true
                )
                #expect(run.output == "5, fixed by /etc/xdg/\(app)/managed.json\n")
            }
        }
    #endif

    // MARK: - Trust

    /// A way in which a user could have written a policy.
    enum Fault: String, CaseIterable {
        case ownedFile, writableFile, groupWritableFile, ownedFolder, writableFolder, stickyFolder, linkToOwnedFile
        case linkToOwnedFolder, hardLinkInOwnedFolder

        /// The end of the problem's message.
        var advice: String {
            switch self {
            case .ownedFile, .ownedFolder, .linkToOwnedFile, .linkToOwnedFolder, .hardLinkInOwnedFolder:
                "is owned by user 12345, not by root: chown it to root"
            case .writableFile, .writableFolder: "or use a folder that only root can change"
            // Without write permission for all users, programs could not use a folder like `/tmp` any more.
            case .stickyFolder: "a sticky folder that other users can write: use a folder that only root can change"
            case .groupWritableFile: "is writable by its group"
            }
        }
    }

    /// Makes a policy that a user could have written.
    private func makePolicy(_ fault: Fault, in folder: URL) throws {
        let file = folder.appending(component: "managed.json")
        let text = "{\"level\": 5}"
        switch fault {
        case .ownedFile:
            try write(text, to: "managed.json", in: folder)
            try give(file)
        case .writableFile: try write(text, to: "managed.json", in: folder, mode: 0o666)
        case .groupWritableFile: try write(text, to: "managed.json", in: folder, mode: 0o664)
        case .ownedFolder:
            try write(text, to: "managed.json", in: folder)
            try give(folder)
        case .writableFolder, .stickyFolder:
            try write(text, to: "managed.json", in: folder)
            try #require(chmod(folder.filePath, fault == .stickyFolder ? 0o1777 : 0o777) == 0)
        case .linkToOwnedFile:
            try write(text, to: "other/policy", in: folder)
            try give(folder.appending(path: "other/policy"))
            try #require(symlink("other/policy", file.filePath) == 0)
        case .linkToOwnedFolder:
            try write(text, to: "other/policy", in: folder)
            try give(folder.appending(path: "other"))
            try #require(symlink("other/policy", file.filePath) == 0)
        case .hardLinkInOwnedFolder:
            // The user has given a file of the superuser another name.
            try write(text, to: "other/policy", in: folder)
            try #require(link(folder.appending(path: "other/policy").filePath, file.filePath) == 0)
            try give(folder)
        }
    }

    @Test("A policy that a user could have written has no effect, and is reported once", arguments: Fault.allCases)
    func aPolicyThatAUserCouldHaveWrittenHasNoEffect(fault: Fault) async throws {
        try await withPolicyFolder { folder in
            // The body's folder is inside one that is trusted whatever the fault.
            let inner = folder.appending(component: "weather")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            try makePolicy(fault, in: inner)
            let policy = ManagedStore(file: inner.appending(component: "managed.json").filePath)
            let preferences = Preferences(store: LayeredStore([policy, MemoryStore(["level": 1])]))
            #expect(preferences.level == 1)
            #expect(!preferences.isManaged(\.level))
            let problem = await preferences.firstProblem()
            #expect(problem?.code == .untrustedPolicy)
            #expect(problem?.message.hasPrefix("it has no effect, because ") == true)
            #expect(problem?.message.contains(fault.advice) == true, "\(problem?.message ?? "")")
            try preferences.reload()
            #expect(await preferences.reportedProblems().count == 1)
        }
    }

    @Test("A policy in a temporary folder has no effect")
    func aPolicyInATemporaryFolderHasNoEffect() async throws {
        try await withTemporaryDirectory { folder in
            try write("{\"level\": 5}", to: "managed.json", in: folder)
            let preferences = preferences(folder)
            #expect(preferences.level == 1)
            let problem = await preferences.firstProblem()
            #expect(problem?.code == .untrustedPolicy)
            #expect(problem?.message.contains("chmod") == false)
        }
    }

    @Test("A missing policy is no problem, however far below a folder that is not trusted")
    func aMissingPolicyIsNoProblem() async throws {
        try await withPolicyFolder { folder in
            let inner = folder.appending(path: "home/a/b")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try #require(symlink("a", folder.appending(path: "home/link").filePath) == 0)
            try give(folder.appending(component: "home"))
            for path in ["home", "home/a", "home/a/b", "home/a/b/c/d", "home/link/b"] {
                let preferences = preferences(folder.appending(path: path))
                #expect(preferences.level == 1)
                try preferences.reload()
                #expect(await preferences.reportedProblems().isEmpty, "\(path)")
            }
            try write("{\"level\": 5}", to: "managed.json", in: inner)
            for path in ["home/a/b", "home/link/b"] {
                let preferences = preferences(folder.appending(path: path))
                #expect(preferences.level == 1)
                try preferences.reload()
                #expect(await preferences.reportedProblems().map(\.code) == [.untrustedPolicy], "\(path)")
            }
        }
    }

    @Test("A policy whose existence is unknown, below a folder that is not trusted, has no effect")
    func aPolicyWhoseExistenceIsUnknown() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 5}", to: "home/managed.json", in: folder)
            let preferences = preferences(folder.appending(component: "home"))
            #expect(preferences.level == 5)
            let file = folder.appending(path: "home/managed.json").filePath
            try #require(unlink(file) == 0 && symlink("managed.json", file) == 0)
            try give(folder.appending(component: "home"))
            try preferences.reload()
            #expect(preferences.level == 1)
            #expect(await preferences.reportedProblems().map(\.code) == [.untrustedPolicy])
        }
    }

    @Test("A lock list that cannot be read keeps its locks, and is reported once")
    func aLockListThatCannotBeReadKeepsItsLocks() async throws {
        try await withPolicyFolder { folder in
            try write("level", to: "locks/first", in: folder)
            try write("other", to: "locks/second", in: folder)
            let preferences = preferences(folder)
            #expect(preferences.isManaged(\.level) && preferences.isManaged(\.other))
            // Each of these can be found, and cannot be read.
            let file = folder.appending(path: "locks/first").filePath
            try #require(unlink(file) == 0 && symlink("first", file) == 0)
            try preferences.reload()
            #expect(preferences.isManaged(\.level) && preferences.isManaged(\.other))
            #expect(await preferences.reportedProblems().map(\.code) == [.storeUnreadable])
            try #require(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
            try preferences.reload()
            #expect(preferences.isManaged(\.level))
            try #require(unlink(file) == 0)
            try preferences.reload()
            #expect(!preferences.isManaged(\.level), "a file that was removed locks nothing")
            #expect(preferences.isManaged(\.other))
        }
    }

    @Test("A folder of lock lists that cannot be listed keeps its locks, and one that is not trusted does not")
    func aFolderOfLockListsThatCannotBeListedKeepsItsLocks() async throws {
        try await withPolicyFolder { folder in
            try write("level", to: "locks/list", in: folder)
            let preferences = preferences(folder)
            #expect(preferences.isManaged(\.level))
            let (locks, aside) = (folder.appending(component: "locks").filePath, folder.filePath + "aside")
            try #require(rename(locks, aside) == 0 && symlink("locks", locks) == 0)
            try preferences.reload()
            #expect(preferences.isManaged(\.level))
            #expect(await preferences.reportedProblems().map(\.code) == [.storeUnreadable])
            try #require(unlink(locks) == 0 && rename(aside, locks) == 0)
            try give(URL(filePath: locks))
            try preferences.reload()
            #expect(!preferences.isManaged(\.level))
        }
    }

    /// The part of the path that is exchanged while a policy is read.
    enum Exchange: CaseIterable {
        case file, linkToFile, linkToFolder, folder
    }

    @Test(
        "A policy that is exchanged while it is read never has the contents of an untrusted one",
        arguments: Exchange.allCases
    )
    func aPolicyThatIsExchangedWhileItIsRead(exchange: Exchange) async throws {
        try await withPolicyFolder { folder in
            try write("trusted", to: "trusted/policy", in: folder)
            try write("untrusted", to: "untrusted/policy", in: folder)
            let isFile = [.file, .linkToFile].contains(exchange)
            // In the attacker's folder, the file itself may be one of the superuser.
            try give(folder.appending(path: isFile ? "untrusted/policy" : "untrusted"))
            let path = folder.filePath
            let flip: @Sendable (_ source: String) -> Void = { source in
                let new = path + "new"
                unlink(new)
                switch exchange {
                case .file:
                    link("\(path)\(source)/policy", new)
                    rename(new, path + "policy")
                case .linkToFile:
                    symlink("\(source)/policy", new)
                    rename(new, path + "policy")
                case .linkToFolder:
                    symlink(source, new)
                    rename(new, path + "box")
                case .folder:
                    rename(path + source, path + "box")
                    rename(path + "box", path + source)
                }
            }
            let isDone = Atomic(false)
            let attacker = OwnThread {
                while !isDone.load(ordering: .relaxed) { for source in ["trusted", "untrusted"] { flip(source) } }
            }
            let file = path + (isFile ? "policy" : "box/policy")
            let reads = Result {
                var (trusted, refused) = (0, 0)
                while trusted < 300 || refused < 300 {
                    do {
                        guard let bytes = try TrustedFile.read(file) else { continue }
                        try #require(String(decoding: bytes, as: UTF8.self) == "trusted")
                        trusted += 1
                    } catch is UntrustedFileError {
                        refused += 1
                    } catch let error as SystemError where error.code == ELOOP {
                        // It was exchanged during each of many attempts.
                    }
                }
            }
            isDone.store(true, ordering: .relaxed)
            try await attacker.result
            try reads.get()
        }
    }

    @Test("Links of the superuser in folders that nobody else can change are followed")
    func linksOfTheSuperuserAreFollowed() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 5}", to: "real/policy", in: folder)
            try #require(symlink("real", folder.appending(component: "link").filePath) == 0)
            try #require(symlink("link/policy", folder.appending(component: "managed.json").filePath) == 0)
            #expect(preferences(folder).level == 5)
        }
    }

    @Test("A lock list that a user could have written has no effect, and the other lists have")
    func aLockListThatAUserCouldHaveWrittenHasNoEffect() async throws {
        try await withPolicyFolder { folder in
            try write("level", to: "locks/users", in: folder)
            try write("other", to: "locks/roots", in: folder)
            try give(folder.appending(path: "locks/users"))
            let preferences = preferences(folder)
            #expect(preferences.isManaged(\.other))
            #expect(!preferences.isManaged(\.level))
            #expect(await preferences.firstProblem()?.code == .untrustedPolicy)
        }
    }

    @Test("Values that a user could have written do not become those of a lock")
    func valuesThatAUserCouldHaveWrittenDoNotBecomeThoseOfALock() async throws {
        try await withPolicyFolder { folder in
            try write("level", to: "locks/list", in: folder)
            try write("{\"level\": 5}", to: "preferences.json", in: folder)
            try give(folder.appending(component: "preferences.json"))
            let preferences = preferences(folder)
            #expect(preferences.level == 0)
            #expect(preferences.isManaged(\.level))
        }
    }

    @Test("A user is bound by the policy of the superuser, cannot change it, and cannot make one")
    func aUserIsBoundByThePolicyOfTheSuperuser() async throws {
        try await withPolicyFolder { folder in
            try write("{\"level\": 5}", to: "weather/managed.json", in: folder)
            let home = folder.appending(component: "home")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
            try give(home)
            let run = try await CommandLineRun(
                BuiltWithTests.executable("StoreChild").path,
                ["policy", String(folder.filePath.dropLast()), "level", "\(Self.attacker)"]
            )
            #expect(
                run.output == """
                    weather: 5, fixed
                    managed: it is fixed by \(folder.filePath)weather/managed.json; it was not set
                    cannot write weather/managed.json: Permission denied
                    cannot remove weather/managed.json: Permission denied
                    cannot rename weather: Permission denied
                    cannot create weather/locks: Permission denied
                    cannot give home/managed.json to root: Operation not permitted
                    home: 1, free
                    home with a link to weather/managed.json: 1, free

                    """
            )
            #expect(run.status == 0)
            #expect(run.errors.contains("home is owned by user 12345, not by root: chown it to root"))
            #expect(!run.errors.contains("locks"), "a missing file is no problem")
        }
    }

    // MARK: - Without observers, and watching

    @Test("A policy without observers is read at each use, and again when it is first observed")
    func aPolicyWithoutObserversIsReadAtEachUse() async throws {
        try await withPolicyFolder { folder in
            let policy = ManagedStore(folder: folder.filePath)
            policy.declareManaged("level", formerNames: [])
            #expect(policy.value(for: "level") == nil)
            try write("{\"level\": 5}", to: "managed.json", in: folder)
            #expect(policy.value(for: "level") == 5)
            try write("level", to: "locks/list", in: folder)
            try write("", to: "managed.json", in: folder)
            try write("{}", to: "managed.json", in: folder)
            #expect(policy.managedValue(of: "level")?.policy == folder.filePath + "locks/list")
            try write("{\"level\": 6}", to: "managed.json", in: folder)
            let changes = StoreChanges(of: policy)
            #expect(policy.value(for: "level") == 6)
            withExtendedLifetime(changes) {}
        }
    }

    /// Waits until a key has a value, which a watcher is notified of.
    private func wait(for value: Int, of preferences: Preferences) async {
        for await change in preferences.changes(\.level, options: .initial) where change.new == value { return }
    }

    @Test(
        "Changes are observed again when a folder that users could not read has become readable",
        .timeLimit(.minutes(1)),
        arguments: [0o700, 0o711] as [mode_t],
        [true, false]
    )
    func changesAreObservedAgainWhenAFolderHasBecomeReadable(mode: mode_t, isUnreadableAtStart: Bool) async throws {
        try await withPolicyFolder { folder in
            let inner = folder.appending(component: "weather").filePath
            try write("{\"count\": 1}", to: "weather/managed.json", in: folder)
            try write("{\"count\": 1}", to: "weather/own.json", in: folder)
            if isUnreadableAtStart { try #require(chmod(inner, mode) == 0) }
            let child = try ChildProcess(
                BuiltWithTests.executable("StoreChild").path,
                ["watch-as", String(folder.filePath.dropLast()), "count", "\(Self.attacker)"],
                output: .pipe
            )
            defer { child.send(SIGKILL) }
            var awaited: Set<String> = []
            func wait(for lines: Set<String>) async throws {
                awaited.formUnion(lines)
                while !awaited.isEmpty {
                    awaited.remove(try #require(try await onOwnThread { try child.output.readLine() }))
                }
            }
            let isSearchable = mode & 0o001 != 0
            if !isUnreadableAtStart {
                try await wait(for: ["policy: 1", "file: 1"])
                try #require(chmod(inner, mode) == 0)
            }
            try await wait(
                for: isSearchable
                    ? isUnreadableAtStart ? ["policy: 1", "file: 1"] : []
                    : ["policy: storeUnreadable", "file: storeUnreadable"]
            )
            try #require(chmod(inner, 0o755) == 0)
            for count in 2...3 {
                try write("{\"count\": \(count)}", to: "weather/managed.json", in: folder)
                try write("{\"count\": \(count)}", to: "weather/own.json", in: folder)
                try await wait(for: ["policy: \(count)", "file: \(count)"])
            }
        }
    }

    private func setAsAnotherProcess(_ name: String, _ value: Int, in url: URL) async throws {
        let child = try BuiltWithTests.executable("StoreChild").path
        let run = try await CommandLineRun(child, ["set", url.filePath, name, "\(value)"], mergesErrors: true)
        try #require(run.status == 0, "\(run.output)")
    }

    @Test("Changes of the policy by another process are observed: created, replaced, removed", .timeLimit(.minutes(1)))
    func changesOfThePolicyByAnotherProcessAreObserved() async throws {
        try await withPolicyFolder { folder in
            // The folder of the policy is created later.
            let inner = folder.appending(path: "etc/weather")
            let file = inner.appending(component: "managed.json")
            let preferences = preferences(inner)
            #expect(preferences.level == 1)
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try await setAsAnotherProcess("level", 5, in: file)
            await wait(for: 5, of: preferences)
            #expect(preferences.isManaged(\.level))
            try await setAsAnotherProcess("level", 6, in: file)
            await wait(for: 6, of: preferences)
            try FileManager.default.removeItem(at: file)
            await wait(for: 1, of: preferences)
            #expect(!preferences.isManaged(\.level))
        }
    }

    @Test("A policy that becomes trusted or untrusted is observed", .timeLimit(.minutes(1)))
    func aPolicyThatBecomesTrustedOrUntrustedIsObserved() async throws {
        try await withPolicyFolder { folder in
            let file = folder.appending(component: "managed.json")
            try write("{\"level\": 5}", to: "managed.json", in: folder)
            let preferences = preferences(folder)
            await wait(for: 5, of: preferences)
            try #require(chmod(file.filePath, 0o666) == 0)
            await wait(for: 1, of: preferences)
            try #require(chmod(file.filePath, 0o644) == 0)
            await wait(for: 5, of: preferences)
            try give(file)
            await wait(for: 1, of: preferences)
            try give(file, to: 0)
            await wait(for: 5, of: preferences)
            try give(folder)
            await wait(for: 1, of: preferences)
            try give(folder, to: 0)
            await wait(for: 5, of: preferences)
        }
    }

    @Test("Changes of lock lists are observed", .timeLimit(.minutes(1)))
    func changesOfLockListsAreObserved() async throws {
        try await withPolicyFolder { folder in
            let list = folder.appending(path: "locks/list")
            let preferences = preferences(folder)
            #expect(preferences.level == 1)
            try write("level", to: "locks/list", in: folder)
            await wait(for: 0, of: preferences)
            try write("{\"level\": 5}", to: "preferences.json", in: folder)
            await wait(for: 5, of: preferences)
            // In place, as `tee` writes.
            let file = try FileHandle(forWritingTo: list)
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("other".utf8))
            await wait(for: 1, of: preferences)
            try write("level", to: "locks/another", in: folder)
            await wait(for: 5, of: preferences)
            try FileManager.default.removeItem(at: folder.appending(component: "locks"))
            await wait(for: 1, of: preferences)
        }
    }

    @Test(
        "A lock that does not change the value is observed by what reads whether it is fixed",
        .timeLimit(.minutes(1))
    )
    func aLockThatDoesNotChangeTheValueIsObserved() async throws {
        try await withPolicyFolder { folder in
            let preferences = preferences(folder, user: ["level": 0])
            let changes = preferences.changes(\.isLevelFixed)
            try write("level", to: "locks/list", in: folder)
            for await change in changes {
                #expect(change.new)
                break
            }
        }
    }
}

extension Preferences {
    fileprivate var level: Int {
        get { get("level", default: 0, [.managed]) }
        set { set("level", to: newValue, [.managed]) }
    }
    fileprivate var other: Int { self.get("other", default: 0, [.managed]) }
    fileprivate var deep: Int { self.get("a:deep", default: 0, [.managed]) }
    fileprivate var plain: Int { self.get("level", default: 0) }
    fileprivate var isLevelFixed: Bool { isManaged(\.level) }
}
