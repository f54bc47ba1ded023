import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime
@testable import PreferencesSystem

/// The files and folders whose changes may change the contents at a path.
struct WatchPointTests {
    /// The points below a folder, as `kind path`; those above it are the system's.
    private func points(_ path: String, in folder: URL) -> Set<String> {
        let root = folder.filePath.dropLast()
        let points = WatchPoint.points(affecting: "\(root)/\(path)").map { point in
            let path = point.path.hasPrefix(root) ? "." + point.path.dropFirst(root.count) : point.path
            return switch point.kind {
            case .pathComponent: "place \(path)"
            case .entry(let name): "entry \(path) \(name)"
            case .entries: "entries \(path)"
            case .contents: "contents \(path)"
            }
        }
        return Set(points.filter { $0.contains(" ./") || $0.contains(" . ") })
    }

    private func makeFolder(_ path: String, in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder.appending(path: path), withIntermediateDirectories: true)
    }

    private func link(_ path: String, to target: String, in folder: URL) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: path).filePath,
            withDestinationPath: target
        )
    }

    @Test("The points of a file are the file, its folder and the folders above")
    func thePointsOfAFileAreTheFileItsFolderAndTheFoldersAbove() throws {
        try withTemporaryDirectory { folder in
            try makeFolder("a/b", in: folder)
            try folder.appending(path: "a/b/file").write("")
            #expect(
                points("a/b/file", in: folder) == [
                    "place ./a", "place ./a/b", "entry ./a/b file", "contents ./a/b/file",
                ]
            )
            let above = WatchPoint.points(affecting: folder.appending(path: "a/b/file").filePath).filter {
                $0.kind == .pathComponent && !$0.path.hasPrefix(folder.filePath)
            }
            #expect(above.count == folder.pathComponents.count - 1)
        }
    }

    @Test("The points of a missing file begin with the nearest existing folder")
    func thePointsOfAMissingFileBeginWithTheNearestExistingFolder() throws {
        try withTemporaryDirectory { folder in
            try makeFolder("a", in: folder)
            #expect(points("a/b/c/file", in: folder) == ["place ./a", "entry ./a b"])
            #expect(points("file", in: folder) == ["entry . file"])
        }
    }

    @Test("A file in a folder's place is the first point")
    func aFileInAFoldersPlaceIsTheFirstPoint() throws {
        try withTemporaryDirectory { folder in
            try makeFolder("folder", in: folder)
            try folder.appending(path: "file").write("")
            #expect(points("folder", in: folder) == ["entry . folder"])
            #expect(points("file/preferences.json", in: folder) == ["entry . file"])
        }
    }

    @Test("Links are followed, and are points themselves")
    func linksAreFollowedAndArePointsThemselves() throws {
        try withTemporaryDirectory { folder in
            try makeFolder("a/b", in: folder)
            try folder.appending(path: "a/file").write("")
            try link("a/b/up", to: "..", in: folder)
            try link("first", to: "./a//b/up/second", in: folder)
            try link("a/second", to: folder.appending(path: "a/file").filePath, in: folder)
            #expect(
                points("first", in: folder) == [
                    "place ./first", "place ./a", "place ./a/b", "place ./a/b/up", "place ./a/b/..",
                    "place ./a/b/../second", "entry ./a file", "contents ./a/file",
                ]
            )
        }
    }

    @Test("A loop of links ends")
    func aLoopOfLinksEnds() throws {
        try withTemporaryDirectory { folder in
            try link("one", to: "two", in: folder)
            try link("two", to: "one", in: folder)
            #expect(points("one", in: folder).isSuperset(of: ["place ./one", "place ./two"]))
        }
    }

    @Test("Another file of the same name is another point")
    func anotherFileOfTheSameNameIsAnotherPoint() throws {
        try withTemporaryDirectory { folder in
            try folder.appending(path: "file").write("")
            try folder.appending(path: "other").write("")
            let path = folder.appending(path: "file").filePath
            let before = WatchPoint.points(affecting: path)
            #expect(WatchPoint.points(affecting: path) == before)
            try FileManager.default.removeItem(at: folder.appending(path: "file"))
            try FileManager.default.moveItem(at: folder.appending(path: "other"), to: folder.appending(path: "file"))
            #expect(WatchPoint.points(affecting: path) != before)
        }
    }
}
