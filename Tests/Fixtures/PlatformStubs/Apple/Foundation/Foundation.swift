@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import ObjectiveC

// MARK: - Bridging

// The witnesses that no source calls by name, once for all bridged types.
// https://developer.apple.com/documentation/swift/working-with-foundation-types
extension _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}

// https://developer.apple.com/documentation/swift/working-with-foundation-types
extension String: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSString }
extension Substring: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSString }
extension Array: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSArray }
extension Dictionary: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSDictionary }
extension Set: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSSet }
extension Bool: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Int: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Int8: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Int16: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Int32: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Int64: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension UInt: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension UInt8: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension UInt16: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension UInt32: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension UInt64: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Float: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Double: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }

// https://developer.apple.com/documentation/foundation/referenceconvertible
public protocol ReferenceConvertible: _ObjectiveCBridgeable, CustomStringConvertible, CustomDebugStringConvertible,
    Hashable
{
    associatedtype ReferenceType: NSObject, NSCopying
}

// https://developer.apple.com/documentation/foundation/nsnumber
extension NSNumber: ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    @nonobjc public required convenience init(booleanLiteral value: Bool) { fatalError() }
    @nonobjc public required convenience init(floatLiteral value: Double) { fatalError() }
    @nonobjc public required convenience init(integerLiteral value: Int) { fatalError() }
}

// https://developer.apple.com/documentation/foundation/nsdictionary
extension NSDictionary: ExpressibleByDictionaryLiteral {
    @nonobjc public required convenience init(dictionaryLiteral elements: (Any, Any)...) { fatalError() }
}

// MARK: - Errors

// The functions that a Swift error is converted with.
// https://developer.apple.com/documentation/swift/handling-cocoa-errors-in-swift
public typealias NSErrorPointer = AutoreleasingUnsafeMutablePointer<NSError?>?
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }

// https://developer.apple.com/documentation/foundation/nserror
extension NSError: Error {
    @nonobjc public var _domain: String { fatalError() }
    @nonobjc public var _code: Int { fatalError() }
    @nonobjc public var _userInfo: AnyObject? { fatalError() }
}

// https://developer.apple.com/documentation/swift/error
extension Error {
    public var localizedDescription: String { fatalError() }
}

// https://developer.apple.com/documentation/foundation/localizederror
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { fatalError() }
    public var failureReason: String? { fatalError() }
    public var recoverySuggestion: String? { fatalError() }
    public var helpAnchor: String? { fatalError() }
}

// https://developer.apple.com/documentation/foundation/customnserror
public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
    public static var errorDomain: String { fatalError() }
    public var errorCode: Int { fatalError() }
    public var errorUserInfo: [String: Any] { fatalError() }
}

// The protocols of Foundation's own errors.
// https://developer.apple.com/documentation/foundation/cocoaerror
public protocol _ObjectiveCBridgeableError: Error {
    init?(_bridgedNSError: __shared NSError)
}
public protocol _BridgedStoredNSError: _ObjectiveCBridgeableError, CustomNSError, Hashable {
    associatedtype Code: _ErrorCodeProtocol where Code.RawValue: FixedWidthInteger
    var _nsError: NSError { get }
    init(_nsError error: NSError)
}
public protocol _ErrorCodeProtocol: Equatable, RawRepresentable {
    associatedtype _ErrorType: _BridgedStoredNSError where _ErrorType.Code == Self
}
extension _BridgedStoredNSError {
    public var code: Code { fatalError() }
    public var userInfo: [String: Any] { fatalError() }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
    public init?(_bridgedNSError error: NSError) { fatalError() }
    public static func == (lhs: Self, rhs: Self) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
}

// https://developer.apple.com/documentation/foundation/cocoaerror
public struct CocoaError: _BridgedStoredNSError {
    public let _nsError: NSError
    public init(_nsError error: NSError) { fatalError() }
    public static var errorDomain: String { fatalError() }

