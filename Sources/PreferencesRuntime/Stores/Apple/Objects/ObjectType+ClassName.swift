import Foundation

extension ObjectType {
    /// What a property takes whose objects are of a class.
    ///
    /// - Parameter className: The class, as Objective-C has it; nil where any object is.
    /// - Returns: Nil for a class whose objects are no preference values. Those that can be changed are none either:
    ///   whoever has such a property relies on being able to.
    init?(className: String?) {
        switch className {
        case nil, "NSObject": self = .anything
        case "NSString": self = .value(String.self)
        case "NSNumber": self = .number
        case "NSDecimalNumber": self = .decimal
        case "NSDate": self = .value(Date.self)
        case "NSData": self = .value(Data.self)
        case "NSURL": self = .value(URL.self)
        case "NSUUID": self = .value(UUID.self)
        case "NSArray": self = .array
        case "NSDictionary": self = .dictionary
        default: return nil
        }
    }
}
