import Foundation
import TestSupport
import Testing

extension PreferencesPluginTests {
    @Test(
        "With a prebuilt generator, a build generates accessors, compiles no part of the generator, and finds added schemas"
    )
    func prebuiltGenerator() async throws {
        try await withTemporaryDirectory { folder in
            var environment = ProcessInfo.processInfo.environment
            environment["PREFERENCES_OPTIMIZED_TOOLS"] = "0"
            let script = Repository.folder.appending(path: "Tests/build-artifact-bundle").path
            let made = try await CommandLineRun(script, [folder.path], environment: environment, mergesErrors: true)
            try #require(made.succeeded, "\(made.output)")
            let bundle = folder.appending(path: "preferences-generator.artifactbundle")
            #expect(made.output.hasSuffix("\(bundle.path)\n"))

            let package = try FixturePackage("Observatory", .native, isFresh: true, generatorBundle: bundle)
            let run = try await package.build(isVerbose: true)
            try #require(run.succeeded, "\(run.output)")
            #expect(run.ranGenerator)
            #expect(run.output.contains("\(bundle.path)/1.0-"))
            #expect(try await package.run("observe").contains("dome: true 180"))
            let compiled = try package.compiledFolders()
            #expect(compiled.contains("PreferencesRuntime.build"))
            #expect(
                compiled.filter { $0.contains("Schema") || $0.contains("CodeGen") || $0.contains("generator") } == []
            )

            let schema = #"{ "formatVersion": 1, "keys": { "added": { "type": "Int?" } } }"#
            try package.write(Data(schema.utf8), to: "Schemas/ObservatoryKit/Added.preferences.json")
            let second = try await package.build(isVerbose: true)
            try #require(second.succeeded, "\(second.output)")
            #expect(second.output.contains("Added.preferences.swift"))
        }
    }

    @Test(
        "The script for the bundle rejects invalid command lines",
        arguments: [
            ([], "no folder given; see 'Tests/build-artifact-bundle --help'"),
            (["--static", "out"], "unknown option '--static'; see 'Tests/build-artifact-bundle --help'"),
            (["out", "other"], "'out' and 'other' are given; give one folder"),
            ([""], "the path of the folder is empty; a shell variable may be unset"),
        ] as [([String], String)]
    )
    func bundleUsage(arguments: [String], message: String) async throws {
        let script = Repository.folder.appending(path: "Tests/build-artifact-bundle").path
        let run = try await CommandLineRun(script, arguments)
        #expect(run.status == 2)
        #expect(run.errors == "Tests/build-artifact-bundle: \(message)\n")
    }
}
