import Foundation

/// Types that what is stored may fit as it is, and mean something else.
extension LegacyReading {
    /// Whether a value of a type is looked for in the encodings first: any data is data, and any path a URL; a text with
    /// the quotes of JSON around it is a raw value, and so is one in a dictionary whose names are not texts, which others
    /// have to encode.
    func fitsTooMuch(_ type: Any.Type) -> Bool {
        let wanted = Self.innermost(type)
        // Libraries whose raw values are read as they are have stored data so, too.
        if wanted == Data.self { return !encodings.contains(.rawValue) }
        if let container = wanted as? any ContainerType.Type {
            return container.nameType != String.self || Self.isRawRepresentable(container.elementType)
        }
        return wanted == URL.self || Self.isRawRepresentable(wanted)
    }

    private static func isRawRepresentable(_ type: Any.Type) -> Bool {
        let type = innermost(type)
        if let container = type as? any ContainerType.Type { return isRawRepresentable(container.elementType) }
        return type is any RawRepresentable.Type
    }

    /// The type that is wanted, out of optionals and wrappers of the library's.
    static func innermost(_ type: Any.Type) -> Any.Type {
        if let wrapper = type as? any ValueWrapper.Type { return innermost(wrapper.wrappedType) }
        if let optional = type as? any OptionalValue.Type { return innermost(optional.wrappedType) }
        return type
    }
}

/// A type of the library's own collections.
private protocol ContainerType {
    static var elementType: Any.Type { get }
    /// What elements are found by, if not by their places.
    static var nameType: Any.Type { get }
}

extension Array: ContainerType {
    fileprivate static var elementType: Any.Type { Element.self }
    fileprivate static var nameType: Any.Type { String.self }
}

extension Set: ContainerType {
    fileprivate static var elementType: Any.Type { Element.self }
    fileprivate static var nameType: Any.Type { String.self }
}

extension Dictionary: ContainerType {
    fileprivate static var elementType: Any.Type { Value.self }
    fileprivate static var nameType: Any.Type { Key.self }
}
