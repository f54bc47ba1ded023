import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Symbolic links in the path of an observed store.
struct FileStoreLinkTests {
    private func link(_ url: URL, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: url.filePath, withDestinationPath: target)
    }

    /// Replaces a link as `ln -sfn` does.
    private func relink(_ url: URL, to target: String) throws {
        let new = url.deletingLastPathComponent().appending(component: ".new-link")
        try link(new, to: target)
        try #require(rename(new.filePath, url.filePath) == 0)
    }

    @Test("A link whose destination changes is followed")
    func aLinkWhoseDestinationChangesIsFollowed() async throws {
        try await withTemporaryDirectory { folder in
            for name in ["one", "two"] {
                let inner = folder.appending(component: name)
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
                try inner.appending(component: "app.json").write("{\"from\": \"\(name)\"}")
            }
            let url = folder.appending(component: "preferences.json")
            try link(url, to: "one/app.json")
            let store = FileStore(url: url, durability: .immediate)
            let changes = StoreChanges(of: store)
            #expect(try store.value(for: "from") == "one")

            try relink(url, to: "two/app.json")
            try await changes.wait { try store.value(for: "from") == "two" }
            // The new destination is watched, too.
            try folder.appending(components: "two", "app.json").write("{\"from\": \"two again\"}")
            try await changes.wait { try store.value(for: "from") == "two again" }
            try FileManager.default.removeItem(at: url)
            try await changes.wait { try store.value(for: "from") == nil }
            try link(url, to: folder.appending(components: "one", "app.json").filePath)
            try await changes.wait { try store.value(for: "from") == "one" }
        }
    }

    /// Kubernetes changes all files of a folder at once in this way.
    @Test("A linked folder that is replaced is noticed")
    func aLinkedFolderThatIsReplacedIsNoticed() async throws {
        try await withTemporaryDirectory { folder in
            for number in 1...2 {
                let version = folder.appending(component: "..version-\(number)")
                try FileManager.default.createDirectory(at: version, withIntermediateDirectories: false)
                try version.appending(component: "app.json").write("{\"version\": \(number)}")
            }
            try link(folder.appending(component: "..data"), to: "..version-1")
            try link(folder.appending(component: "app.json"), to: "..data/app.json")
            let store = FileStore(url: folder.appending(component: "app.json"), durability: .immediate)
            let changes = StoreChanges(of: store)
            #expect(try store.value(for: "version") == 1)
            try relink(folder.appending(component: "..data"), to: "..version-2")
            try FileManager.default.removeItem(at: folder.appending(component: "..version-1"))
            try await changes.wait { try store.value(for: "version") == 2 }
        }
    }

    @Test("The destination of a dangling link is noticed when it appears")
    func theDestinationOfADanglingLinkIsNoticedWhenItAppears() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try link(url, to: "later/still/app.json")
            let store = FileStore(url: url, durability: .immediate)
            let changes = StoreChanges(of: store)
            #expect(try store.value(for: "a") == nil)
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
            try await changes.wait { try store.value(for: "a") == 1 }
        }
    }

    @Test("A change through another hard link of the file is noticed")
    func aFileWithTwoHardLinksIsNoticedToChangeByTheOtherName() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{}")
            let elsewhere = folder.appending(component: "elsewhere")
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
            let other = elsewhere.appending(component: "other.json")
            try FileManager.default.linkItem(at: url, to: other)
            let store = FileStore(url: url, durability: .immediate)
            let changes = StoreChanges(of: store)
            try other.write("{\"a\": 1}")
            try await changes.wait { try store.value(for: "a") == 1 }
        }
    }

    @Test("A link that is not UTF-8 is not followed to another place")
    func aLinkThatIsNotUTF8IsNotFollowedToAnotherPlace() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let target: [CChar] = [CChar(bitPattern: 0xFF)] + Array("/other.json".utf8CString)
            try #require(symlink(target, url.filePath) == 0)
            let store = FileStore(url: url, durability: .immediate)
            let problem = PreferenceProblem(
                .storeUnwritable,
                store: url.filePath,
                message: "cannot follow the link \(url.filePath): Invalid or incomplete multibyte or wide character"
            )
            #expect(throws: problem) { try store.apply(["a": .set(1)]) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.filePath)
            #expect(names == ["preferences.json"])
        }
    }

    @Test("A loop of links that is resolved is noticed")
    func aLoopOfLinksThatIsResolvedIsNoticed() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let other = folder.appending(component: "other.json")
            try link(url, to: "other.json")
            try link(other, to: "preferences.json")
            let store = FileStore(url: url, durability: .immediate)
            let changes = StoreChanges(of: store)
            #expect(throws: PreferenceProblem.self) { try store.value(for: "a") }
            try FileManager.default.removeItem(at: other)
            try other.write("{\"a\": 1}")
            await changes.wait { (try? store.value(for: "a")) == 1 }
        }
    }
}