    // https://developer.apple.com/documentation/foundation/cocoaerror/code
    public struct Code: RawRepresentable, Hashable, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CocoaError
        public let rawValue: Int
        public init(rawValue: Int) { fatalError() }
        public static var featureUnsupported: CocoaError.Code { fatalError() }
        public static var fileWriteUnknown: CocoaError.Code { fatalError() }
    }

    public var underlying: (any Error)? { fatalError() }
}

// https://developer.apple.com/documentation/foundation/posixerror
public struct POSIXError: _BridgedStoredNSError {
    public typealias Code = POSIXErrorCode
    public let _nsError: NSError
    public init(_nsError error: NSError) { fatalError() }
    public static var errorDomain: String { fatalError() }
}

// https://developer.apple.com/documentation/foundation/posixerrorcode
@objc public enum POSIXErrorCode: Int32, _ErrorCodeProtocol, Sendable {
    public typealias _ErrorType = POSIXError
    case EISDIR = 21
}

// https://developer.apple.com/documentation/foundation/urlerror
public struct URLError: _BridgedStoredNSError {
    public let _nsError: NSError
    public init(_nsError error: NSError) { fatalError() }
    public static var errorDomain: String { fatalError() }

    // https://developer.apple.com/documentation/foundation/urlerror/code
    public struct Code: RawRepresentable, Hashable, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = URLError
        public let rawValue: Int
        public init(rawValue: Int) { fatalError() }
        public static var appTransportSecurityRequiresSecureConnection: URLError.Code { fatalError() }
        public static var badServerResponse: URLError.Code { fatalError() }
        public static var cannotConnectToHost: URLError.Code { fatalError() }
        public static var cancelled: URLError.Code { fatalError() }
        public static var cannotFindHost: URLError.Code { fatalError() }
        public static var clientCertificateRejected: URLError.Code { fatalError() }
        public static var clientCertificateRequired: URLError.Code { fatalError() }
        public static var dnsLookupFailed: URLError.Code { fatalError() }
        public static var networkConnectionLost: URLError.Code { fatalError() }
        public static var notConnectedToInternet: URLError.Code { fatalError() }
        public static var secureConnectionFailed: URLError.Code { fatalError() }
        public static var serverCertificateHasBadDate: URLError.Code { fatalError() }
        public static var serverCertificateHasUnknownRoot: URLError.Code { fatalError() }
        public static var serverCertificateNotYetValid: URLError.Code { fatalError() }
        public static var serverCertificateUntrusted: URLError.Code { fatalError() }
        public static var timedOut: URLError.Code { fatalError() }
        public static var unknown: URLError.Code { fatalError() }
        public static var userAuthenticationRequired: URLError.Code { fatalError() }
        public static var userCancelledAuthentication: URLError.Code { fatalError() }
    }
}

// MARK: - Data

// https://developer.apple.com/documentation/foundation/contiguousbytes
public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

// https://developer.apple.com/documentation/foundation/dataprotocol
public protocol DataProtocol: RandomAccessCollection where Element == UInt8, SubSequence: DataProtocol {
    associatedtype Regions: BidirectionalCollection
    where
        Regions.Element: DataProtocol & ContiguousBytes,
        Regions.Element.SubSequence: ContiguousBytes
    var regions: Regions { get }
}

// https://developer.apple.com/documentation/foundation/mutabledataprotocol
public protocol MutableDataProtocol: DataProtocol, MutableCollection, RangeReplaceableCollection {}

// https://developer.apple.com/documentation/foundation/dataprotocol
extension Slice: DataProtocol where Base: DataProtocol {
    public var regions: [Base.Regions.Element.SubSequence] { fatalError() }
}
extension Array: ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {
    public var regions: CollectionOfOne<[UInt8]> { fatalError() }
}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {
    public var regions: CollectionOfOne<ArraySlice<UInt8>> { fatalError() }
}

// https://developer.apple.com/documentation/foundation/data
@frozen
public struct Data: ReferenceConvertible, Equatable, Hashable, RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection, MutableDataProtocol, ContiguousBytes, Sendable
{
    public typealias ReferenceType = NSData
    public typealias _ObjectiveCType = NSData
    public typealias Index = Int
    public typealias Indices = Range<Int>
    public typealias Element = UInt8

