import Foundation
import PreferencesRuntime

/// What there is when calls begin to fail.
enum CallScenario: String, CaseIterable {
    case existing = "a file that is there"
    case first = "a file and a folder that are missing"
    case damaged = "a damaged file"
    case observed = "a file that is watched"
    case linked = "a link"

    /// Where the store is told that its file is.
    func url(in folder: URL, _ store: ProvenStore) -> URL {
        self == .first
            ? folder.appending(components: "app", "inner", store.fileName) : folder.appending(component: store.fileName)
    }

    /// Where the file is, which a link may lead to.
    func target(of url: URL) -> URL {
        self == .linked ? url.deletingLastPathComponent().appending(component: "target.json") : url
    }

    /// What the file holds, all under one number; nil where there is none.
    static let contents = Data(#"{"a": 0, "b": 0, "c": 0, "kept": 7}"#.utf8)
    static let damage = Data(#"{"a": 0, "b": 0, "c"#.utf8)

    func prepare(_ url: URL) throws {
        switch self {
        case .existing, .observed: try Self.contents.write(to: url)
        case .damaged: try Self.damage.write(to: url)
        case .first: return
        case .linked:
            let target = target(of: url)
            try Self.contents.write(to: target)
            try FileManager.default.createSymbolicLink(
                atPath: url.path,
                withDestinationPath: target.lastPathComponent
            )
        }
        FileAge.makeOld(url)
    }
}
