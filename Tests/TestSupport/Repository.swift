package import Foundation

/// The repository that the tests are of.
package enum Repository {
    /// Where it is: the folder of `Package.swift`.
    package static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of what tests read: `Tests/Fixtures`.
    package static let fixtures = folder.appending(path: "Tests/Fixtures", directoryHint: .isDirectory)
}
