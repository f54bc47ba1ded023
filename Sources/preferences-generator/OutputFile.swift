#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A generated file, to be written if it differs from what is there.
struct OutputFile {
    var path: String
    var text: String

    /// Writes files, each atomically; if one cannot be written, those written before it are put back.
    ///
    /// - Returns: How many files were written: those that have their text already are not touched.
    static func write(_ files: [OutputFile]) throws(FileFailure) -> Int {
        var written: [(url: URL, former: Data?)] = []
        for file in files {
            // A symbolic link stays one: what it leads to is written.
            let url = URL(filePath: file.path).resolvingSymlinksInPath()
            let data = Data(file.text.utf8)
            let former = try? Data(contentsOf: url)
            if former == data { continue }
            do {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try data.write(to: url, options: .atomic)
            } catch {
                for (url, former) in written.reversed() { restore(url, former) }
                throw FileFailure(operation: "write", path: file.path, error)
            }
            written.append((url, former))
        }
        return written.count
    }

    private static func restore(_ url: URL, _ former: Data?) {
        // The failure that led here is the one to report.
        if let former {
            try? former.write(to: url, options: .atomic)
        } else {
            try? FileManager.default.removeItem(at: url)
        }
    }
}
