import Foundation
import TestSupport
import Testing

extension PreferencesPluginTests {
    private static let light = "Sources/LighthouseKit/Light.preferences.json"

    @Test("The command compares the schemas of all targets with the last tag, and fails until a change is accepted")
    func comparison() async throws {
        let package = try FixturePackage("Lighthouse", .native)
        // A schema that is none of the target's, and would clash with one of them.
        try package.write(package.contents(Self.light), to: "Sources/LighthouseKit/Old/Light.preferences.json")
        let runtime = #"dependencies: [.product(name: "PreferencesRuntime", package: "swift-preferences")],"#
        try package.replace(runtime, with: #"\#(runtime) exclude: ["Old"],"#, in: "Package.swift")
        let script = """
            unset $(git rev-parse --local-env-vars)
            export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
            export GIT_AUTHOR_NAME=Grace GIT_AUTHOR_EMAIL=grace@example.org
            export GIT_COMMITTER_NAME=Grace GIT_COMMITTER_EMAIL=grace@example.org
            git init -q . && git add . && git commit -q -m 1 && git tag v1.0
            """
        let folder = URL(filePath: package.path(""))
        let made = try await CommandLineRun("bash", ["-c", script], in: folder, mergesErrors: true)
        try #require(made.succeeded, "\(made.output)")
        defer { try? package.remove(".git") }

        let first = try await package.preferences("diff")
        #expect(first.succeeded, "\(first.output)")
        #expect(first.output.contains("remark: v1.0 is the first tag; there is no older version to compare with\n"))

        try package.replace(#""default": 4"#, with: #""default": 6"#, in: Self.light)
        let changed = try await package.preferences("diff", "--target", "LighthouseKit")
        #expect(!changed.succeeded)
        #expect(changed.output.contains("\n\(Self.light):"), "\(changed.output)")
        #expect(changed.output.contains("and is now 6 [behavior: default-changed]\n"), "\(changed.output)")
        #expect(changed.output.contains("\ncompared with v1.0: 1 behavior change\n"))
        #expect(changed.output.contains("error: the schemas have changes that are not accepted, or could not be"))

        let storage = try await package.preferences("diff", "--against=v1.0", "--only", "storage")
        #expect(storage.succeeded, "\(storage.output)")
        #expect(storage.output.contains("compared with v1.0: no changes that affect users\n"))
    }
}
