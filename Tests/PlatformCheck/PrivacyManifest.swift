import Foundation

/// A privacy manifest of a package that collects no data and does not track.
struct PrivacyManifest: Equatable, Sendable {
    /// The name that Apple gives the file.
    static let fileName = "PrivacyInfo.xcprivacy"

    /// The reasons of each category that it declares.
    private(set) var reasons: [RequiredReasonCategory: Set<String>] = [:]

    private init() {}

    /// Reads the manifest of a target. A target without a manifest declares nothing.
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
    /// - Throws: A ``CheckFailure`` for a key, a category or a reason that Apple does not define, for a category
    ///   without a reason or declared twice, and for a manifest that declares tracking or collected data.
    init(_ contents: Data, path: String) throws {
        func failure(_ message: String) -> CheckFailure { CheckFailure("\(path): \(message)") }

        let root = try? PropertyListSerialization.propertyList(from: contents, format: nil) as? [String: Any]
        guard let root else { throw failure("this is not a property list with a dictionary") }
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
            throw failure("NSPrivacyAccessedAPITypes is not an array of dictionaries")
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

    /// Returns the differences between the manifest and the APIs that its target uses.
    ///
    /// Each static library needs its own manifest, because its code becomes part of the app's binary. Therefore an
    /// internal module that calls these APIs declares them itself, not the modules that depend on it.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - names: The names of C and Objective-C that the target uses on Apple's platforms.
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

/// A category of the APIs for whose use Apple requires a reason in a privacy manifest.
///
/// The categories, their APIs and their reasons are those of this page. An upload that uses an API without declaring
/// its category is refused.
/// https://developer.apple.com/documentation/bundleresources/app-privacy-configuration/nsprivacyaccessedapitypes/nsprivacyaccessedapitype
enum RequiredReasonCategory: String, CaseIterable, Sendable {
    case fileTimestamp = "NSPrivacyAccessedAPICategoryFileTimestamp"
    case systemBootTime = "NSPrivacyAccessedAPICategorySystemBootTime"
    case diskSpace = "NSPrivacyAccessedAPICategoryDiskSpace"
    case activeKeyboards = "NSPrivacyAccessedAPICategoryActiveKeyboards"
    case userDefaults = "NSPrivacyAccessedAPICategoryUserDefaults"

    /// The reasons from which a manifest chooses.
    var reasons: Set<String> {
        switch self {
        case .fileTimestamp: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]
        case .systemBootTime: ["35F9.1", "8FFB.1", "3D61.1"]
        case .diskSpace: ["85F4.1", "E174.1", "7D9E.1", "B728.1"]
        case .activeKeyboards: ["3EC4.1", "54BD.1"]
        case .userDefaults: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]
        }
    }

    /// Whether an API is in the category.
    ///
    /// - Parameter name: A name as ``ImportedNames`` finds it.
    func contains(_ name: String) -> Bool {
        switch self {
        case .userDefaults: name == "UserDefaults" || name.hasPrefix("UserDefaults.")
        case .fileTimestamp: Self.fileTimestampNames.contains(name)
        case .systemBootTime: ["ProcessInfo.systemUptime", "mach_absolute_time"].contains(name)
        case .diskSpace: Self.diskSpaceNames.contains(name)
        case .activeKeyboards: name == "UITextInputMode.activeInputModes"
        }
    }

    private static let fileTimestampNames: Set<String> = [
        "NSFileCreationDate", "NSFileModificationDate", "NSDictionary.fileCreationDate",
        "NSDictionary.fileModificationDate", "NSURLContentModificationDateKey", "NSURLCreationDateKey", "getattrlist",
        "getattrlistbulk", "fgetattrlist", "getattrlistat", "stat", "fstat", "fstatat", "lstat",
    ]

    private static let diskSpaceNames: Set<String> = [
        "NSURLVolumeAvailableCapacityKey", "NSURLVolumeAvailableCapacityForImportantUsageKey",
        "NSURLVolumeAvailableCapacityForOpportunisticUsageKey", "NSURLVolumeTotalCapacityKey", "NSFileSystemFreeSize",
        "NSFileSystemSize", "statfs", "statvfs", "fstatfs", "fstatvfs", "getattrlist", "fgetattrlist", "getattrlistat",
    ]
}
