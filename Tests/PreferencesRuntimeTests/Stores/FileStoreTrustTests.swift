import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A store of the superuser in a folder that another user controls.
@Suite(.enabled(if: geteuid() == 0, "only the superuser gives files away"))
struct FileStoreTrustTests {
    private static let attacker: uid_t = 12_345
    private static let bystander: uid_t = 23_456

    /// Runs a body with a folder of the attacker, and one of the superuser with a file that no other user may read.
    private func withFolders(_ body: (_ attackers: URL, _ own: URL, _ secret: URL) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let (attackers, own) = (folder.appending(component: "attackers"), folder.appending(component: "own"))
            for url in [attackers, own] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            }
            try give(attackers, to: Self.attacker)
            let secret = own.appending(component: "secret.json")
            try secret.write("{\"a\": \"secret\"}")
            try #require(chmod(secret.filePath, 0o600) == 0)
            try body(attackers, own, secret)
        }
    }

    private func give(_ url: URL, to user: uid_t) throws {
        try #require(lchown(url.filePath, user, user) == 0)
    }

    private func link(_ url: URL, to target: String, of user: uid_t) throws {
        try FileManager.default.createSymbolicLink(atPath: url.filePath, withDestinationPath: target)
        try give(url, to: user)
    }

    private func status(_ url: URL) throws -> stat {
        var status = stat()
        try #require(lstat(url.filePath, &status) == 0)
        return status
    }

    // MARK: - Locks

    /// Makes a file in the place of a store's lock.
    enum Impostor: CaseIterable {
        case secret, linkedTwice, ofAThirdUser, namedPipe

        func make(_ lock: URL) throws {
            switch self {
            case .secret: try lock.write("secret")
            case .linkedTwice:
                try lock.write("")
                try FileManager.default.linkItem(atPath: lock.filePath, toPath: lock.filePath + ".other")
            case .ofAThirdUser:
                try lock.write("")
                try #require(chown(lock.filePath, FileStoreTrustTests.bystander, 0) == 0)
            case .namedPipe: try #require(mkfifo(lock.filePath, 0o600) == 0)
            }
            try #require(chmod(lock.filePath, 0o600) == 0)
        }
    }

    @Test("A file in the place of the lock is not given to the store's owner", arguments: Impostor.allCases)
    func aFileInThePlaceOfTheLockIsNotGivenAway(impostor: Impostor) throws {
        try withFolders { attackers, _, _ in
            let url = attackers.appending(component: "app.json")
            try url.write("{}")
            try give(url, to: Self.attacker)
            let lock = attackers.appending(component: ".app.json.lock")
            try impostor.make(lock)
            let before = try status(lock)
            let problem = PreferenceProblem(
                .storeUnwritable,
                store: url.filePath,
                message:
                    "cannot lock \(lock.filePath): File exists; it is not the lock of this file, as it has contents, a "
                    + "second name or another owner: move it away"
            )
            #expect(throws: problem) { try FileStore(url: url, durability: .immediate).apply(["a": .set(1)]) }
            let after = try status(lock)
            #expect(after.st_uid == before.st_uid)
            #expect(after.st_gid == before.st_gid)
            #expect(after.st_mode == before.st_mode)
            #expect(FileTime(ofChange: after) == FileTime(ofChange: before))
            #expect(try url.text() == "{}")
        }
    }

    @Test("A lock that is new, or the superuser's own, is given to the store's owner", arguments: [true, false])
    func aLockIsGivenToTheStoresOwner(isNew: Bool) throws {
        try withFolders { attackers, _, _ in
            let url = attackers.appending(component: "app.json")
            try url.write("{}")
            try #require(chmod(url.filePath, 0o660) == 0)
            try give(url, to: Self.attacker)
            let lock = attackers.appending(component: ".app.json.lock")
            if !isNew { try lock.write("") }
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
            #expect(try status(lock).st_uid == Self.attacker)
            #expect(try lock.mode() == 0o660)
        }
    }

    // MARK: - Owners

    /// A damaged file that replaces one whose values were read.
    enum DamagedFile: CaseIterable {
        case ofTheAttacker, withAccessForTheAttacker, ofTheSuperuserForEverybody

        func make(_ url: URL) throws {
            try url.write("{damaged")
            switch self {
            case .ofTheAttacker: break
            case .withAccessForTheAttacker:
                #if os(Linux)
                    try AccessControlList.letRead(FileStoreTrustTests.attacker, url)
                #endif
            case .ofTheSuperuserForEverybody:
                try #require(chmod(url.filePath, 0o644) == 0)
                return
            }
            try #require(lchown(url.filePath, FileStoreTrustTests.attacker, FileStoreTrustTests.attacker) == 0)
        }
    }

    @Test(
        "Last good values are not given to a user who replaces the file by a damaged one",
        arguments: DamagedFile.allCases
    )
    func valuesAreNotGivenToTheOwnerOfADamagedFile(file: DamagedFile) throws {
        try withFolders { attackers, _, secret in
            let url = attackers.appending(component: "app.json")
            try FileManager.default.moveItem(at: secret, to: url)
            let store = FileStore(url: url, durability: .immediate, editingTime: 0, watching: .fake())
            #expect(try store.value(for: "a") == "secret")
            // The file is not removed first, because the next file could get its number.
            let damaged = attackers.appending(component: "damaged")
            try file.make(damaged)
            try #require(rename(damaged.filePath, url.filePath) == 0)
            let owner = try status(url).st_uid
            try store.apply(["b": .set(1)])
            #expect(try url.text() == "{\"a\": \"secret\", \"b\": 1}")
            #expect(try status(url).st_uid == 0)
            #expect(try url.mode() == 0o600)
            let aside = try attackers.contentsOfFolder().filter { $0.contains(".corrupt-") }
            #expect(aside.count == 1)
            for name in aside { #expect(try status(attackers.appending(component: name)).st_uid == owner) }
            #if os(Linux)
                #expect(AccessControlList.of(url) == nil)
            #endif
        }
    }

    @Test("A damaged file keeps its owner if its last good values came from a file of that user")
    func aDamagedFileKeepsItsOwner() throws {
        try withFolders { attackers, _, _ in
            let url = attackers.appending(component: "app.json")
            try url.write("{\"a\": 1}")
            try give(url, to: Self.attacker)
            for text in ["{damaged", "{damaged again"] {
                let store = FileStore(url: url, durability: .immediate, editingTime: 0, watching: .fake())
                #expect(try store.value(for: "a") == 1)
                try FileManager.default.removeItem(at: url)
                try url.write(text)
                try give(url, to: Self.attacker)
                try store.apply(["b": .set(2)])
                #expect(try store.value(for: "a") == 1)
                #expect(try status(url).st_uid == Self.attacker)
            }
            // The store has no last values.
            try url.write("{damaged")
            try FileStore(url: url, durability: .immediate, editingTime: 0, watching: .fake()).apply(["b": .set(2)])
            #expect(try status(url).st_uid == Self.attacker)
        }
    }

    // MARK: - Links

    /// A path of a store that contains a link of a user.
    enum Route: CaseIterable {
        case linkedFile, linkedFolder, twoLinks
    }

    /// - Returns: The store's path, and the link.
    private func route(_ route: Route, in folder: URL, to target: URL, of user: uid_t) throws -> (url: URL, link: URL) {
        let link = folder.appending(component: "link")
        switch route {
        case .linkedFile:
            try self.link(link, to: target.filePath, of: user)
            return (link, link)
        case .linkedFolder:
            try self.link(link, to: target.deletingLastPathComponent().filePath, of: user)
            return (link.appending(component: target.lastPathComponent), link)
        case .twoLinks:
            try self.link(link, to: target.filePath, of: user)
            let first = folder.appending(component: "first")
            try self.link(first, to: "link", of: 0)
            return (first, link)
        }
    }

    private func refusal(_ link: URL) -> String {
        "cannot follow the link \(link.filePath): Operation not permitted; another user owns this link, in a folder that other "
            + "users can write: replace it with your own link, or use the path of its target"
    }

    @Test(
        "A link that another user has put into a folder is neither read nor written through",
        arguments: Route.allCases,
        [0o755, 0o1777]
    )
    func aLinkOfAnotherUserIsRefused(route: Route, mode: mode_t) throws {
        try withFolders { attackers, own, secret in
            // The superuser's own folder, to which everybody may add files.
            let folder = mode == 0o1777 ? own : attackers
            try #require(chmod(folder.filePath, mode) == 0)
            let target = own.appending(component: "target.json")
            try FileManager.default.moveItem(at: secret, to: target)
            let (url, link) = try self.route(route, in: folder, to: target, of: Self.attacker)
            let before = try Set(own.contentsOfFolder())
            let store = FileStore(url: url, durability: .immediate)
            let path = url.filePath
            #expect(throws: PreferenceProblem(.storeUnreadable, store: path, message: refusal(link))) {
                try store.value(for: "a")
            }
            #expect(throws: PreferenceProblem(.storeUnwritable, store: path, message: refusal(link))) {
                try store.apply(["a": .set(1)])
            }
            // An update reads first.
            #expect(throws: PreferenceProblem(.storeUnreadable, store: path, message: refusal(link))) {
                try store.update { _ in ["a": .set(1)] }
            }
            #expect(try Set(own.contentsOfFolder()) == before)
            #expect(try target.text() == "{\"a\": \"secret\"}")
        }
    }

    @Test("No file is created at the missing destination of a link of another user", arguments: Route.allCases)
    func noFileIsCreatedAtAMissingDestination(route: Route) throws {
        try withFolders { attackers, own, _ in
            let target = own.appending(components: "new", "folder", "target.json")
            let (url, link) = try self.route(route, in: attackers, to: target, of: Self.attacker)
            let problem = PreferenceProblem(.storeUnwritable, store: url.filePath, message: refusal(link))
            #expect(throws: problem) { try FileStore(url: url, durability: .immediate).apply(["a": .set(1)]) }
            #expect(try own.contentsOfFolder() == ["secret.json"])
        }
    }

    @Test("A link is followed to a file of the link's owner, as in a home folder")
    func aLinkIsFollowedToAFileOfItsOwner() throws {
        try withFolders { attackers, own, secret in
            try give(secret, to: Self.attacker)
            let url = attackers.appending(component: "app.json")
            try link(url, to: secret.filePath, of: Self.attacker)
            let store = FileStore(url: url, durability: .immediate)
            #expect(try store.value(for: "a") == "secret")
            try store.apply(["a": .set(1)])
            #expect(try FileStore(url: secret, durability: .immediate).value(for: "a") == 1)
            #expect(try status(secret).st_uid == Self.attacker)
        }
    }

    @Test("In a folder that everybody may write to, a link to a file of the link's owner is refused, too")
    func aLinkInAPublicFolderIsRefused() throws {
        try withFolders { _, own, secret in
            try #require(chmod(own.filePath, 0o1777) == 0)
            try give(secret, to: Self.attacker)
            let url = own.appending(component: "app.json")
            try link(url, to: secret.filePath, of: Self.attacker)
            #expect(throws: PreferenceProblem(.storeUnreadable, store: url.filePath, message: refusal(url))) {
                try FileStore(url: url, durability: .immediate).value(for: "a")
            }
        }
    }

    @Test(
        "A link of the process's user is followed, and so is one in a folder to which no other user may add files"
    )
    func trustedLinksAreFollowed() throws {
        try withFolders { attackers, own, secret in
            for (folder, user) in [(attackers, 0), (own, Self.attacker)] {
                let url = folder.appending(component: "app.json")
                try link(url, to: secret.filePath, of: user)
                let store = FileStore(url: url, durability: .immediate)
                #expect(try store.value(for: "a") != nil)
                try store.apply(["b": .set(.int(Int64(user)))])
                #expect(try FileStore(url: secret, durability: .immediate).value(for: "b") == .int(Int64(user)))
            }
        }
    }

    @Test("A device is not a store, and no file is created beside it", arguments: [true, false])
    func aDeviceIsNoStore(isLinked: Bool) throws {
        try withFolders { _, own, _ in
            let device = own.appending(component: "device")
            try #require(mknod(device.filePath, S_IFCHR | 0o666, dev_t(0x103)) == 0)
            let url = isLinked ? own.appending(component: "app.json") : device
            if isLinked { try link(url, to: "device", of: 0) }
            let before = try own.contentsOfFolder()
            let store = FileStore(url: url, durability: .immediate)
            let message = "cannot read as a file \(device.filePath): Invalid argument"
            let problem = PreferenceProblem(.storeUnreadable, store: url.filePath, message: message)
            #expect(throws: problem) { try store.value(for: "a") }
            #expect(throws: problem) { try store.apply(["a": .set(1)]) }
            #expect(try own.contentsOfFolder() == before)
            #expect(try status(device).st_mode & S_IFMT == S_IFCHR)
        }
    }

    // MARK: - Races

    #if !canImport(Darwin)
        @Test("A read never skips a folder that is being exchanged for a link")
        func aFolderThatIsExchangedIsNotLeftOut() throws {
            try withFolders { _, own, _ in
                for (name, text) in [("d", "right"), ("d2", "right"), (".", "wrong")] {
                    let folder = own.appending(component: name)
                    if name != "." {
                        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                    }
                    try folder.appending(component: "v.json").write("{\"k\": \"\(text)\"}")
                }
                try link(own.appending(component: "l"), to: "d2", of: 0)
                let entry = try FolderEntry(following: own.appending(component: "v.json").filePath)
                let isDone = Atomic(false)
                let hasEnded = DispatchSemaphore(value: 0)
                Thread {
                    while !isDone.load(ordering: .relaxed) {
                        _ = entry.sibling("d").exchange(with: entry.sibling("l"))
                    }
                    hasEnded.signal()
                }.start()
                let file = StoreFile(path: own.appending(components: "d", "v.json").filePath)
                let right = Array("{\"k\": \"right\"}".utf8)
                for _ in 0..<4_000 {
                    // A link that is exchanged all the time may not be found within the number of attempts.
                    guard let read = try? file.read() else { continue }
                    guard read.bytes != right else { continue }
                    Issue.record("read \(String(decoding: read.bytes, as: UTF8.self))")
                    break
                }
                isDone.store(true, ordering: .relaxed)
                hasEnded.wait()
            }
        }

        @Test("Writes do not follow a link that replaces their folder")
        func aFolderThatIsExchangedForALinkLeadsNowhere() throws {
            try withFolders { attackers, own, secret in
                let (folder, link) = (attackers.appending(component: "app"), attackers.appending(component: "link"))
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                try give(folder, to: Self.attacker)
                try self.link(link, to: own.filePath, of: Self.attacker)
                let url = folder.appending(component: "secret.json")
                let before = try own.contentsOfFolder()
                let isDone = Atomic(false)
                let hasEnded = DispatchSemaphore(value: 0)
                let parent = try FolderEntry(following: folder.appending(component: "x").filePath)
                    .folder.path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
                Thread {
                    defer { hasEnded.signal() }
                    guard let entry = try? FolderEntry(following: "\(parent)/x") else { return }
                    while !isDone.load(ordering: .relaxed) {
                        _ = entry.sibling("app").exchange(with: entry.sibling("link"))
                    }
                }.start()
                var count = 0
                for number in 0..<400 {
                    do {
                        let store = FileStore(url: url, durability: .immediate, watching: .fake())
                        #expect(try store.value(for: "a") != "secret")
                        try store.apply(["a": .set(.int(Int64(number)))])
                        count += 1
                    } catch {
                        #expect(error is PreferenceProblem)
                    }
                }
                isDone.store(true, ordering: .relaxed)
                hasEnded.wait()
                #expect(try own.contentsOfFolder() == before)
                #expect(try secret.text() == "{\"a\": \"secret\"}")
                #expect(count > 0)
            }
        }
    #endif
}
