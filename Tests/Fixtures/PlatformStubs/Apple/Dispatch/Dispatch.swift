@_exported import Dispatch

// MARK: - Queues

// https://developer.apple.com/documentation/dispatch/dispatchqueue
extension DispatchQueue {
    // https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { fatalError() }
    }

    // https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency
    public enum AutoreleaseFrequency: Sendable {
        case inherit
        case workItem
        case never
    }

    public convenience init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: DispatchQueue.Attributes = [],
        autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit,
        target: DispatchQueue? = nil
    ) { fatalError() }

    public class var main: DispatchQueue { fatalError() }

    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }

    @preconcurrency
    public class func concurrentPerform(iterations: Int, execute work: @Sendable (Int) -> Void) { fatalError() }

    @preconcurrency
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }

    @preconcurrency
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }

    @preconcurrency
    public class func getSpecific<T: Sendable>(key: DispatchSpecificKey<T>) -> T? { fatalError() }

    @preconcurrency
    public func setSpecific<T: Sendable>(key: DispatchSpecificKey<T>, value: T?) { fatalError() }
}

// https://developer.apple.com/documentation/dispatch/dispatchspecifickey
final public class DispatchSpecificKey<T> {
    public init() { fatalError() }
}
extension DispatchSpecificKey: Sendable where T: Sendable {}

// https://developer.apple.com/documentation/dispatch/dispatchqos
public struct DispatchQoS: Equatable, Sendable {
    // https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass-swift.enum
    public enum QoSClass: Sendable {
        case background
        case utility
        case `default`
        case userInitiated
        case userInteractive
        case unspecified
    }

    public let qosClass: DispatchQoS.QoSClass
    public let relativePriority: Int

    public init(qosClass: DispatchQoS.QoSClass, relativePriority: Int) { fatalError() }

    public static let utility = DispatchQoS(qosClass: .utility, relativePriority: 0)
    public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
    public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)
}

// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags
public struct DispatchWorkItemFlags: OptionSet, RawRepresentable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
}

// MARK: - Waiting

// https://developer.apple.com/documentation/dispatch/dispatchgroup
extension DispatchGroup {
    @_unavailableFromAsync(message: "Use a TaskGroup instead")
    public func wait() { fatalError() }
}

// https://developer.apple.com/documentation/dispatch/dispatchsemaphore
extension DispatchSemaphore {
    @discardableResult
    public func signal() -> Int { fatalError() }

    @_unavailableFromAsync(message: "Await a Task handle instead")
    public func wait() { fatalError() }

    @_unavailableFromAsync(message: "Await a Task handle instead")
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}

// https://developer.apple.com/documentation/dispatch/dispatchtimeoutresult
@frozen
public enum DispatchTimeoutResult: Sendable {
    case success
    case timedOut
}

// MARK: - Time

// https://developer.apple.com/documentation/dispatch/dispatchtime
public struct DispatchTime: Comparable, Sendable {
    public static func now() -> DispatchTime { fatalError() }

    public init(uptimeNanoseconds: UInt64) { fatalError() }

    public var uptimeNanoseconds: UInt64 { fatalError() }

    public static func < (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
    public static func == (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
}
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }

// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval
public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int)
    case milliseconds(Int)
    case microseconds(Int)
    case nanoseconds(Int)
    case never
}

// MARK: - Sources

// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol
extension DispatchSourceProtocol {
    // https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/dispatchsourcehandler
    public typealias DispatchSourceHandler = @convention(block) () -> Void

    public func setEventHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: DispatchSourceHandler?
    ) { fatalError() }

    public func setCancelHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: DispatchSourceHandler?
    ) { fatalError() }

    public func setRegistrationHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: DispatchSourceHandler?
    ) { fatalError() }

    @available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
    public func activate() { fatalError() }

    public func cancel() { fatalError() }
}

// https://developer.apple.com/documentation/dispatch/dispatchsource
extension DispatchSource {
    // Not Sendable in Apple's interface either, which declares constants. In Swift 6 mode these have to be computed.
    // https://developer.apple.com/documentation/dispatch/dispatchsource/filesystemevent
    public struct FileSystemEvent: OptionSet, RawRepresentable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }

        public static var delete: DispatchSource.FileSystemEvent { .init(rawValue: 0x1) }
        public static var write: DispatchSource.FileSystemEvent { .init(rawValue: 0x2) }
        public static var extend: DispatchSource.FileSystemEvent { .init(rawValue: 0x4) }
        public static var attrib: DispatchSource.FileSystemEvent { .init(rawValue: 0x8) }
        public static var link: DispatchSource.FileSystemEvent { .init(rawValue: 0x10) }
        public static var rename: DispatchSource.FileSystemEvent { .init(rawValue: 0x20) }
        public static var revoke: DispatchSource.FileSystemEvent { .init(rawValue: 0x40) }
    }

    public class func makeFileSystemObjectSource(
        fileDescriptor: Int32,
        eventMask: DispatchSource.FileSystemEvent,
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceFileSystemObject { fatalError() }

    public class func makeSignalSource(
        signal: Int32,
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceSignal { fatalError() }
}
