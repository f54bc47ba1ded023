#if canImport(Darwin)
    public import Foundation

    extension PreferenceTransformation where Stored: Sendable, Value: Sendable {
        /// What a registered `ValueTransformer` makes of values, and its reverse of what is stored.
        ///
        /// - Parameter name: The transformer's name. It must be registered when a value is first read or set, and allow
        ///   the reverse; where it is not, or does not, that is a problem of the value.
        public static func valueTransformer(_ name: NSValueTransformerName) -> Self {
            Self(transformer: name.rawValue) { ValueTransformer(forName: name) }
        }
    }

    extension ValueTransformer: ReversibleTransformer {
        var allowsReverse: Bool { Self.allowsReverseTransformation() }
    }
#endif

/// What `ValueTransformer` offers of one transformer.
protocol ReversibleTransformer {
    /// Whether it can be asked for the reverse, which ends the program where it cannot.
    var allowsReverse: Bool { get }

    func transformedValue(_ value: Any?) -> Any?

    func reverseTransformedValue(_ value: Any?) -> Any?
}

extension PreferenceTransformation {
    /// - Parameters:
    ///   - name: The transformer's name.
    ///   - registered: Gives the transformer that is registered under it; nil for none.
    init(transformer name: String, registered: @escaping @Sendable () -> (any ReversibleTransformer)?) {
        @Sendable func transformer() throws -> any ReversibleTransformer {
            guard let transformer = registered() else {
                throw PreferenceTransformationError("no value transformer '\(name)' is registered")
            }
            return transformer
        }
        self.init { stored in
            let transformer = try transformer()
            guard transformer.allowsReverse else {
                throw PreferenceTransformationError("the value transformer '\(name)' allows no reverse")
            }
            guard let value = transformer.reverseTransformedValue(stored) as? Value else {
                throw PreferenceTransformationError("'\(name)' makes no \(Value.self) of it")
            }
            return value
        } write: { value in
            guard let stored = try transformer().transformedValue(value) as? Stored else {
                throw PreferenceTransformationError("'\(name)' makes no \(Stored.self) of it")
            }
            return stored
        }
    }
}
