import Foundation
import TestSupport
import Testing

@testable import PlatformCheck

@Suite("Privacy manifests")
struct PrivacyManifestTests {
    // MARK: - The package's manifests

    /// The folders of the targets that apps link, by the targets' names.
    private static func libraries(_ manifest: PackageManifest) -> [String: URL] {
        Dictionary(
            uniqueKeysWithValues: manifest.linkedTargets.keys.map {
                ($0, Repository.folder.appending(path: "Sources/\($0)", directoryHint: .isDirectory))
            }
        )
    }

    private static func hasManifest(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: PrivacyManifest.fileName).path)
    }

    @Test("plutil accepts each manifest, and its categories and reasons are Apple's")
    func lint() async throws {
        try await withTemporaryDirectory { scratch in
            let manifest = try await PackageManifest(of: Repository.folder, scratch: scratch)
            var count = 0
            for (_, folder) in Self.libraries(manifest) where Self.hasManifest(folder) {
                count += 1
                let file = folder.appending(path: PrivacyManifest.fileName)
                let run = try await CommandLineRun("plutil", ["-lint", file.path], mergesErrors: true)
                #expect(run.succeeded && run.output == "\(file.path): OK\n", "\(run.output)")
                _ = try PrivacyManifest(Data(contentsOf: file), path: file.path)
            }
            #expect(count > 0)
        }
    }

    @Test("A manifest is a resource of its target on Apple's platforms, and excluded elsewhere")
    func resources() async throws {
        try await withTemporaryDirectory { folder in
            let text = try String(contentsOf: Repository.folder.appending(path: "Package.swift"), encoding: .utf8)
            // Either branch of the package's manifest, as a Mac and as Linux evaluate it.
            for (isApple, condition) in [(true, "#if true"), (false, "#if false")] {
                let package = folder.appending(path: "\(isApple)")
                try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
                let evaluated = text.replacing("#if canImport(Darwin)", with: condition)
                try Data(evaluated.utf8).write(to: package.appending(path: "Package.swift"))
                let manifest = try await PackageManifest(of: package)
                let libraries = Self.libraries(manifest)
                for target in manifest.targets {
                    let files = libraries[target.name].map(Self.hasManifest) == true ? [PrivacyManifest.fileName] : []
                    #expect(target.resources.map(\.path) == (isApple ? files : []), "\(target.name)")
                    #expect(
                        target.exclude.filter { $0 == PrivacyManifest.fileName } == (isApple ? [] : files),
                        "\(target.name)"
                    )
                }
            }
        }
    }

    // MARK: - Differences

    private static func manifest(_ entries: String) throws -> PrivacyManifest {
        let text = """
            <plist version="1.0"><dict>
            <key>NSPrivacyTracking</key><false/>
            <key>NSPrivacyTrackingDomains</key><array/>
            <key>NSPrivacyCollectedDataTypes</key><array/>
            <key>NSPrivacyAccessedAPITypes</key><array>\(entries)</array>
            </dict></plist>
            """
        return try PrivacyManifest(Data(text.utf8), path: "Example/PrivacyInfo.xcprivacy")
    }

    private static func entry(_ category: String, _ reasons: String...) -> String {
        """
        <dict>
        <key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategory\(category)</string>
        <key>NSPrivacyAccessedAPITypeReasons</key><array>\(reasons.map { "<string>\($0)</string>" }.joined())</array>
        </dict>
        """
    }

    @Test("A category that is used but not declared is an error, and so is one that is declared but not used")
    func differences() throws {
        let manifest = try Self.manifest(Self.entry("UserDefaults", "CA92.1") + Self.entry("DiskSpace", "E174.1"))
        #expect(manifest.faults(of: "Example", using: ["UserDefaults.object", "statfs", "write"]) == [])
        #expect(
            manifest.faults(of: "Example", using: ["UserDefaults", "fstat", "lstat"]) == [
                "Example uses 'fstat', 'lstat', but its PrivacyInfo.xcprivacy does not declare "
                    + "NSPrivacyAccessedAPICategoryFileTimestamp. Use other calls, or declare it with a reason.",
                "The PrivacyInfo.xcprivacy of Example declares NSPrivacyAccessedAPICategoryDiskSpace, which it does not use. "
                    + "Remove it.",
            ]
        )
    }

    @Test("A target without a manifest declares nothing")
    func missing() throws {
        let target = PackageTarget(
            name: "Example",
            moduleName: "Example",
            isPlugin: false,
            sources: [],
            generatedSources: [],
            featureOptions: [],
            isInLibraryProduct: true,
            privacyManifest: Repository.fixtures.appending(path: PrivacyManifest.fileName)
        )
        let manifest = try PrivacyManifest(of: target)
        #expect(manifest.faults(of: "Example", using: ["write"]) == [])
        #expect(
            manifest.faults(of: "Example", using: ["mach_absolute_time"]) == [
                "Example uses 'mach_absolute_time', but its PrivacyInfo.xcprivacy does not declare "
                    + "NSPrivacyAccessedAPICategorySystemBootTime. Use other calls, or declare it with a reason."
            ]
        )
    }

    @Test(
        "Each API is in its categories, and a name that only resembles one is in none",
        arguments: [
            ("stat", [.fileTimestamp]), ("fstatat", [.fileTimestamp]), ("NSFileModificationDate", [.fileTimestamp]),
            ("NSURLCreationDateKey", [.fileTimestamp]), ("NSDictionary.fileModificationDate", [.fileTimestamp]),
            ("getattrlist", [.fileTimestamp, .diskSpace]), ("getattrlistbulk", [.fileTimestamp]),
            ("fstatvfs", [.diskSpace]), ("NSURLVolumeTotalCapacityKey", [.diskSpace]),
            ("ProcessInfo.systemUptime", [.systemBootTime]), ("UITextInputMode.activeInputModes", [.activeKeyboards]),
            ("UserDefaults.standard", [.userDefaults]), ("UserDefaults", [.userDefaults]),
            ("UserDefaultsStore.standard", []), ("NSURLVolumeIsLocalKey", []), ("status", []), ("statx", []),
            ("clock_gettime", []), ("NSUserDefaultsDidChangeNotification", []),
        ] as [(String, [RequiredReasonCategory])]
    )
    func categories(_ name: String, _ categories: [RequiredReasonCategory]) {
        #expect(RequiredReasonCategory.allCases.filter { $0.contains(name) } == categories)
    }

    // MARK: - Refusals

    private static func refusal(_ read: () throws -> PrivacyManifest) -> String? {
        #expect(throws: CheckFailure.self) { try read() }?.description
    }

    @Test("Categories and reasons that Apple does not define are refused")
    func unknown() {
        let prefix = "Example/PrivacyInfo.xcprivacy: "
        #expect(
            Self.refusal { try Self.manifest(Self.entry("Clock", "CA92.1")) }
                == prefix + "unknown category 'NSPrivacyAccessedAPICategoryClock'"
        )
        let reasons = #"["1C8F.1", "AC6B.1", "C56D.1", "CA92.1"]"#
        for (found, shown) in [
            (["C617.1"], #"["C617.1"]"#), (["CA92.1", "CA92.1"], #"["CA92.1", "CA92.1"]"#), ([], "[]"),
        ] {
            let entry = found.reduce(Self.entry("UserDefaults")) {
                $0.replacing("</array>", with: "<string>\($1)</string></array>")
            }
            #expect(
                Self.refusal { try Self.manifest(entry) }
                    == prefix
                    + "the reasons of NSPrivacyAccessedAPICategoryUserDefaults are one or more of \(reasons), "
                    + "found \(shown)"
            )
        }
        #expect(
            Self.refusal { try Self.manifest(Self.entry("DiskSpace", "E174.1") + Self.entry("DiskSpace", "85F4.1")) }
                == prefix + "NSPrivacyAccessedAPICategoryDiskSpace is declared twice"
        )
    }

    @Test("A manifest without a key, with another one, or that declares tracking is refused")
    func keys() {
        let prefix = "Example/PrivacyInfo.xcprivacy: "
        func read(_ text: String) -> String? {
            Self.refusal { try PrivacyManifest(Data(text.utf8), path: "Example/PrivacyInfo.xcprivacy") }
        }
        #expect(read("{") == prefix + "this is not a property list with a dictionary")
        #expect(
            read("<plist version=\"1.0\"><dict><key>NSPrivacyTracking</key><false/></dict></plist>")
                == prefix + #"expected the keys ["NSPrivacyAccessedAPITypes", "NSPrivacyCollectedDataTypes", "#
                + #""NSPrivacyTracking", "NSPrivacyTrackingDomains"], found ["NSPrivacyTracking"]"#
        )
        let text = """
            <plist version="1.0"><dict>
            <key>NSPrivacyTracking</key><true/>
            <key>NSPrivacyTrackingDomains</key><array/>
            <key>NSPrivacyCollectedDataTypes</key><array/>
            <key>NSPrivacyAccessedAPITypes</key><array/>
            </dict></plist>
            """
        #expect(
            read(text) == prefix
                + "the libraries do not track and collect no data, so that these keys are false and empty"
        )
    }
}
