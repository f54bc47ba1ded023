import Foundation

/// What builds have made, and when: modules, objects, executables and generated source.
///
/// Two of them tell what a build in between did, whatever it said.
struct BuildProducts {
    private let dates: [String: Date]

    /// Looks at a folder that `swift build` was told to build in.
    init(in folder: URL) throws {
        var dates: [String: Date] = [:]
        for path in try folder.filesBelow() {
            let url = folder.appending(path: path)
            let isProduct = [".o", ".a", ".swiftmodule", ".swift"].contains { path.hasSuffix($0) }
            guard isProduct || FileManager.default.isExecutableFile(atPath: url.path) else { continue }
            dates[path] = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
        }
        self.dates = dates
    }

    /// The products that were made or made anew since, as paths.
    func made(since earlier: BuildProducts) -> Set<String> {
        Set(dates.filter { earlier.dates[$0.key] != $0.value }.keys)
    }

    /// The source files that were compiled since, without their extension and after the name of their module:
    /// `ObservatoryKit/Weather.preferences`.
    func compiled(since earlier: BuildProducts) -> Set<String> {
        Set(made(since: earlier).compactMap(Self.source))
    }

    /// The names of the files that were generated, or generated anew with other contents, since.
    func generated(since earlier: BuildProducts) -> Set<String> {
        let paths = made(since: earlier).filter { $0.hasSuffix(".preferences.swift") }
        return Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
    }

    /// The source file that an object comes from.
    private static func source(ofObject path: String) -> String? {
        let components = path.split(separator: "/")
        // `Modules` holds what is made of whole modules.
        guard path.hasSuffix(".o"), !path.hasSuffix(".swiftmodule.o"), !components.contains("Modules"),
            let module = components.last(where: { $0.hasSuffix(".build") })?.dropLast(".build".count),
            let source = components.last?.replacing(/(\.swift)?\.o$/, with: "")
        else { return nil }
        // The new build system builds executables once more, for tests to import.
        return "\(module.replacing(/-[0-9A-F]+-testable$/, with: ""))/\(source)"
    }
}