    // https://developer.apple.com/documentation/foundation/data/deallocator
    public enum Deallocator {
        case virtualMemory
        case unmap
        case free
        case none
        case custom((UnsafeMutableRawPointer, Int) -> Void)
    }

    // https://developer.apple.com/documentation/foundation/nsdata/readingoptions
    public typealias ReadingOptions = NSData.ReadingOptions

    // https://developer.apple.com/documentation/foundation/nsdata/writingoptions
    public typealias WritingOptions = NSData.WritingOptions

    // https://developer.apple.com/documentation/foundation/nsdata/base64encodingoptions
    public typealias Base64EncodingOptions = NSData.Base64EncodingOptions

    // https://developer.apple.com/documentation/foundation/nsdata/base64decodingoptions
    public typealias Base64DecodingOptions = NSData.Base64DecodingOptions

    public init(capacity: Int) { fatalError() }
    public init() { fatalError() }
    public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) { fatalError() }
    public init(repeating repeatedValue: UInt8, count: Int) { fatalError() }
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
    public init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws { fatalError() }
    public init?(base64Encoded base64String: __shared String, options: Data.Base64DecodingOptions = []) {
        fatalError()
    }
    public init?(base64Encoded base64Data: __shared Data, options: Data.Base64DecodingOptions = []) { fatalError() }

    public var count: Int { fatalError() }
    public var regions: CollectionOfOne<Data> { fatalError() }
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func withUnsafeBytes<ResultType>(
        _ body: (UnsafeRawBufferPointer) throws -> ResultType
    ) rethrows -> ResultType { fatalError() }
    public mutating func append(_ other: Data) { fatalError() }
    public func write(to url: URL, options: Data.WritingOptions = []) throws { fatalError() }
    public func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
    public static func == (d1: Data, d2: Data) -> Bool { fatalError() }

    public var startIndex: Index { fatalError() }
    public var endIndex: Index { fatalError() }
    public var indices: Range<Int> { fatalError() }
    public func index(before i: Index) -> Index { fatalError() }
    public func index(after i: Index) -> Index { fatalError() }
    public subscript(index: Index) -> UInt8 {
        get { fatalError() }
        set { fatalError() }
    }
    public subscript(bounds: Range<Index>) -> Data {
        get { fatalError() }
        set { fatalError() }
    }
    public mutating func replaceSubrange<ByteCollection: Collection>(
        _ subrange: Range<Index>,
        with newElements: ByteCollection
    ) where ByteCollection.Element == UInt8 { fatalError() }
    public func makeIterator() -> Data.Iterator { fatalError() }

    // https://developer.apple.com/documentation/foundation/data/iterator
    public struct Iterator: IteratorProtocol, Sendable {
        public mutating func next() -> UInt8? { fatalError() }
    }
}
extension Data: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws { fatalError() }
}

// MARK: - Dates

// https://developer.apple.com/documentation/foundation/date
public struct Date: ReferenceConvertible, Comparable, Equatable, Sendable {
    public typealias ReferenceType = NSDate
    public typealias _ObjectiveCType = NSDate
    public static let distantFuture = Date()
    public static let distantPast = Date()
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    public static var now: Date { fatalError() }
    public init() { fatalError() }
    public init(timeIntervalSinceNow: TimeInterval) { fatalError() }
    public init(timeIntervalSinceReferenceDate ti: TimeInterval) { fatalError() }
    public init(timeIntervalSince1970: TimeInterval) { fatalError() }
    public var timeIntervalSince1970: TimeInterval { fatalError() }
    public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date { fatalError() }
    public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
    public static func == (lhs: Date, rhs: Date) -> Bool { fatalError() }
    public static func < (lhs: Date, rhs: Date) -> Bool { fatalError() }
    public static func > (lhs: Date, rhs: Date) -> Bool { fatalError() }
}
extension Date: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws { fatalError() }
}

