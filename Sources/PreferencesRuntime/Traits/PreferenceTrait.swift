/// What a key is beyond its name, type and default: what its values must be, and where they are kept.
///
/// Accessors that have any give them to every call, as an array:
///
/// ```swift
/// var temperature: Double {
///     get { get("weather:temperature", default: 0, [.range(-90...60)]) }
///     nonmutating set { set("weather:temperature", to: newValue, [.range(-90...60)]) }
/// }
/// ```
///
/// A value that breaks a constraint is not set, and the setter reports ``PreferenceProblem/Code/constraintViolation``.
/// A stored one reads as the key's default, is reported once, and stays as it is until the key is set.
public struct PreferenceTrait<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        /// Finds what is wrong with a value.
        case constraint(@Sendable (Value) -> ConstraintViolation?)
        case secret
        case formerNames([String])
    }

    let kind: Kind

    /// A constraint in the words of whoever states it.
    ///
    /// ```swift
    /// [.requiring("be even") { $0.isMultiple(of: 2) }]
    /// ```
    ///
    /// - Parameters:
    ///   - requirement: What a value must do, in words that fit after "it must".
    ///   - isMet: Whether a value does.
    public static func requiring(
        _ requirement: String,
        _ isMet: @escaping @Sendable (Value) -> Bool
    ) -> PreferenceTrait {
        PreferenceTrait(kind: .constraint { isMet($0) ? nil : ConstraintViolation($0, requirement: requirement) })
    }

    /// The key's values are kept in the secrets store of its ``Preferences``, apart from all others, and no problem
    /// report has them in its words. What a store of your own throws is reported as it is: leave values out of it.
    public static var secret: PreferenceTrait { PreferenceTrait(kind: .secret) }

    /// The storage names that the key had before.
    ///
    /// While the key is not set under its present name, it is read from the newest of these that is. Setting or
    /// resetting it removes them, in the same atomic change. So an older version of the program still finds its values
    /// until the newer one has set a key.
    ///
    /// A key that became a secret has its former values in the main store: they are removed from there when it is kept
    /// among the secrets, in a second change.
    ///
    /// - Parameter names: The former names, newest first.
    public static func renamed(from names: String...) -> PreferenceTrait {
        PreferenceTrait(kind: .formerNames(names))
    }
}

/// Where the value of a key is kept.
struct PreferenceEntry: Hashable, Sendable {
    /// The storage name.
    var name: String
    /// Those that it had before, newest first.
    var formerNames: [String] = []
    /// Whether it is in the secrets store.
    var isSecret = false

    init(_ name: String) {
        self.name = name
    }

    init<Value>(_ name: String, _ traits: [PreferenceTrait<Value>]) {
        self.name = name
        for trait in traits {
            switch trait.kind {
            case .constraint: break
            case .secret: isSecret = true
            case .formerNames(let names): formerNames += names
            }
        }
    }
}
