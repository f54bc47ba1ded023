@_exported import CoreFoundation

// Core Foundation's classes conform to it, which makes them hashable.
// https://developer.apple.com/documentation/corefoundation/cfstring
public protocol _CFObject: AnyObject, Hashable {}
extension _CFObject {
    public var hashValue: Int { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
    public static func == (left: Self, right: Self) -> Bool { fatalError() }
}
