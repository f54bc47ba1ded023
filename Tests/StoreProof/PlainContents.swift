import Foundation
import PreferencesRuntime

/// What is in a store's file, as something reads it that knows nothing of the store.
enum PlainContents {
    case missing
    case entries([String: Any])
    /// With why it cannot be read.
    case unreadable(String)

    init(of url: URL) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            let isThere = (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
            self = isThere ? .unreadable("the file cannot be read: \(error)") : .missing
            return
        }
        self.init(parsing: data)
    }

    init(parsing data: Data) {
        let isPropertyList = data.starts(with: Data("<".utf8)) || data.starts(with: Data("bplist".utf8))
        // Foundation on Linux ends the program.
        if isPropertyList, hasPropertyListSet([UInt8](data)) {
            self = .unreadable("the property list has a set")
            return
        }
        do {
            let root =
                isPropertyList
                ? try PropertyListSerialization.propertyList(from: data, format: nil)
                : try JSONSerialization.jsonObject(with: data)
            guard let entries = root as? [String: Any] else {
                self = .unreadable("its root is no object")
                return
            }
            self = .entries(entries)
        } catch {
            self = .unreadable("the file of \(data.count) bytes does not parse")
        }
    }

    /// Its numbers by name; nil where it is missing or cannot be read.
    var numbers: [String: Int64]? {
        guard case .entries(let entries) = self else { return nil }
        return entries.compactMapValues { ($0 as? NSNumber)?.int64Value }
    }
}
