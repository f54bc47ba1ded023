package import Foundation

/// One schema, or several that are read together.
package struct Fixture: Sendable, CustomStringConvertible {
    /// The name of the schema's file without its ending, or that of the folder.
    package let name: String

    /// What the paths begin in.
    package let folder: URL

    /// Of the schemas, relative to the folder.
    package let paths: [String]

    /// What tests that are given it are listed with.
    package var description: String { name }

    /// What stands in a file with a path relative to the folder.
    package func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }
}
