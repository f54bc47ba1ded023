/// What those need to know who make up names for a schema: whether it would refuse them.
package enum NameRules {
    /// Whether no key and no namespace may have a name.
    ///
    /// - Parameter isOutermost: Whether it would stand at the top of a file.
    package static func isReserved(accessor name: String, isOutermost: Bool) -> Bool {
        ReservedNames.accessors.contains(name) || ReservedNames.modules.contains(name)
            || (isOutermost && ReservedNames.preferencesMembers.contains(name))
    }

    /// Whether no type may have a name.
    package static func isReserved(type name: String) -> Bool { ReservedNames.types.contains(name) }

    /// The public types and the modules of the libraries that apps link, which no type may be named like.
    package static let libraryTypes = ReservedNames.libraryTypes

    /// Whether no field of a struct may have a name, whatever the types of the fields beside it.
    package static func isReserved(structField name: String) -> Bool {
        ReservedNames.structFields.contains(name) || ReservedNames.languageTypes.contains(name)
    }

    /// Whether no field of a struct may be of a type of a name, or of one in a module or a type of that name.
    package static func isReserved(typeOfField name: String) -> Bool { ReservedNames.decodingNames.contains(name) }

    /// Whether no case of an enum may have a name.
    package static func isReserved(enumCase name: String) -> Bool { ReservedNames.enumCases.contains(name) }

    /// The letters, digits and colons of a name in lower case, which similar names have in common.
    package static func folded(_ name: String) -> [UInt8] { NameClaims.folded(name) }
}
