public import Foundation

extension PreferenceTransformation where Stored == Data, Value: NSObject & NSSecureCoding {
    /// Objects that are stored as keyed archives, which are read securely: of this class, and of those that it allows.
    ///
    /// - Warning: On Linux Foundation ends the program over an archive that is damaged; ``json`` and
    ///   ``LegacyEncoding/keyedArchive`` do not.
    public static var archive: Self {
        Self { data in
            guard let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data) else {
                throw PreferenceTransformationError("this is no archive of \(Value.self)")
            }
            return object
        } write: {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
    }
}

#if canImport(Darwin)
    extension PreferenceTransformation where Stored: Sendable, Value: Sendable {
        /// What a registered `ValueTransformer` makes of values, and its reverse of what is stored.
        ///
        /// - Parameter name: The transformer's name. It must be registered, and allow the reverse.
        public static func valueTransformer(_ name: NSValueTransformerName) -> Self {
            @Sendable func transformer() throws -> ValueTransformer {
                guard let transformer = ValueTransformer(forName: name) else {
                    throw PreferenceTransformationError("no value transformer '\(name.rawValue)' is registered")
                }
                return transformer
            }
            return Self { stored in
                guard let value = try transformer().reverseTransformedValue(stored) as? Value else {
                    throw PreferenceTransformationError("'\(name.rawValue)' makes no \(Value.self) of it")
                }
                return value
            } write: { value in
                guard let stored = try transformer().transformedValue(value) as? Stored else {
                    throw PreferenceTransformationError("'\(name.rawValue)' makes no \(Stored.self) of it")
                }
                return stored
            }
        }
    }
#endif
