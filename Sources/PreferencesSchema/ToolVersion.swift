/// The version of the tools, which is in the header of generated files.
package enum ToolVersion {
    package static let current = "1.0"
}
