import Foundation
import TestSupport
import Testing

/// Tests of files that schemas include.
extension PreferencesPluginTests {
    private static let dome = "Schemas/ObservatoryKit/Dome.preferences.json"
    private static let shutter = "Schemas/Shared/Shutter.preferences-include.json"

    @Test("An edit of an included file in any folder affects the next build", arguments: BuildSystem.tested)
    func includes(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        let own = "Sources/ObservatoryKit/Forecast/Drizzle.preferences-include.json"
        try package.write(Data(Self.include(namespace: "dome", key: "shutter").utf8), to: Self.shutter)
        try package.write(Data(Self.include(namespace: "rain", key: "drizzle").utf8), to: own)
        try package.includes("../Shared/Shutter.preferences-include.json", in: Self.dome)
        try package.includes(
            "Drizzle.preferences-include.json",
            in: "Sources/ObservatoryKit/Forecast/Weather.preferences.json"
        )
        let use = "Sources/ObservatoryKit/Use.swift"
        let source = """
            import PreferencesRuntime

            func close(_ preferences: Preferences) {
                preferences.dome.shutter = preferences.rain.drizzle
            }

            """
        try package.write(Data(source.utf8), to: use)
        let first = try await package.build()
        #expect(first.succeeded, "\(first.output)")
        #expect(first.warnings == [])

        for file in [Self.shutter, own] {
            try package.replace("Int?", with: "Imt?", in: file)
            let broken = try await package.build()
            #expect(!broken.succeeded)
            #expect(broken.output.contains("\(package.path(file)):1:70: error: unknown type 'Imt' [unknown-type]"))
            try package.replace("Imt?", with: "Int?", in: file)
        }
        let fixed = try await package.build()
        #expect(fixed.succeeded, "\(fixed.output)")
    }

    @Test(
        "A file in another folder, whose edits no build would notice, cannot be included",
        arguments: BuildSystem.tested
    )
    func includeElsewhere(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        let elsewhere = "Common/Shutter.preferences-include.json"
        try package.write(Data(Self.include(namespace: "dome", key: "shutter").utf8), to: elsewhere)
        try package.includes("../../Common/Shutter.preferences-include.json", in: Self.dome)
        let run = try await package.build()
        #expect(!run.succeeded)
        let place = "\(package.path(Self.dome)):3:16: "
        #expect(
            run.output.contains(
                "\(place)error: '\(package.path(elsewhere))' is not in a folder that builds watch [include-path]\n"
                    + "\(place)note: move it to the target's folder, or to 'Schemas/Shared' of the package"
            ),
            "\(run.output)"
        )
    }

    private static func include(namespace: String, key: String) -> String {
        #"{"formatVersion":1,"namespaces":{"\#(namespace)":{"keys":{"\#(key)":{"type": "Int?"}}}}}"#
    }
}

extension FixturePackage {
    /// Adds an include of a file to a schema.
    fileprivate func includes(_ path: String, in schema: String) throws {
        try replace(
            #""formatVersion": 1,"#,
            with: #""includes": ["\#(path)"], "formatVersion": 1,"#,
            in: schema
        )
    }
}
