public import Foundation

/// A read-only store of a bundle's `Info.plist`, or of another of its files.
///
/// ```swift
/// let info = BundleStore()
/// try info.value(for: BundleStore.Key.shortVersion)   // "1.4.2"
/// let defaults = try BundleStore(resource: "Defaults.plist")
/// ```
///
/// The value of a localized key is the one in the user's language.
public struct BundleStore: CapabilityDeclaringStore {
    /// `Info.plist of`, or the name of the resource and `of`, followed by the path of the bundle.
    public let label: String
    /// The entries, which are read once, since they do not change while the program runs.
    private let entries: [String: Result<PreferenceValue, PreferenceProblem>]

    /// Creates a store.
    ///
    /// - Parameter bundle: The bundle; by default the main bundle, which has no values on Linux.
    public init(_ bundle: Bundle = .main) {
        let label = "Info.plist of \(bundle.bundlePath)"
        self.label = label
        let list = (bundle.infoDictionary ?? [:]).merging(bundle.localizedInfoDictionary ?? [:]) { $1 }
        entries = list.reduce(into: [:]) { entries, entry in
            entries[entry.key] = Result { () throws(PreferenceProblem) in
                do {
                    return try PreferenceValue(propertyListObject: entry.value)
                } catch {
                    let message = ErrorText(error).description
                    throw PreferenceProblem(.unsupportedValue, key: entry.key, store: label, message: message)
                }
            }
        }
    }

    /// Creates a store of the present contents of a resource.
    ///
    /// - Parameters:
    ///   - name: The name of the file with its extension, which determines the format as for ``FileStore``:
    ///     `Defaults.plist`, `Defaults.json`.
    ///   - bundle: The bundle; by default the main bundle. The bundle of a package's target is `Bundle.module`.
    /// - Throws: ``PreferenceProblem/Code/storeMissing`` if the bundle has no such resource,
    ///   ``PreferenceProblem/Code/storeMalformed`` if it does not parse.
    public init(resource name: String, in bundle: Bundle = .main) throws(PreferenceProblem) {
        let label = "\(name) of \(bundle.bundlePath)"
        self.label = label
        guard let url = bundle.url(forResource: name, withExtension: nil) else {
            let message = "the bundle has no such resource"
            throw PreferenceProblem(.storeMissing, store: label, message: message, isMessagePublic: true)
        }
        do {
            let file = try FileStore(url: url).existing()
            entries = try file.names().reduce(into: [:]) { entries, name in
                entries[name] = Result { () throws(PreferenceProblem) in
                    do {
                        // A name is not removed meanwhile: the file of a bundle does not change.
                        return try file.value(for: name) ?? .null
                    } catch {
                        throw PreferenceProblem(describing: error, or: .unsupportedValue, key: name, store: label)
                    }
                }
            }
        } catch {
            throw PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: label)
        }
    }

    /// Returns the value of a key; nil if the list does not contain it.
    ///
    /// - Throws: ``PreferenceProblem`` if the object is not a value.
    public func value(for name: String) throws -> PreferenceValue? {
        try entries[name]?.get()
    }

    /// Returns all keys of the list.
    public func names() -> Set<String> {
        Set(entries.keys)
    }

    /// True: the list does not change.
    public var notifiesAllChanges: Bool { true }

    /// Persistence.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { .persistence }
}

extension BundleStore {
    /// Keys of `Info.plist`, from Apple's documentation "Information Property List".
    public enum Key {
        // MARK: Identification

        /// The bundle identifier, such as `com.example.weather`.
        public static let identifier = "CFBundleIdentifier"
        /// The short name.
        public static let name = "CFBundleName"
        /// The name that is shown to users.
        public static let displayName = "CFBundleDisplayName"
        /// The name for speech output.
        public static let spokenName = "CFBundleSpokenName"
        /// The version that is shown to users, such as `1.4.2`.
        public static let shortVersion = "CFBundleShortVersionString"
        /// The build version.
        public static let version = "CFBundleVersion"
        /// The version of the list's format.
        public static let infoDictionaryVersion = "CFBundleInfoDictionaryVersion"
        /// The file name of the executable.
        public static let executable = "CFBundleExecutable"
        /// The type of the bundle: `APPL`, `FMWK` or `BNDL`.
        public static let packageType = "CFBundlePackageType"
        /// The creator code, of four letters.
        public static let signature = "CFBundleSignature"
        /// The copyright notice.
        public static let humanReadableCopyright = "NSHumanReadableCopyright"
        /// The principal class.
        public static let principalClass = "NSPrincipalClass"

