import Foundation
import TestSupport

/// Type-checks the package for platforms whose software development kit is not installed.
@main
struct PlatformCheck {
    static let help = """
        USAGE: check-apple [--prove] [--platform NAME]...

        Type-checks the package's libraries and programs for macOS, Mac Catalyst, iOS, tvOS, watchOS, visionOS and
        Linux with musl, and its plugins for Xcode. Linux, without and with the lock for ThreadSanitizer, is
        checked only with --prove or --platform, because the tests are built for it. Stubs replace modules that this
        machine does not have: see 'Other platforms' in CONTRIBUTING.md. Warnings are errors. So are known uses of
        what is newer than Swift 6.1. Modules are kept in .build-platforms, which may be deleted.

        OPTIONS:
          --prove           Also verify the check: insert a type error into each conditional block, and fail unless
                            the compiler reports it on some platform, Linux among them.
          --platform NAME   Check only this platform: macOS, "Mac Catalyst", iOS, tvOS, watchOS, visionOS, musl,
                            plugins, Linux or "Linux with ThreadSanitizer". Repeatable.
          --help            Show this help.

        EXAMPLES:
          Tests/check-apple --platform iOS --platform "Mac Catalyst"
          Tests/check-apple --prove

        EXIT STATUS: 0 no errors, 1 errors found, 2 invalid option, 3 the check could not run.
        """

    static func main() async {
        var proves = false
        var chosen: [String] = []
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--help", "-h":
                print(help)
                return
            case "--prove":
                proves = true
            case "--platform":
                guard let name = arguments.popFirst() else { fail(2, "'--platform' requires a name; see --help.") }
                chosen.append(name)
            default:
                fail(2, "Unknown option '\(argument)'; see --help.")
            }
        }
        do {
            if proves, !chosen.isEmpty { fail(2, "'--prove' is for all platforms together; leave '--platform' out.") }
            let package = try await LoadedPackage(of: Repository.folder)
            guard package.toolsVersion == MinimumSwiftVersion.version else {
                throw CheckFailure(
                    "Package.swift requires Swift \(package.toolsVersion), and MinimumSwiftVersion.swift lists what is "
                        + "newer than \(MinimumSwiftVersion.version). Update the list and its version."
                )
            }
            let toolchain = try await Toolchain()
            var platforms = try Platform.all(for: package, linux: toolchain.triple)
            chosen = chosen.map { $0.lowercased() }
            if let unknown = chosen.first(where: { name in !platforms.contains { $0.name.lowercased() == name } }) {
                let names = platforms.map { "'\($0.name)'" }.joined(separator: ", ")
                fail(2, "Unknown platform '\(unknown)'; there are \(names).")
            }
            if !chosen.isEmpty {
                platforms.removeAll { !chosen.contains($0.name.lowercased()) }
            } else if !proves {
                platforms.removeAll(where: \.isBuiltForTests)
            }

            let check = try Check(of: package, toolchain: toolchain)
            let modules = try await check.prepare(platforms)
            guard try await check.typeCheck(modules) else { exit(1) }
            if proves, try await !check.prove(modules) { exit(1) }
        } catch {
            fail(3, "\(error)")
        }
    }

    private static func fail(_ status: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("check-apple: \(message)\n".utf8))
        exit(status)
    }
}
