/// What `swift build` can build with; the plugin works with both.
enum BuildSystem: String, CaseIterable {
    case native
    case swiftbuild
}
