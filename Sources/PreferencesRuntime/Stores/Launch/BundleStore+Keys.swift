extension BundleStore {
    /// Keys of `Info.plist`, as Apple's "Information Property List" names them.
    public enum Key {
        // MARK: What the bundle is

        /// `com.example.weather`.
        public static let identifier = "CFBundleIdentifier"
        /// The short name.
        public static let name = "CFBundleName"
        /// The name that users see.
        public static let displayName = "CFBundleDisplayName"
        /// The name as it is spoken.
        public static let spokenName = "CFBundleSpokenName"
        /// The version that users see: `1.4.2`.
        public static let shortVersion = "CFBundleShortVersionString"
        /// The version of the build.
        public static let version = "CFBundleVersion"
        /// The version of the list's own format.
        public static let infoDictionaryVersion = "CFBundleInfoDictionaryVersion"
        /// The executable's file name.
        public static let executable = "CFBundleExecutable"
        /// `APPL`, `FMWK` or `BNDL`.
        public static let packageType = "CFBundlePackageType"
        /// A code of four letters.
        public static let signature = "CFBundleSignature"
        /// The copyright notice.
        public static let humanReadableCopyright = "NSHumanReadableCopyright"
        /// The class that the program begins with.
        public static let principalClass = "NSPrincipalClass"

        // MARK: Languages

        /// The language that is used where no other fits.
        public static let developmentRegion = "CFBundleDevelopmentRegion"
        /// The languages that the bundle has.
        public static let localizations = "CFBundleLocalizations"
        /// Whether texts of frameworks may be in other languages.
        public static let allowsMixedLocalizations = "CFBundleAllowMixedLocalizations"

        // MARK: What it opens, and how it looks

        /// The documents that it opens.
        public static let documentTypes = "CFBundleDocumentTypes"
        /// The URL schemes that it opens.
        public static let urlTypes = "CFBundleURLTypes"
        /// The URL schemes that it may ask for.
        public static let queriedURLSchemes = "LSApplicationQueriesSchemes"
        /// Whether documents are opened where they are.
        public static let opensDocumentsInPlace = "LSSupportsOpeningDocumentsInPlace"
        /// Whether its documents are shared through the Files app.
        public static let sharesFiles = "UIFileSharingEnabled"
        /// The icon's file.
        public static let iconFile = "CFBundleIconFile"
        /// The icons' files.
        public static let iconFiles = "CFBundleIconFiles"
        /// The icons.
        public static let icons = "CFBundleIcons"
        /// Its fonts.
        public static let fonts = "UIAppFonts"
        /// The storyboard that is shown first.
        public static let mainStoryboard = "UIMainStoryboardFile"
        /// The storyboard that is shown while it starts.
        public static let launchStoryboard = "UILaunchStoryboardName"
        /// The orientations that it supports.
        public static let interfaceOrientations = "UISupportedInterfaceOrientations"
        /// The actions on its icon.
        public static let shortcutItems = "UIApplicationShortcutItems"

        // MARK: Where and how it runs

        /// The category in the App Store.
        public static let category = "LSApplicationCategoryType"
        /// The first version of macOS that it runs on.
        public static let minimumSystemVersion = "LSMinimumSystemVersion"
        /// The first version of iOS, tvOS, watchOS or visionOS that it runs on.
        public static let minimumOSVersion = "MinimumOSVersion"
        /// Whether it runs on iOS alone.
        public static let requiresIPhoneOS = "LSRequiresIPhoneOS"
        /// What it needs of a device.
        public static let requiredDeviceCapabilities = "UIRequiredDeviceCapabilities"
        /// The kinds of devices that it runs on.
        public static let deviceFamily = "UIDeviceFamily"
        /// What it does in the background.
        public static let backgroundModes = "UIBackgroundModes"
        /// Whether it has no icon in the Dock.
        public static let isAgent = "LSUIElement"
        /// Whether it runs in the background alone.
        public static let isBackgroundOnly = "LSBackgroundOnly"
        /// Environment variables that it is started with.
        public static let environment = "LSEnvironment"
        /// Whether only one instance may run.
        public static let prohibitsMultipleInstances = "LSMultipleInstancesProhibited"
        /// The app that a watch app belongs to.
        public static let watchCompanionIdentifier = "WKCompanionAppBundleIdentifier"

        // MARK: What built it

        /// Xcode's version: `1640`.
        public static let xcodeVersion = "DTXcode"
        /// Xcode's build.
        public static let xcodeBuild = "DTXcodeBuild"
        /// The compiler.
        public static let compiler = "DTCompiler"
        /// The SDK: `macosx15.5`.
        public static let sdkName = "DTSDKName"
        /// The SDK's build.
        public static let sdkBuild = "DTSDKBuild"
        /// The platform: `iphoneos`.
        public static let platformName = "DTPlatformName"
        /// The platform's version.
        public static let platformVersion = "DTPlatformVersion"
        /// The platform's build.
        public static let platformBuild = "DTPlatformBuild"
    }
}
