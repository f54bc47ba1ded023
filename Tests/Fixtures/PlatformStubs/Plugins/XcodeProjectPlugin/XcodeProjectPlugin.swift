public import Foundation
public import PackagePlugin

// https://developer.apple.com/documentation/xcodeprojectplugin/xcodebuildtoolplugin
public protocol XcodeBuildToolPlugin: Plugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

// https://developer.apple.com/documentation/xcodeprojectplugin/xcodecommandplugin
public protocol XcodeCommandPlugin: Plugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

// https://developer.apple.com/documentation/xcodeprojectplugin/xcodeplugincontext
public struct XcodePluginContext {
    public let xcodeProject: XcodeProject
    @available(_PackageDescription, introduced: 6.0)
    public let pluginWorkDirectoryURL: URL
    public func tool(named name: String) throws -> PluginContext.Tool { fatalError() }
}

// https://developer.apple.com/documentation/xcodeprojectplugin/xcodeproject
public struct XcodeProject {
    public let displayName: String
    @available(_PackageDescription, introduced: 6.0)
    public let directoryURL: URL
    public let targets: [XcodeTarget]
}

// https://developer.apple.com/documentation/xcodeprojectplugin/xcodetarget
public struct XcodeTarget {
    public let displayName: String
    public let inputFiles: FileList
}