        // MARK: Languages

        /// The default language.
        public static let developmentRegion = "CFBundleDevelopmentRegion"
        /// The supported languages.
        public static let localizations = "CFBundleLocalizations"
        /// Whether frameworks may use other languages.
        public static let allowsMixedLocalizations = "CFBundleAllowMixedLocalizations"

        // MARK: Documents and appearance

        /// The supported document types.
        public static let documentTypes = "CFBundleDocumentTypes"
        /// The supported URL schemes.
        public static let urlTypes = "CFBundleURLTypes"
        /// The URL schemes that the app may query.
        public static let queriedURLSchemes = "LSApplicationQueriesSchemes"
        /// Whether documents are opened in place.
        public static let opensDocumentsInPlace = "LSSupportsOpeningDocumentsInPlace"
        /// Whether the Files app shows the app's documents.
        public static let sharesFiles = "UIFileSharingEnabled"
        /// The icon file.
        public static let iconFile = "CFBundleIconFile"
        /// The icon files.
        public static let iconFiles = "CFBundleIconFiles"
        /// The icons.
        public static let icons = "CFBundleIcons"
        /// The font files.
        public static let fonts = "UIAppFonts"
        /// The main storyboard.
        public static let mainStoryboard = "UIMainStoryboardFile"
        /// The launch storyboard.
        public static let launchStoryboard = "UILaunchStoryboardName"
        /// The supported interface orientations.
        public static let interfaceOrientations = "UISupportedInterfaceOrientations"
        /// The Home Screen quick actions.
        public static let shortcutItems = "UIApplicationShortcutItems"

        // MARK: Execution

        /// The App Store category.
        public static let category = "LSApplicationCategoryType"
        /// The minimum version of macOS.
        public static let minimumSystemVersion = "LSMinimumSystemVersion"
        /// The minimum version of iOS, tvOS, watchOS or visionOS.
        public static let minimumOSVersion = "MinimumOSVersion"
        /// Whether the app requires iOS.
        public static let requiresIPhoneOS = "LSRequiresIPhoneOS"
        /// The required device capabilities.
        public static let requiredDeviceCapabilities = "UIRequiredDeviceCapabilities"
        /// The supported device families.
        public static let deviceFamily = "UIDeviceFamily"
        /// The background modes.
        public static let backgroundModes = "UIBackgroundModes"
        /// Whether the app is an agent, without an icon in the Dock.
        public static let isAgent = "LSUIElement"
        /// Whether the app runs only in the background.
        public static let isBackgroundOnly = "LSBackgroundOnly"
        /// The environment variables with which the app is launched.
        public static let environment = "LSEnvironment"
        /// Whether only one instance may run.
        public static let prohibitsMultipleInstances = "LSMultipleInstancesProhibited"
        /// The bundle identifier of a watch app's companion app.
        public static let watchCompanionIdentifier = "WKCompanionAppBundleIdentifier"

        // MARK: Build tools

        /// The version of Xcode, such as `1640`.
        public static let xcodeVersion = "DTXcode"
        /// The build of Xcode.
        public static let xcodeBuild = "DTXcodeBuild"
        /// The compiler.
        public static let compiler = "DTCompiler"
        /// The name of the SDK, such as `macosx15.5`.
        public static let sdkName = "DTSDKName"
        /// The build of the SDK.
        public static let sdkBuild = "DTSDKBuild"
        /// The name of the platform, such as `iphoneos`.
        public static let platformName = "DTPlatformName"
        /// The version of the platform.
        public static let platformVersion = "DTPlatformVersion"
        /// The build of the platform.
        public static let platformBuild = "DTPlatformBuild"
    }
}
