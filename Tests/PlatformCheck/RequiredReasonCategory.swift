/// A category of the APIs for whose use Apple requires a reason in a privacy manifest.
///
/// The categories, their APIs and their reasons are those of this page. An upload that uses an API without declaring its
/// category is refused.
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
