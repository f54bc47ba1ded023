import Foundation
import TestSupport
import Testing

/// Tests of symbolic links in the folder `Schemas` of the package.
extension PreferencesPluginTests {
    private static let kit = "Schemas/ObservatoryKit"
    private static let dome = "Schemas/ObservatoryKit/Dome.preferences.json"

    @Test(
        "Schemas in a linked folder outside of the package are generated and watched",
        arguments: [
            (.native, "Schemas"), (.swiftbuild, "Schemas/ObservatoryKit"), (.native, "Schemas/ObservatoryKit/Optics"),
        ].filter { BuildSystem.tested.contains($0.0) } as [(BuildSystem, String)]
    )
    func linkedFolder(buildSystem: BuildSystem, link: String) async throws {
        try await withTemporaryDirectory { outside in
            let package = try FixturePackage("Observatory", buildSystem, isFresh: true)
            let mirror = "Schemas/ObservatoryKit/Optics/Mirror.preferences.json"
            try package.write(Self.schema(key: "mirror"), to: mirror)
            try package.replaceByLink(link, to: outside.appending(path: "Kit"))
            let original = try package.products()
            try await package.buildUntilSettled()
            let first = try package.products()
            let names = [
                "Forecast+Weather", "Schemas++ObservatoryKit+Dome", "Schemas++ObservatoryKit+Optics+Mirror",
                "Schemas++ObservatoryKit", "Weather",
            ]
            #expect(first.generated(since: original) == Set(names.map { "\($0).preferences.swift" }))
            #expect(try await package.run("observe").contains("dome: true 180"))

            try package.replace(#""Int?""#, with: #""Imt?""#, in: mirror)
            let broken = try await package.build()
            #expect(!broken.succeeded)
            let error = "\(package.path(mirror)):1:54: error: unknown type 'Imt' [unknown-type]"
            #expect(broken.output.contains(error), "\(broken.output)")
            try package.replace(#""Imt?""#, with: #""Int?""#, in: mirror)
            try await package.buildUntilSettled()

            let before = try package.products()
            let lens = "Schemas/ObservatoryKit/Optics/Lens.preferences.json"
            try package.write(Self.schema(key: "lens"), to: lens)
            let added = try await package.build()
            #expect(added.succeeded, "\(added.output)")
            #expect(added.warnings == [])
            let after = try package.products()
            #expect(
                after.generated(since: before) == ["Schemas++ObservatoryKit+Optics+Lens.preferences.swift"],
                "\(added.output)"
            )
            try package.remove(lens)
            let removed = try await package.build()
            #expect(removed.succeeded, "\(removed.output)")
        }
    }

    @Test(
        "Files in a linked folder can be included, and their edits are noticed",
        arguments: BuildSystem.tested
    )
    func linkedInclude(buildSystem: BuildSystem) async throws {
        try await withTemporaryDirectory { outside in
            let package = try FixturePackage("Observatory", buildSystem)
            let shutter = "Schemas/Shared/Shutter.preferences-include.json"
            let include = #"{"formatVersion":1,"namespaces":{"dome":{"keys":{"shutter":{"type": "Int?"}}}}}"#
            try package.write(Data(include.utf8), to: shutter)
            try package.replaceByLink("Schemas/Shared", to: outside.appending(path: "Common"))
            try package.replace(
                #""formatVersion": 1,"#,
                with: #""formatVersion": 1, "includes": ["../Shared/Shutter.preferences-include.json"],"#,
                in: Self.dome
            )
            try await package.buildUntilSettled()

            try package.replace("Int?", with: "Imt?", in: shutter)
            let broken = try await package.build()
            #expect(!broken.succeeded)
            let error = "\(package.path(shutter)):1:70: error: unknown type 'Imt' [unknown-type]"
            #expect(broken.output.contains(error), "\(broken.output)")
        }
    }

    @Test("A folder with several links is visited once, under its own path", arguments: BuildSystem.tested)
    func folderLinkedTwice(buildSystem: BuildSystem) async throws {
        try await withTemporaryDirectory { outside in
            let package = try FixturePackage("Observatory", buildSystem, isFresh: true)
            try package.write(Self.schema(key: "mirror"), to: "\(Self.kit)/Optics/Mirror.preferences.json")
            try package.link("\(Self.kit)/Glass", to: "Optics")
            try Self.schema(key: "sensor").write(to: outside.appending(path: "Sensor.preferences.json"))
            for name in ["Camera2", "Camera1"] { try package.link("\(Self.kit)/\(name)", to: outside.path) }
            let before = try package.products()
            let run = try await package.build()
            #expect(run.succeeded, "\(run.output)")
            let names = try package.products().generated(since: before).filter { $0.hasPrefix("Schemas++") }
            #expect(
                names == [
                    "Schemas++ObservatoryKit+Camera1+Sensor.preferences.swift",
                    "Schemas++ObservatoryKit+Dome.preferences.swift",
                    "Schemas++ObservatoryKit+Optics+Mirror.preferences.swift",
                    "Schemas++ObservatoryKit.preferences.swift",
                ]
            )
        }
    }

