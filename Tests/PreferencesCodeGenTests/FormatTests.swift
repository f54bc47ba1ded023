import Foundation
import TestSupport
import Testing

@Suite("The format of generated source")
struct FormatTests {
    @Test("Generated source passes 'swift format lint --strict' with this repository's configuration")
    func lint() async throws {
        try await withTemporaryDirectory { folder in
            _ = try GeneratedModule(in: folder)
            let run = try await CommandLineRun(
                "swift",
                [
                    "format", "lint", "--strict", "--recursive",
                    "--configuration", Repository.folder.appending(path: ".swift-format").path, folder.path,
                ],
                in: folder,
                mergesErrors: true
            )
            #expect(run.succeeded)
            #expect(run.output == "")
        }
    }
}

/// All accepted and golden schemas, generated together as the source of one module.
struct GeneratedModule {
    var files: [URL] = []

    init(in folder: URL) throws {
        for fixture in Fixtures.accepted + Fixtures.golden {
            for (path, text) in zip(fixture.paths, try fixture.generated()) {
                // The names of a module's files must differ.
                let name = path.dropLast(Fixtures.ending.count).replacing("/", with: "-")
                files.append(folder.appending(path: "\(name).swift"))
                try Data(text.utf8).write(to: files[files.count - 1])
            }
        }
        files.append(folder.appending(path: "Types.swift"))
        try Data(Self.types.utf8).write(to: files[files.count - 1])
    }

    /// The types of the module itself that the schemas name.
    private static let types = """
        import PreferencesRuntime

        nonisolated enum StationHooks: PreferenceHooks {
            static func addHooks(to preferences: Preferences) {
                preferences.didChange(of: \\.hookedStation.height) { print($0.new) }
            }
        }

        nonisolated struct MarkHooks: PreferenceHooks {
            static func addHooks(to preferences: Preferences) {}
        }

        nonisolated enum CupHooks: PreferenceHooks {
            static func addHooks(to preferences: Preferences) {}
        }

        """
}
