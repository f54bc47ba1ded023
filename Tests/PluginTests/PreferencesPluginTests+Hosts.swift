import Foundation
import TestSupport
import Testing

/// Tests of host files and the command that updates their regions.
extension PreferencesPluginTests {
    private static let light = "Sources/LighthouseKit/Light.preferences.json"
    private static let controller = "Sources/LighthouseKit/Hosts/LampController.swift"
    private static let update = "swift package --allow-writing-to-package-directory preferences update"

    @Test(
        "A fileprivate accessor works in its host file, and is a compiler error in another",
        arguments: BuildSystem.tested
    )
    func hostFiles(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Lighthouse", buildSystem, isFresh: true)
        let first = try await package.build()
        #expect(first.warnings == [])
        // The lamp has a fileprivate key, and a public key that is used in another module.
        let lines = try await package.run("lighthouse")
        #expect(lines == ["rotations: 5 lit: true", "Grace: 2 pages, 0.6 m"])

        let other = "Sources/LighthouseKit/Other.swift"
        let source = """
            import PreferencesRuntime

            func turn(_ lamp: LampController) -> Int { lamp.rotations }
            func who(_ preferences: Preferences) -> String? { preferences.keeper }
            """
        try package.write(Data(source.utf8), to: other)
        let run = try await package.build()
        #expect(!run.succeeded)
        for (place, name) in [("3:49", "rotations"), ("4:63", "keeper")] {
            let error = "'\(name)' is inaccessible due to 'fileprivate' protection level"
            #expect(run.output.contains("\(package.path(other)):\(place): error: \(error)"), "\(run.output)")
        }
        try package.remove(other)
    }

    @Test("An outdated region fails the build until it is updated", arguments: BuildSystem.tested)
    func staleRegion(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Lighthouse", buildSystem)
        try package.replace(#""default": 4"#, with: #""default": 6"#, in: Self.light)
        let stale = try await package.build()
        #expect(!stale.succeeded)
        #expect(
            stale.output.contains(
                "\(package.path(Self.controller)):8:5: error: this region is out of date with Light.preferences.json; "
                    + "run '\(Self.update)' [host-region-stale]\n"
            ),
            "\(stale.output)"
        )

        let updated = try await package.preferences("update")
        #expect(updated.succeeded, "\(updated.output)")
        let summary = "LighthouseKit:\n2 schemas, 6 keys: no faults; wrote 1 file, left 1 file unchanged"
        #expect(updated.output.contains(summary))
        let lines = try await package.run("lighthouse")
        #expect(lines.first == "rotations: 7 lit: true")
    }

    @Test("A region that was edited by hand fails the build, and is overwritten only with '--force'")
    func editedRegion() async throws {
        let package = try FixturePackage("Lighthouse", .native)
        let original = try package.contents(Self.controller)
        try package.replace("default: 4)", with: "default: 5)", in: Self.controller)
        let message =
            "\(package.path(Self.controller)):8:5: error: this region was edited by hand; "
            + "move your edits out of it, then run '\(Self.update) --force' [host-region-edited]\n"
        let edited = try await package.build()
        #expect(!edited.succeeded)
        #expect(edited.output.contains(message), "\(edited.output)")

        let refused = try await package.preferences("update")
        #expect(!refused.succeeded)
        #expect(refused.output.contains(message), "\(refused.output)")
        #expect(refused.output.contains("error: nothing was written for LighthouseKit"))

        let forced = try await package.preferences("update", "--target", "LighthouseKit", "--force")
        #expect(forced.succeeded, "\(forced.output)")
        #expect(try package.contents(Self.controller) == original)
        let checked = try await package.preferences("check")
        #expect(checked.succeeded)
        #expect(checked.output.contains("LighthouseKit:\n2 schemas, 6 keys: no faults; 4 regions: all up to date\n"))

        try package.replace("begin Light lamp", with: "begin Ligth lamp", in: Self.controller)
        let misspelt = try await package.preferences("check")
        #expect(!misspelt.succeeded)
        let place = "\n\(package.path(Self.controller)):8:5: "
        let reason = "error: there is no Ligth.preferences.json, so nothing goes here [host-region-unwanted]\n"
        #expect(misspelt.output.contains(place + reason), "\(misspelt.output)")
        #expect(misspelt.output.contains(place + "note: did you mean 'Light'? if not, delete lines 8 to "))
    }

    @Test("Editing a Swift file compiles that file, and no generated file", arguments: BuildSystem.tested)
    func swiftFileEdited(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Lighthouse", buildSystem)
        try await package.buildUntilSettled(isVerbose: true)
        let before = try package.products()
        try package.replace("rotations += 1", with: "rotations += 2", in: Self.controller)
        let run = try await package.build(isVerbose: true)
        #expect(run.succeeded, "\(run.output)")
        #expect(run.ranGenerator)
        let after = try package.products()
        #expect(after.generated(since: before) == [])
        #expect(after.compiled(since: before) == ["LighthouseKit/LampController"])

        let again = try await package.build(isVerbose: true)
        #expect(!again.ranGenerator)
    }

