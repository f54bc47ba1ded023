/// Recognizes processes that run tests.
package enum TestProcess {
    /// Whether this process runs tests of Swift Testing or XCTest: those of SwiftPM, or of Xcode, also in an app. The
    /// processes that a test of Xcode starts are recognized as well, since they inherit its environment.
    package static let isCurrent = isTestProcess(program: CommandLine.arguments.first ?? "") { getenv($0) != nil }

    /// Returns whether a program runs tests, by its name and by the environment variables that Xcode sets for tests.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - hasVariable: Returns whether an environment variable is set.
    package static func isTestProcess(program: String, hasVariable: (String) -> Bool) -> Bool {
        let name = program.split(separator: "/").last ?? ""
        // SwiftPM's programs: of the native build system on Linux, of Swift Build on Linux, and two on macOS.
        return name.hasSuffix(".xctest") || name.hasSuffix("Tests-test-runner")
            || ["xctest", "swiftpm-testing-helper"].contains(name)
            || ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"].contains(
                where: hasVariable
            )
    }
}