// https://developer.apple.com/documentation/foundation/date/iso8601formatstyle
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension Date {
    public func formatted<F: FormatStyle>(_ format: F) -> F.FormatOutput where F.FormatInput == Date { fatalError() }
    public func ISO8601Format(_ style: ISO8601FormatStyle = .init()) -> String { fatalError() }

    public struct ISO8601FormatStyle: Sendable, Codable, Hashable, ParseableFormatStyle, ParseStrategy {
        public enum TimeZoneSeparator: String, Codable, Sendable { case colon, omitted }
        public enum DateSeparator: String, Codable, Sendable { case dash, omitted }
        public enum TimeSeparator: String, Codable, Sendable { case colon, omitted }
        public enum DateTimeSeparator: String, Codable, Sendable { case space, standard }
        public init(
            dateSeparator: DateSeparator = .dash,
            dateTimeSeparator: DateTimeSeparator = .standard,
            timeZone: TimeZone = TimeZone(secondsFromGMT: 0)!
        ) { fatalError() }
        public init(
            dateSeparator: DateSeparator = .dash,
            dateTimeSeparator: DateTimeSeparator = .standard,
            timeSeparator: TimeSeparator = .colon,
            timeZoneSeparator: TimeZoneSeparator = .omitted,
            includingFractionalSeconds: Bool = false,
            timeZone: TimeZone = TimeZone(secondsFromGMT: 0)!
        ) { fatalError() }
        public func dateSeparator(_ separator: DateSeparator) -> ISO8601FormatStyle { fatalError() }
        public func timeSeparator(_ separator: TimeSeparator) -> ISO8601FormatStyle { fatalError() }
        public func format(_ value: Date) -> String { fatalError() }
        public func parse(_ value: String) throws -> Date { fatalError() }
        public var parseStrategy: ISO8601FormatStyle { fatalError() }
    }
}

// https://developer.apple.com/documentation/foundation/timezone
public struct TimeZone: Hashable, Equatable, Codable, Sendable {
    public init?(secondsFromGMT seconds: Int) { fatalError() }
    public static var current: TimeZone { fatalError() }
}

// https://developer.apple.com/documentation/foundation/calendar
public struct Calendar: Hashable, Equatable, Codable, Sendable {
    public enum Identifier: Sendable { case gregorian }
    public enum Component: Sendable { case year, month, day, hour, minute, second }
    public init(identifier: Identifier) { fatalError() }
    public var timeZone: TimeZone
    public func dateComponents(_ components: Set<Component>, from date: Date) -> DateComponents { fatalError() }
    public func date(from components: DateComponents) -> Date? { fatalError() }
}

// https://developer.apple.com/documentation/foundation/datecomponents
public struct DateComponents: Hashable, Equatable, Codable, Sendable {
    public init(
        calendar: Calendar? = nil,
        timeZone: TimeZone? = nil,
        era: Int? = nil,
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil,
        second: Int? = nil,
        nanosecond: Int? = nil,
        weekday: Int? = nil,
        weekdayOrdinal: Int? = nil,
        quarter: Int? = nil,
        weekOfMonth: Int? = nil,
        weekOfYear: Int? = nil,
        yearForWeekOfYear: Int? = nil
    ) { fatalError() }
    public var year: Int?
    public var month: Int?
    public var day: Int?
    public var hour: Int?
    public var minute: Int?
    public var second: Int?
    public func isValidDate(in calendar: Calendar) -> Bool { fatalError() }
}

// https://developer.apple.com/documentation/foundation/locale
public struct Locale: Hashable, Equatable, Codable, Sendable {
    public init(identifier: String) { fatalError() }
}

// MARK: - Formats

// https://developer.apple.com/documentation/foundation/formatstyle
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public protocol FormatStyle<FormatInput, FormatOutput>: Decodable, Encodable, Hashable {
    associatedtype FormatInput
    associatedtype FormatOutput
    func format(_ value: FormatInput) -> FormatOutput
    func locale(_ locale: Locale) -> Self
}
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension FormatStyle {
    public func locale(_ locale: Locale) -> Self { fatalError() }
}
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension FormatStyle where Self == Date.ISO8601FormatStyle {
    public static var iso8601: Date.ISO8601FormatStyle { fatalError() }
}
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension FormatStyle where Self == FloatingPointFormatStyle<Double> {
    public static var number: FloatingPointFormatStyle<Double> { fatalError() }
}
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension FormatStyle where Self == IntegerFormatStyle<Int> {
    public static var number: IntegerFormatStyle<Int> { fatalError() }
}

