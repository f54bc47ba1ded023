import Foundation

/// Type errors inserted into conditional blocks, which prove that the check compiles each block.
struct InsertedErrors: Sendable {
    /// A block of a source file.
    struct Place: Hashable, Sendable {
        let file: URL
        let block: ConditionalBlock
    }

    /// The blocks of all sources. An error's number is its block's index here.
    let places: [Place]
    /// The copies of the sources, with errors, by the path of the source.
    private let copies: [URL: URL]

    /// Writes copies of sources with an error in each of their blocks.
    ///
    /// - Parameters:
    ///   - isIncluded: Whether a block gets an error.
    ///   - folder: Where the copies are made.
    init(in sources: [URL], where isIncluded: (Place) -> Bool, copies folder: URL) throws {
        try removeIfPresent(folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var places: [Place] = []
        var copies: [URL: URL] = [:]
        for (index, source) in sources.enumerated() {
            let text = try String(contentsOf: source, encoding: .utf8)
            let blocks = ConditionalBlock.blocks(in: text).filter { isIncluded(Place(file: source, block: $0)) }
            guard !blocks.isEmpty else { continue }
            let numbers = Dictionary(uniqueKeysWithValues: zip(blocks, places.count...))
            // Each copy in a folder of its own, as a file called `main.swift` must keep its name.
            let copy = folder.appending(path: "\(index)/\(source.lastPathComponent)")
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(ConditionalBlock.insertingErrors(numbers, into: text).utf8).write(to: copy)
            copies[source] = copy
            places += blocks.map { Place(file: source, block: $0) }
        }
        self.places = places
        self.copies = copies
    }

    /// The places whose errors the compiler finds when it type-checks targets.
    func found(in targets: [PackageTarget], with modules: PlatformCompiler) async throws -> Set<Place> {
        var found: Set<Place> = []
        for target in targets where target.sources.contains(where: { copies[$0] != nil }) {
            for diagnostic in try await modules.diagnostics(of: target, replacing: copies) {
                if let number = ConditionalBlock.number(inMessage: diagnostic.message) {
                    found.insert(places[number])
                }
            }
        }
        return found
    }
}
