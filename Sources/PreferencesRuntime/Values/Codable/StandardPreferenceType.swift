import Foundation

/// A type with a representation that coding is to use too, in place of the type's own coding: that of a `Date` would be
/// a number, of `Data` an array of numbers, of a `Duration` two, of a `Set` an array in random order.
///
/// Only types of the library's: others code themselves, inside a value as well as alone.
protocol StandardPreferenceType: PreferenceConvertible {}

extension Bool: StandardPreferenceType {}
extension Int: StandardPreferenceType {}
extension Int8: StandardPreferenceType {}
extension Int16: StandardPreferenceType {}
extension Int32: StandardPreferenceType {}
extension Int64: StandardPreferenceType {}
extension UInt: StandardPreferenceType {}
extension UInt8: StandardPreferenceType {}
extension UInt16: StandardPreferenceType {}
extension UInt32: StandardPreferenceType {}
extension UInt64: StandardPreferenceType {}
extension Float: StandardPreferenceType {}
extension Double: StandardPreferenceType {}
extension String: StandardPreferenceType {}
extension Data: StandardPreferenceType {}
extension Date: StandardPreferenceType {}
extension URL: StandardPreferenceType {}
extension UUID: StandardPreferenceType {}
extension Duration: StandardPreferenceType {}
extension Set: StandardPreferenceType where Element: PreferenceConvertible {}