    @Test("A change of the configuration, or an error in it, affects the next build", arguments: BuildSystem.tested)
    func configuration(buildSystem: BuildSystem) async throws {
        let package = try FixturePackage("Lighthouse", buildSystem)
        #expect(try await package.build().succeeded)
        let configuration = "Sources/LighthouseKit/preferences-generator-config.json"
        try package.replace("hostDirectory", with: "hostDirektory", in: configuration)
        let faulty = try await package.build()
        #expect(!faulty.succeeded)
        let place = "\(package.path(configuration)):3:3"
        #expect(
            faulty.output.contains(
                "\(place): error: a configuration has no field 'hostDirektory' [unknown-field]\n"
                    + "\(place): note: did you mean 'hostDirectory'?\n"
            ),
            "\(faulty.output)"
        )

        try package.replace(#""hostDirektory": "Hosts""#, with: #""hostDirectory": ".""#, in: configuration)
        let moved = try await package.build()
        #expect(!moved.succeeded)
        #expect(
            moved.output.contains(
                "\(package.path(Self.light)):10:15: error: there is no host file "
                    + "\(package.path("Sources/LighthouseKit/LampController.swift")) [host-missing]\n"
                    + "\(package.path(Self.light)):10:15: note: did you mean 'Hosts/LampController.swift'?\n"
            ),
            "\(moved.output)"
        )
    }

    @Test(
        "The command rejects invalid arguments with a reason",
        arguments: [
            (
                ["updaet"],
                "error: unknown action 'updaet'; the actions are 'update', 'check', 'lint' and 'diff'"
            ),
            (
                ["--force"],
                "error: no action given; the actions are 'update', 'check', 'lint' and 'diff'"
            ),
            (
                ["update", "check"],
                "error: unexpected argument 'check' after 'update'; to name a target, write '--target NAME'"
            ),
            (
                ["--", "--help"],
                "error: unknown action '--help'; the actions are 'update', 'check', 'lint' and 'diff'"
            ),
            (
                ["import", "okular.kcfg"],
                "error: schemas are imported by another tool; run 'swift run prefs schema import --help'"
            ),
            (["update", "--forse"], "error: unknown option '--forse'; see 'preferences --help'"),
            (["-x\u{1B}[31m"], #"error: unknown option '-x\u{1B}[31m'; see 'preferences --help'"#),
            (
                ["up\u{7}\ndate"],
                #"error: unknown action 'up\u{7}\ndate'; the actions are 'update', 'check', 'lint' and 'diff'"#
            ),
            (["update", "--force=no"], "error: '--force' takes no value; remove '=no'"),
            (["update", "--target"], "error: '--target' requires a value; write '--target NAME'"),
            (["update", "--target="], "error: '--target' requires a value; write '--target NAME'"),
            (["--target", "--force", "update"], "error: '--target' requires a value; write '--target NAME'"),
            (["update", "--target=L\u{202E}p"], #"error: there is no Swift target 'L\u{202E}p'; the targets are "#),
            (["diff", "--strict"], "error: '--strict' does not apply to 'diff', which reports no warnings"),
            (["lint", "--against", "v1"], "error: '--against' requires 'diff'; 'lint' compares nothing"),
            (["diff", "--against"], "error: '--against' requires a value; see 'preferences --help'"),
            (["diff", "--format="], "error: '--format' requires a value; see 'preferences --help'"),
            (["check", "--force"], "error: '--force' requires 'update'; 'check' writes nothing"),
            (
                ["update", "--target", "Lamp"],
                "error: there is no Swift target 'Lamp'; the targets are 'LighthouseKit', 'lighthouse'; "
                    + "SwiftPM leaves out targets without a Swift file, which may be empty"
            ),
            (["update", "--target", "lighthouse"], "error: target 'lighthouse' has no schema; add 'NAME.preferences"),
        ]
    )
    func commandErrors(arguments: [String], message: String) async throws {
        let package = try FixturePackage("Lighthouse", .native)
        let run = try await package.preferences(arguments)
        #expect(!run.succeeded)
        #expect(run.output.contains(message), "\(run.output)")
    }

    @Test("The command prints its help, and lints schemas")
    func commandHelp() async throws {
        let package = try FixturePackage("Lighthouse", .native)
        let help = try await package.preferences("--help")
        #expect(help.succeeded)
        #expect(help.output.contains("OVERVIEW: Updates or checks the regions of host files, checks schemas"))
        let lint = try await package.preferences("--target=LighthouseKit", "--target", "LighthouseKit", "--", "lint")
        #expect(lint.succeeded)
        // A target that is named twice is processed once.
        #expect(lint.output.components(separatedBy: "LighthouseKit:\n2 schemas, 6 keys: no faults\n").count == 2)
    }
}
