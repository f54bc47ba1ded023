@_exported import ObjectiveC

// https://developer.apple.com/documentation/objectivec/objcbool
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    #if arch(x86_64) && (os(macOS) || targetEnvironment(macCatalyst))
        @usableFromInline var _value: Int8
    #else
        @usableFromInline var _value: Bool
    #endif
    public var boolValue: Bool { fatalError() }
    public init(_ value: Bool) { fatalError() }
    public init(booleanLiteral value: Bool) { fatalError() }
}

// https://developer.apple.com/documentation/objectivec/selector
@frozen public struct Selector: ExpressibleByStringLiteral, Hashable, @unchecked Sendable {
    public init(_ string: String) { fatalError() }
    public init(stringLiteral value: String) { fatalError() }
    public static func == (lhs: Selector, rhs: Selector) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
}

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
extension NSObject: Equatable, Hashable {
    public static func == (lhs: NSObject, rhs: NSObject) -> Bool { fatalError() }
    @nonobjc public func hash(into hasher: inout Hasher) { fatalError() }
    @nonobjc public var hashValue: Int { fatalError() }
}

// The functions that the compiler converts Booleans of Objective-C with.
// https://developer.apple.com/documentation/objectivec/bool
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { fatalError() }
