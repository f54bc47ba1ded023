import Foundation
import TestSupport
import Testing

@Suite("The package's manifest")
struct PackageManifestTests {
    @Test("No target is both linked by apps and run by the plugins")
    func disjointClosures() async throws {
        try await withTemporaryDirectory { scratch in
            let manifest = try await PackageManifest(of: Repository.folder, scratch: scratch)
            #expect(manifest.sharedTargets == [])
            // Otherwise there would be nothing to compare.
            #expect(manifest.linkedTargets.keys.contains("PreferencesRuntime"))
            #expect(manifest.toolTargets.keys.contains("PreferencesCodeGen"))
        }
    }

    @Test("The manifest for Swift 6.2 differs from the other one only in the tools version")
    func newerManifest() throws {
        func lines(of file: String) throws -> [String] {
            let text = try String(contentsOf: Repository.folder.appending(path: file), encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let (base, newer) = (try lines(of: "Package.swift"), try lines(of: "Package@swift-6.2.swift"))
        #expect(base.first == "// swift-tools-version: 6.1")
        #expect(newer.first == "// swift-tools-version: 6.2")
        #expect(
            base.dropFirst() == newer.dropFirst(),
            "sed '1s/6.1/6.2/' Package.swift >Package@swift-6.2.swift"
        )
    }

    @Test(
        "Sources that two targets compile are links to one file or folder",
        arguments: [
            "Plugins/PreferencesCommandPlugin/DependencySchemas.swift",
            "Plugins/PreferencesCommandPlugin/FileSearch.swift",
            "Plugins/PreferencesCommandPlugin/String+Printable.swift",
            "Plugins/PreferencesCommandPlugin/TargetFiles.swift", "Plugins/PreferencesPlugin/String+Printable.swift",
            "Sources/PreferencesSchema/JSON",
        ]
    )
    func sharedSources(path: String) throws {
        let file = Repository.folder.appending(path: path)
        // Tools that edit in place replace links by copies.
        let destination = try FileManager.default.destinationOfSymbolicLink(atPath: file.path)
        #expect(FileManager.default.fileExists(atPath: file.resolvingSymlinksInPath().path), "\(destination)")
    }

    @Test("A target that apps link and a plugin runs is reported, also if both depend on it through other targets")
    func sharedTargets() async throws {
        let source = """
            // swift-tools-version: 6.1
            import PackageDescription

            let package = Package(
                name: "Shared",
                products: [
                    .library(name: "Kit", targets: ["Runtime"]),
                    .library(name: "Other", type: .dynamic, targets: ["Other"]),
                    .executable(name: "tool", targets: ["tool"]),
                ],
                dependencies: [.package(path: "../far")],
                targets: [
                    .target(name: "Runtime", dependencies: ["Middle", .product(name: "Far", package: "far")]),
                    .target(name: "Middle", dependencies: [.target(name: "Shared")], plugins: ["Plugin"]),
                    .target(name: "Shared"),
                    .target(name: "Other", dependencies: ["Reader"]),
                    .target(name: "Reader"),
                    .target(name: "ToolCore", dependencies: [.byName(name: "Shared")]),
                    .executableTarget(name: "tool", dependencies: ["ToolCore", "Reader"]),
                    .plugin(name: "Plugin", capability: .buildTool(), dependencies: ["tool"]),
                    .executableTarget(name: "Example", dependencies: ["Runtime", "ToolCore"]),
                ]
            )
            """
        try await withTemporaryDirectory { folder in
            try Data(source.utf8).write(to: folder.appending(path: "Package.swift"))
            let manifest = try await PackageManifest(of: folder)
            #expect(
                manifest.sharedTargets == [
                    "the target Reader is linked by the product Other and run by the plugin Plugin",
                    "the target Shared is linked by the product Kit and run by the plugin Plugin",
                ]
            )
        }
    }
}