    // One build system suffices, because the plugin finds the same files with both.
    @Test(
        "A circular link is an error that names it, until it is removed",
        arguments: [BuildSystem.native],
        [
            (["Schemas/ObservatoryKit/Loop": "."], "Schemas/ObservatoryKit/Loop", "Schemas/ObservatoryKit"),
            (["Schemas/ObservatoryKit/Deep/Loop": "../.."], "Schemas/ObservatoryKit/Deep/Loop", "Schemas"),
            (["Schemas/Shared/Loop": ".."], "Schemas/Shared/Loop", "Schemas"),
            (["Schemas/Shared": "../Schemas"], "Schemas/Shared", "Schemas"),
            (
                ["Schemas/ObservatoryKit/A/B": "../C", "Schemas/ObservatoryKit/C/D": "../A"],
                "Schemas/ObservatoryKit/A/B/D", "Schemas/ObservatoryKit/A"
            ),
        ]
    )
    func loop(buildSystem: BuildSystem, example: (links: [String: String], link: String, folder: String)) async throws {
        let package = try FixturePackage("Observatory", buildSystem)
        try #require(await package.build().succeeded)
        for (link, destination) in example.links { try package.link(link, to: destination) }
        let run = try await package.build()
        #expect(!run.succeeded, "\(run.output)")
        #expect(
            run.output.contains(
                "error: '\(package.path(example.link))' is a link to '\(package.path(example.folder))', "
                    + "which contains it; remove it, or link to another folder"
            ),
            "\(run.output)"
        )
        for link in example.links.keys { try package.remove(link) }
        let fixed = try await package.build()
        #expect(fixed.succeeded, "\(fixed.output)")
    }

    @Test(
        "A dangling link is an error that names it, until its destination exists",
        arguments: [BuildSystem.native],
        ["Schemas/ObservatoryKit/Optics", "Schemas/Shared", "Schemas/ObservatoryKit/Lens.preferences.json"]
    )
    func danglingLink(buildSystem: BuildSystem, link: String) async throws {
        try await withTemporaryDirectory { outside in
            // A fresh copy, because the native build system does not notice every such link that is added later.
            let package = try FixturePackage("Observatory", buildSystem, isFresh: true)
            let target = outside.appending(path: "Lens.preferences.json")
            try package.link(link, to: target.path)
            let run = try await package.build()
            #expect(!run.succeeded, "\(run.output)")
            #expect(
                run.output.contains(
                    "error: '\(package.path(link))' is a link to '\(target.path)', "
                        + "which does not exist; correct or remove it"
                ),
                "\(run.output)"
            )
            try Self.schema(key: "lens").write(to: target)
            let fixed = try await package.build()
            #expect(fixed.succeeded, "\(fixed.output)")
        }
    }

    private static func schema(key: String) -> Data {
        Data(#"{ "formatVersion": 1, "keys": { "\#(key)": { "type": "Int?" } } }"#.utf8)
    }
}
