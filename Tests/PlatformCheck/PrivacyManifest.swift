import Foundation

/// A privacy manifest of a package that collects no data and does not track.
struct PrivacyManifest: Equatable, Sendable {
    /// The name that Apple gives the file.
    static let fileName = "PrivacyInfo.xcprivacy"

    /// The reasons of each category that it declares.
    private(set) var reasons: [RequiredReasonCategory: Set<String>] = [:]

    private init() {}

    /// Reads the manifest of a target. A target without one declares nothing.
    init(of target: PackageTarget) throws {
        let file = target.privacyManifest
        guard FileManager.default.fileExists(atPath: file.path) else {
            self.init()
            return
        }
        try self.init(Data(contentsOf: file), path: file.path)
    }

    /// Reads a manifest.
    ///
    /// - Throws: A ``CheckFailure`` for a key, a category or a reason that Apple does not define, for a category without a
    ///   reason or declared twice, and for a manifest that declares tracking or collected data.
    init(_ contents: Data, path: String) throws {
        func failure(_ message: String) -> CheckFailure { CheckFailure("\(path): \(message)") }

        let root = try? PropertyListSerialization.propertyList(from: contents, format: nil) as? [String: Any]
        guard let root else { throw failure("this is no property list with a dictionary") }
        let keys = [
            "NSPrivacyAccessedAPITypes", "NSPrivacyCollectedDataTypes", "NSPrivacyTracking", "NSPrivacyTrackingDomains",
        ]
        guard root.keys.sorted() == keys else {
            throw failure("expected the keys \(keys), found \(root.keys.sorted())")
        }
        guard root["NSPrivacyTracking"] as? Bool == false,
            (root["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true,
            (root["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true
        else { throw failure("the libraries do not track and collect no data, so that these keys are false and empty") }
        guard let entries = root["NSPrivacyAccessedAPITypes"] as? [[String: Any]] else {
            throw failure("NSPrivacyAccessedAPITypes is no array of dictionaries")
        }
        for entry in entries {
            guard entry.keys.sorted() == ["NSPrivacyAccessedAPIType", "NSPrivacyAccessedAPITypeReasons"],
                let name = entry["NSPrivacyAccessedAPIType"] as? String,
                let codes = entry["NSPrivacyAccessedAPITypeReasons"] as? [String]
            else { throw failure("a category has a string and an array of reasons, and nothing else") }
            guard let category = RequiredReasonCategory(rawValue: name) else {
                throw failure("unknown category '\(name)'")
            }
            guard !codes.isEmpty, Set(codes).count == codes.count, category.reasons.isSuperset(of: codes) else {
                throw failure("the reasons of \(name) are one or more of \(category.reasons.sorted()), found \(codes)")
            }
            guard reasons.updateValue(Set(codes), forKey: category) == nil else {
                throw failure("\(name) is declared twice")
            }
        }
    }

    /// The differences between the manifest and what its target uses.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - names: The names of C and Objective-C that it uses on Apple's platforms.
    func faults(of target: String, using names: Set<String>) -> [String] {
        RequiredReasonCategory.allCases.compactMap { category in
            let used = names.filter(category.contains).sorted()
            if reasons[category] == nil, !used.isEmpty {
                return
                    "\(target) uses \(used.map { "'\($0)'" }.joined(separator: ", ")), but its \(Self.fileName) does not "
                    + "declare \(category.rawValue). Use other calls, or declare it with a reason."
            }
            if reasons[category] != nil, used.isEmpty {
                return
                    "The \(Self.fileName) of \(target) declares \(category.rawValue), which it does not use. Remove it."
            }
            return nil
        }
    }
}
