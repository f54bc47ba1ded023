import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

struct FileStoreLocationTests {
    private let home = URL(filePath: "/home/anna", directoryHint: .isDirectory)

    @Test(
        "The user's folder follows the XDG Base Directory Specification",
        arguments: [
            ([:], "/home/anna/.config"), (["XDG_CONFIG_HOME": ""], "/home/anna/.config"),
            (["XDG_CONFIG_HOME": "relative/path"], "/home/anna/.config"),
            (["XDG_CONFIG_HOME": "/etc/anna"], "/etc/anna"), (["HOME": "/tmp/bert"], "/tmp/bert/.config"),
            (["HOME": ""], "/home/anna/.config"),
            (["HOME": "/tmp/bert", "XDG_CONFIG_HOME": "/etc/anna"], "/etc/anna"),
            (["XDG_CONFIG_HOME": "/etc/a b%20c"], "/etc/a b%20c"),
        ] as [([String: String], String)]
    )
    func theUsersFolderFollowsTheXDGBaseDirectorySpecification(environment: [String: String], folder: String) {
        let configuration = FileStore.configurationFolder(environment: environment, home: home)
        let file = FileStore.applicationFile("weather", in: configuration)
        #expect(file.filePath == "\(folder)/weather/preferences.json")
    }

    @Test(
        "The site's folders follow the XDG Base Directory Specification",
        arguments: [
            ([:], ["/etc/xdg"]), (["XDG_CONFIG_DIRS": ""], ["/etc/xdg"]),
            (["XDG_CONFIG_DIRS": "relative"], ["/etc/xdg"]),
            (["XDG_CONFIG_DIRS": "/a:relative::/b/"], ["/a", "/b"]),
        ] as [([String: String], [String])]
    )
    func theSitesFoldersFollowTheXDGBaseDirectorySpecification(environment: [String: String], folders: [String]) {
        let files = FileStore.siteFolders(environment: environment).map { FileStore.applicationFile("weather", in: $0) }
        #expect(files.map(\.filePath) == folders.map { "\($0)/weather/preferences.json" })
    }

    @Test("An application's name is one folder, whatever characters it has")
    func anApplicationsNameIsOneFolderWhateverCharactersItHas() {
        #expect(FileStore.applicationFile("a b%?", in: home).filePath == "/home/anna/a b%?/preferences.json")
    }

    #if !canImport(Darwin)
        @Test("The default store is JSON in the configuration folder")
        func theDefaultStoreIsJSONInTheConfigurationFolder() async {
            await #expect(processExitsWith: .success) {
                setenv("XDG_CONFIG_HOME", "/nowhere/config", 1)
                let app = ProcessInfo.processInfo.processName
                #expect(FileStore.default.url.filePath == "/nowhere/config/\(app)/preferences.json")
                #expect(FileStore.default.label == FileStore.default.url.filePath)
                #expect(FileStore.default.format == .json)
            }
        }
    #endif

    @Test("A path is used as it is")
    func aPathIsUsedAsItIs() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "ä %41 #?.json")
            try FileStore(url: url, durability: .immediate).apply(["a": .set(1)])
            #expect(try folder.contentsOfFolder().contains("ä %41 #?.json"))
        }
    }

    @Test("A URL of another scheme ends the program with the reason")
    func aURLOfAnotherSchemeEndsTheProgramWithTheReason() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = FileStore(url: URL(string: "https://example.org/preferences.json")!, durability: .immediate)
            }
        )
        let message = "FileStore needs a file URL, not https://example.org/preferences.json"
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(message))
    }
}