// https://developer.apple.com/documentation/foundation/parsestrategy
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public protocol ParseStrategy: Decodable, Encodable, Hashable {
    associatedtype ParseInput
    associatedtype ParseOutput
    func parse(_ value: ParseInput) throws -> ParseOutput
}

// https://developer.apple.com/documentation/foundation/parseableformatstyle
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public protocol ParseableFormatStyle: FormatStyle {
    associatedtype Strategy: ParseStrategy
    where Strategy.ParseInput == FormatOutput, Strategy.ParseOutput == FormatInput
    var parseStrategy: Strategy { get }
}

// https://developer.apple.com/documentation/foundation/numberformatstyleconfiguration
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public enum NumberFormatStyleConfiguration {
    public struct Precision: Codable, Hashable, Sendable {
        public static func fractionLength(_ length: Int) -> Precision { fatalError() }
        public static func fractionLength<R: RangeExpression>(_ limits: R) -> Precision where R.Bound == Int {
            fatalError()
        }
    }
}

// https://developer.apple.com/documentation/foundation/floatingpointformatstyle
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public struct FloatingPointFormatStyle<Value: BinaryFloatingPoint>: Codable, Hashable, Sendable, FormatStyle {
    public typealias Configuration = NumberFormatStyleConfiguration
    public func precision(_ p: Configuration.Precision) -> FloatingPointFormatStyle<Value> { fatalError() }
    public func locale(_ locale: Locale) -> FloatingPointFormatStyle<Value> { fatalError() }
    public func format(_ value: Value) -> String { fatalError() }
}

// https://developer.apple.com/documentation/foundation/integerformatstyle
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public struct IntegerFormatStyle<Value: BinaryInteger>: Codable, Hashable, Sendable, FormatStyle {
    public typealias Configuration = NumberFormatStyleConfiguration
    public func locale(_ locale: Locale) -> IntegerFormatStyle<Value> { fatalError() }
    public func format(_ value: Value) -> String { fatalError() }
}

// https://developer.apple.com/documentation/swift/duration/formatted()
extension Duration {
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func formatted() -> String { fatalError() }
}

// https://developer.apple.com/documentation/swift/binaryfloatingpoint
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension BinaryFloatingPoint {
    public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where Self == S.FormatInput { fatalError() }
    public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput: BinaryFloatingPoint {
        fatalError()
    }
}

// https://developer.apple.com/documentation/swift/binaryinteger
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension BinaryInteger {
    public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where Self == S.FormatInput { fatalError() }
    public func formatted<S: FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput: BinaryInteger {
        fatalError()
    }
}

// MARK: - Numbers and identifiers

// https://developer.apple.com/documentation/foundation/decimal
extension Decimal: Hashable, CustomStringConvertible, _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSDecimalNumber
    public init(_ value: UInt8) { fatalError() }
    public init(_ value: Int8) { fatalError() }
    public init(_ value: UInt16) { fatalError() }
    public init(_ value: Int16) { fatalError() }
    public init(_ value: UInt32) { fatalError() }
    public init(_ value: Int32) { fatalError() }
    public init(_ value: UInt64) { fatalError() }
    public init(_ value: Int64) { fatalError() }
    public init(_ value: UInt) { fatalError() }
    public init(_ value: Int) { fatalError() }
    public init(_ value: Double) { fatalError() }
    public init?(string: __shared String, locale: __shared Locale? = nil) { fatalError() }
    public var description: String { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
    public static func == (lhs: Decimal, rhs: Decimal) -> Bool { fatalError() }
}

// https://developer.apple.com/documentation/foundation/uuid
public struct UUID: ReferenceConvertible, Hashable, Equatable, Sendable, Codable {
    public typealias ReferenceType = NSUUID
    public typealias _ObjectiveCType = NSUUID
    public init() { fatalError() }
    public init?(uuidString string: __shared String) { fatalError() }
    public var uuidString: String { fatalError() }
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
}

