/// A trait of a key beyond its name, type and default: a constraint on its values, former names, or secrecy.
///
/// Accessors of keys with traits pass them to every call, as an array:
///
/// ```swift
/// var temperature: Double {
///     get { get("weather:temperature", default: 0, [.range(-90...60)]) }
///     nonmutating set { set("weather:temperature", to: newValue, [.range(-90...60)]) }
/// }
/// ```
///
/// A value that violates a constraint is not set, and the setter reports
/// ``PreferenceProblem/Code/constraintViolation``. If such a value is stored, the key reads as its default, the problem
/// is reported once, and the stored value is preserved until the key is set.
public struct PreferenceTrait<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        /// Returns the violation of the constraint by a value, if there is one.
        case constraint(@Sendable (Value) -> ConstraintViolation?)
        case secret
        case formerNames([String])
    }

    let kind: Kind

    /// A custom constraint.
    ///
    /// ```swift
    /// [.requiring("be even") { $0.isMultiple(of: 2) }]
    /// ```
    ///
    /// - Parameters:
    ///   - requirement: The requirement, in words that fit after "it must".
    ///   - isMet: Returns whether a value meets the requirement.
    public static func requiring(
        _ requirement: String,
        _ isMet: @escaping @Sendable (Value) -> Bool
    ) -> PreferenceTrait {
        PreferenceTrait(kind: .constraint { isMet($0) ? nil : ConstraintViolation($0, "must \(requirement)") })
    }

    /// Stores the key's values in the secrets store of its ``Preferences``, separate from all other values, and keeps
    /// them out of the messages of problems. Errors that a custom store throws are reported as they are: omit values
    /// from them.
    public static var secret: PreferenceTrait { PreferenceTrait(kind: .secret) }

    /// The former storage names of the key.
    ///
    /// While the key is not set under its current name, it is read from the newest former name that is set. Setting or
    /// resetting the key removes the former names in the same atomic change. An older version of the program therefore
    /// finds its values until the newer one sets a key.
    ///
    /// The former values of a key that became secret are in the main store. They are removed from there by a second
    /// change, after the key has been set in the secrets store.
    ///
    /// - Parameter names: The former names, newest first.
    public static func renamed(from names: String...) -> PreferenceTrait {
        PreferenceTrait(kind: .formerNames(names))
    }
}
