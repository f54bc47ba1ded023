import Foundation

/// An attribute of a managed object, as its model describes it.
package struct ManagedAttribute {
    /// What it takes; nil where that is no preference value.
    let type: ObjectType?
    /// Whether it may be without a value.
    let isOptional: Bool
    /// Whether Core Data works it out itself.
    let isDerived: Bool

    /// - Parameters:
    ///   - typeNumber: The number of its `NSAttributeType`.
    ///   - className: The class of its objects, as far as the model says.
    ///   - isOptional: Whether it may be without a value.
    ///   - isDerived: Whether Core Data works it out itself.
    package init(typeNumber: UInt, className: String?, isOptional: Bool, isDerived: Bool) {
        type = Self.type(typeNumber, className)
        self.isOptional = isOptional
        self.isDerived = isDerived
    }

    private static func type(_ number: UInt, _ className: String?) -> ObjectType? {
        switch number {
        case 100: .value(Int16.self)
        case 200: .value(Int32.self)
        case 300: .value(Int64.self)
        case 400: .decimal
        case 500: .value(Double.self)
        case 600: .value(Float.self)
        case 700: .value(String.self)
        case 800: .value(Bool.self)
        case 900: .value(Date.self)
        case 1000: .value(Data.self)
        case 1100: .value(UUID.self)
        case 1200: .value(URL.self)
        // Objects that something in the model turns into data.
        case 1800: ObjectType(className: className)
        default: nil
        }
    }
}