// MARK: - URLs

// https://developer.apple.com/documentation/foundation/urlresourcevalues
public struct URLResourceValues {
    public var isDirectory: Bool? { fatalError() }
    public var isRegularFile: Bool? { fatalError() }
    public var volumeIsLocal: Bool? { fatalError() }
    @available(macOS 13.3, iOS 16.4, tvOS 16.4, watchOS 9.4, *)
    public var volumeTypeName: String? { fatalError() }
}

// https://developer.apple.com/documentation/foundation/url
public struct URL: ReferenceConvertible, Equatable, Hashable, Sendable {
    public typealias ReferenceType = NSURL
    public typealias _ObjectiveCType = NSURL

    // https://developer.apple.com/documentation/foundation/url/directoryhint
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }

    public init?(string: __shared String) { fatalError() }
    public init?(string: __shared String, relativeTo url: __shared URL?) { fatalError() }
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    public init?(string: __shared String, encodingInvalidCharacters: Bool) { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public init(filePath path: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil) {
        fatalError()
    }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static var applicationSupportDirectory: URL { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static var homeDirectory: URL { fatalError() }

    public var absoluteString: String { fatalError() }
    public var absoluteURL: URL { fatalError() }
    public var scheme: String? { fatalError() }
    public var user: String? { fatalError() }
    public var password: String? { fatalError() }
    public var port: Int? { fatalError() }
    public var isFileURL: Bool { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func user(percentEncoded: Bool = true) -> String? { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func password(percentEncoded: Bool = true) -> String? { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func host(percentEncoded: Bool = true) -> String? { fatalError() }
    public var path: String { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func path(percentEncoded: Bool = true) -> String { fatalError() }
    public var lastPathComponent: String { fatalError() }
    public var pathExtension: String { fatalError() }
    public var standardizedFileURL: URL { fatalError() }
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func deletingLastPathComponent() -> URL { fatalError() }
    public func appendingPathExtension(_ pathExtension: String) -> URL { fatalError() }
    public mutating func deleteLastPathComponent() { fatalError() }
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { fatalError() }
    public func resolvingSymlinksInPath() -> URL { fatalError() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func appending<S: StringProtocol>(path: S, directoryHint: DirectoryHint = .inferFromPath) -> URL {
        fatalError()
    }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func appending<S: StringProtocol>(component: S, directoryHint: DirectoryHint = .inferFromPath) -> URL {
        fatalError()
    }
}
extension URL: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws { fatalError() }
}

// https://developer.apple.com/documentation/foundation/urlcomponents
public struct URLComponents: Hashable, Equatable, Sendable {
    public init?(url: __shared URL, resolvingAgainstBaseURL resolve: Bool) { fatalError() }
    public init?(string: __shared String) { fatalError() }
    public var scheme: String?
    public var path: String
    public var string: String? { fatalError() }
    public var url: URL? { fatalError() }
    public var user: String?
    public var password: String?
    public var host: String?
    public var query: String?
    public var fragment: String?
}

// MARK: - HTTP

// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Hashable, Equatable, _ObjectiveCBridgeable, Sendable {
    public typealias _ObjectiveCType = NSURLRequest
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(
        url: URL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = 60.0
    ) { fatalError() }
    public var url: URL?
    public var cachePolicy: CachePolicy
    public var httpMethod: String?
    public var httpBody: Data?
    public var httpBodyStream: InputStream? {
        get { fatalError() }
        set { fatalError() }
    }
    public var allHTTPHeaderFields: [String: String]?
    public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
}

// MARK: - Notifications

// https://developer.apple.com/documentation/foundation/notification
public struct Notification: ReferenceConvertible, Equatable, Hashable {
    public typealias ReferenceType = NSNotification
    public typealias _ObjectiveCType = NSNotification
    public typealias Name = NSNotification.Name
    public var name: Name
    public var object: Any?
    public var userInfo: [AnyHashable: Any]?
    public var description: String { fatalError() }
    public var debugDescription: String { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
    public static func == (lhs: Notification, rhs: Notification) -> Bool { fatalError() }
}
// Unavailable, as in Foundation: a program that sends notifications to other threads does not compile.
@available(*, unavailable) extension Notification: @unchecked Sendable {}

// MARK: - Encoders and archives

// https://developer.apple.com/documentation/foundation/jsonencoder
open class JSONEncoder {
    // https://developer.apple.com/documentation/foundation/jsonencoder/outputformatting-swift.struct
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { fatalError() }
        public static let prettyPrinted = OutputFormatting()
        public static let sortedKeys = OutputFormatting()
        public static let withoutEscapingSlashes = OutputFormatting()
    }
    public init() { fatalError() }
    // https://developer.apple.com/documentation/foundation/jsonencoder/keyencodingstrategy-swift.enum
    public enum KeyEncodingStrategy: Sendable {
        case useDefaultKeys
        case convertToSnakeCase
    }
    open var outputFormatting: OutputFormatting
    open var keyEncodingStrategy: KeyEncodingStrategy
    open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
// Unchecked, as in Foundation: the compiler checks only final classes.
extension JSONEncoder: @unchecked Sendable {}

// https://developer.apple.com/documentation/foundation/jsondecoder
open class JSONDecoder {
    // https://developer.apple.com/documentation/foundation/jsondecoder/datedecodingstrategy-swift.enum
    public enum DateDecodingStrategy: Sendable {
        case deferredToDate
        case secondsSince1970
        case millisecondsSince1970
        case iso8601
        @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }
    public init() { fatalError() }
    // https://developer.apple.com/documentation/foundation/jsondecoder/keydecodingstrategy-swift.enum
    public enum KeyDecodingStrategy: Sendable {
        case useDefaultKeys
        case convertFromSnakeCase
    }
    open var dateDecodingStrategy: DateDecodingStrategy
    open var keyDecodingStrategy: KeyDecodingStrategy
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
// Unchecked, as in Foundation: the compiler checks only final classes.
extension JSONDecoder: @unchecked Sendable {}

// https://developer.apple.com/documentation/foundation/nscoder
extension NSCoder {
    @nonobjc public func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { fatalError() }
    @nonobjc public func decodeObject<DecodedObjectType>(
        of cls: DecodedObjectType.Type,
        forKey key: String
    ) -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSCoding { fatalError() }
}

// https://developer.apple.com/documentation/foundation/nskeyedunarchiver
extension NSKeyedUnarchiver {
    @nonobjc public static func unarchivedObject<DecodedObjectType>(
        ofClass cls: DecodedObjectType.Type,
        from data: Data
    ) throws -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSCoding { fatalError() }
}

// MARK: - Files and locks

// https://developer.apple.com/documentation/foundation/filehandle
@available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
extension FileHandle {
    public func readToEnd() throws -> Data? { fatalError() }
    public func write<T: DataProtocol>(contentsOf data: T) throws { fatalError() }
    @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
    public func read(upToCount count: Int) throws -> Data? { fatalError() }
}

// https://developer.apple.com/documentation/foundation/nslocking
extension NSLocking {
    @_disfavoredOverload
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { fatalError() }
}

// MARK: - Strings

// https://developer.apple.com/documentation/foundation/characterset
public struct CharacterSet: Hashable, Equatable, Sendable {
    public init(charactersIn string: __shared String) { fatalError() }
    public static var whitespaces: CharacterSet { fatalError() }
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }
}

// https://developer.apple.com/documentation/swift/string
extension String {
    public init(format: __shared String, _ arguments: any CVarArg...) { fatalError() }
}

// https://developer.apple.com/documentation/swift/stringprotocol
extension StringProtocol {
    public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String? {
        fatalError()
    }
    public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
    public var decomposedStringWithCanonicalMapping: String { fatalError() }
    public func padding<T: StringProtocol>(
        toLength newLength: Int,
        withPad padString: T,
        startingAt padIndex: Int
    ) -> String { fatalError() }
    public var precomposedStringWithCanonicalMapping: String { fatalError() }
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
}
