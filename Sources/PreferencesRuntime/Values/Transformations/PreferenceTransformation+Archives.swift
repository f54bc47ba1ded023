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
