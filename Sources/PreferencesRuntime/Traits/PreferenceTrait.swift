/// A trait of a key beyond its name, type and default: a constraint on its values, hooks, former names, secrecy,
/// that an administrator may fix it, or that several machines share its value.
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
///
/// Traits that several keys have in common can be declared once, under a name:
///
/// ```swift
/// extension PreferenceTrait where Value == Int {
///     static var percentage: Self {
///         .combining(.processing { min($0, 100) }, .range(0...100), .didChange { print($0.name, $0.new ?? 0) })
///     }
/// }
///
/// @Preference("volume", [.percentage]) var volume = 50
/// ```
public struct PreferenceTrait<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        /// Returns the violation of the constraint by a value, if there is one.
        case constraint(@Sendable (Value) -> ConstraintViolation?)
        case processor(@Sendable (Value) -> Value)
        case changeHook(Hooks.Moment, HookSite, @Sendable (PreferenceKeyChange<Value>) -> Void)
        case hooks(any PreferenceHooks.Type)
        case secret
        case managed
        case shared(PreferenceScope, PreferenceMergeRule)
        case formerNames([String])
        case combination([PreferenceTrait])
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

    /// Combines several traits into one, so that they can be declared under one name.
    ///
    /// ```swift
    /// extension PreferenceTrait where Value == Double {
    ///     static var temperature: Self { .combining(.range(-90...60), .didChange { log($0) }) }
    /// }
    /// ```
    ///
    /// - Parameter traits: The traits.
    public static func combining(_ traits: PreferenceTrait...) -> PreferenceTrait {
        PreferenceTrait(kind: .combination(traits))
    }

    /// Stores the key's values in the secrets store of its ``Preferences``, separate from all other values, and keeps
    /// them out of the messages of problems. Errors that a custom store throws are reported as they are: omit values
    /// from them.
    public static var secret: PreferenceTrait { PreferenceTrait(kind: .secret) }

    /// Lets an administrator fix the key's value, in a ``ManagedStore`` among the layers of a ``LayeredStore``. Without
    /// this trait, such a layer has no effect on the key.
    ///
    /// Together with ``secret``, it has no effect: all users can read a policy.
    public static var managed: PreferenceTrait { PreferenceTrait(kind: .managed) }

    /// Lets several machines share the key's value, in a ``ScopedStore``. Other stores keep it as they keep all values.
    ///
    /// ```swift
    /// [.shared(.user, merging: .sum)]
    /// ```
    ///
    /// Stores merge stored values: rules other than ``PreferenceMergeRule/last`` and ``PreferenceMergeRule/ask`` require a
    /// key that is stored as the value itself, such as a `Set` or an `Int`. Merged values are not checked against
    /// constraints before they are read.
    ///
    /// Together with ``secret``, it has no effect: a secret never leaves its store. Nor has `.shared(.machine)`.
    ///
    /// - Parameters:
    ///   - scope: The machines that share the value.
    ///   - mergeRule: How concurrent changes become one value; the last one by default.
    public static func shared(
        _ scope: PreferenceScope,
        merging mergeRule: PreferenceMergeRule = .last
    ) -> PreferenceTrait {
        PreferenceTrait(kind: .shared(scope, mergeRule))
    }

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

extension Array {
    /// Calls a body with the kind of each trait, and of each one that it combines.
    func forEachKind<Value>(_ body: (PreferenceTrait<Value>.Kind) -> Void) where Element == PreferenceTrait<Value> {
        for trait in self {
            if case .combination(let traits) = trait.kind { traits.forEachKind(body) } else { body(trait.kind) }
        }
    }

    /// Returns the message about the first violation of a constraint by a value; nil if it is valid.
    ///
    /// - Parameter isSecret: Whether to omit the value.
    package func violationMessage<Value>(
        by value: Value,
        isSecret: Bool
    ) -> String? where Element == PreferenceTrait<Value> {
        violation(by: value)?.message(isSecret: isSecret)
    }

    /// Returns the first violation of a constraint by a value.
    func violation<Value>(by value: Value) -> ConstraintViolation? where Element == PreferenceTrait<Value> {
        for trait in self {
            switch trait.kind {
            case .constraint(let violation): if let found = violation(value) { return found }
            case .combination(let traits): if let found = traits.violation(by: value) { return found }
            case .processor, .changeHook, .hooks, .secret, .managed, .shared, .formerNames: break
            }
        }
        return nil
    }

    /// Returns the value to set in place of a value: the result of all processors, in order.
    func processed<Value>(_ value: Value) -> Value where Element == PreferenceTrait<Value> {
        reduce(value) { value, trait in
            switch trait.kind {
            case .processor(let process): process(value)
            case .combination(let traits): traits.processed(value)
            case .constraint, .changeHook, .hooks, .secret, .managed, .shared, .formerNames: value
            }
        }
    }
}
