import Foundation
import PreferencesRuntime

/// What there is when calls begin to fail.
enum CallScenario: String, CaseIterable {
    case existing = "a file that is there"
    case first = "a file and a folder that are missing"
    case damaged = "a damaged file"
    case observed = "a file that is watched"
    case linked = "a link"
    case outgrown = "a log that is brought into its database"

    /// Those that there are for a store.
    static func all(for store: ProvenStore) -> [CallScenario] {
        allCases.filter { $0 != .outgrown || store.isDatabase }
    }

    /// Whether there is a file that can be read.
    var hasContents: Bool { self != .first && self != .damaged }

    /// Whether somebody hears what the store tells.
    var isObserved: Bool { self == .observed || self == .damaged }

    /// Where the store is told that its file is.
    func url(in folder: URL, _ store: ProvenStore) -> URL {
        self == .first
            ? folder.appending(components: "app", "inner", store.fileName) : folder.appending(component: store.fileName)
    }

    /// Where the file is, which a link may lead to.
    func target(of url: URL) -> URL {
        self == .linked ? url.deletingLastPathComponent().appending(component: "target.json") : url
    }

    /// Makes what there is: a file that has all under one number, half of it, or none.
    func prepare(_ url: URL, _ store: ProvenStore) throws {
        if self == .first { return }
        let target = target(of: url)
        do {
            let values = store.open(target, isAlone: true)
            try values.commit(["a": .set(0), "b": .set(0), "c": .set(0), "kept": .set(7)])
            if store.isDatabase { try values.commit(PreferenceBatch(Self.manyPages)) }
            try values.flush()
        }
        try FileAttributes.mark(target.path)
        switch self {
        case .existing, .observed, .first, .outgrown: break
        case .damaged: try Data(Data(contentsOf: url).dropLast(30)).write(to: url)
        case .linked:
            try FileManager.default.createSymbolicLink(
                atPath: url.path,
                withDestinationPath: target.lastPathComponent
            )
        }
        FileAge.makeOld(url)
    }

    /// What the first batch is to have besides: as much as SQLite has in a log before it brings that into the database.
    var addition: PreferenceBatch {
        self == .outgrown ? ["large": .set(.string(String(repeating: "x", count: 1_200_000)))] : [:]
    }

    /// So that some pages of a database are read only when it is looked through, and some have the rest of a row alone.
    private static let manyPages = Dictionary(
        uniqueKeysWithValues: (0..<20).map {
            ("page-\($0)", PreferenceEdit.set(.string(String(repeating: "x", count: 600))))
        }
    )
}
