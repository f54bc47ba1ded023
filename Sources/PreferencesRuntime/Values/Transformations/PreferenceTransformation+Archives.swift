public import Foundation

extension PreferenceTransformation where Stored == Data, Value: NSObject & NSSecureCoding {
    /// Objects that are stored as keyed archives, which are read securely: of this class, and of those that it allows.
    ///
    /// - Warning: On Linux Foundation ends the program over an archive that is damaged, and may do so when it archives two
    ///   `NSNull` objects, or one string both composed and decomposed. ``json`` does not, nor does reading with
    ///   the encoding `keyedArchive` of PreferencesCompatibility.
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
