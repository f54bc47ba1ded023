/// What a file to be imported is written in.
package enum ImportFormat: String, CaseIterable, Sendable {
    case gschema
    case kcfg
    case settingsBundle = "settings-bundle"
    case plist
    case json

    /// Whether schemas made from it can have keys that stand in no namespace.
    var hasKeysOfFile: Bool { self != .gschema && self != .kcfg }

    /// The format that a path's ending tells; nil where it does not.
    package init?(path: String) {
        let name = path.pathName.lowercased()
        let folder = path.pathFolder.pathName.lowercased()
        switch true {
        case name.hasSuffix(".gschema.xml"): self = .gschema
        case name.hasSuffix(".kcfg"): self = .kcfg
        case name.hasSuffix(".bundle"), name == "root.plist" && folder.hasSuffix(".bundle"): self = .settingsBundle
        case name.hasSuffix(".plist"): self = .plist
        case name.hasSuffix(".json"): self = .json
        default: return nil
        }
    }

    /// What a schema made from a file is called, without ending: the file's name without its own.
    package func schemaName(path: String) -> String {
        let path = self == .settingsBundle && path.lowercased().hasSuffix(".plist") ? path.pathFolder : path
        let name = path.pathName
        let ending = endings.first { name.lowercased().hasSuffix($0) && name.count > $0.count }
        return String(name.dropLast(ending?.count ?? 0))
    }

    /// The file that a path leads to, which is what remarks are about: that of a settings bundle is its `Root.plist`.
    func filePath(_ path: String) -> String {
        guard self == .settingsBundle, !path.lowercased().hasSuffix(".plist") else { return path }
        return (path.hasSuffix("/") ? path : "\(path)/") + "Root.plist"
    }

    private var endings: [String] {
        switch self {
        case .gschema: [".gschema.xml", ".xml"]
        case .kcfg: [".kcfg"]
        case .settingsBundle: [".bundle", ".plist"]
        case .plist: [".plist"]
        case .json: [".json"]
        }
    }
}
