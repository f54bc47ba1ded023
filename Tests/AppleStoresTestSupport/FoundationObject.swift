import Foundation

/// Returns the object that Objective-C returns for a value.
func foundationObject(_ value: Any) -> Any {
    switch value {
    case let bool as Bool where type(of: value) == Bool.self: NSNumber(value: bool)
    case let float as Float where type(of: value) == Float.self: NSNumber(value: float)
    case let number as NSNumber: number
    default: value
    }
}
