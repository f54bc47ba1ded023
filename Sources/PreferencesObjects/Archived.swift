public import Foundation
import PreferencesRuntime
import PreferencesSystem

/// An object of an `NSSecureCoding` class as the value of a ``PersistentObject``, or a part of it, stored as a keyed
/// archive.
///
/// ```swift
/// let player = PersistentObject<Archived<Player>>(path: "player.json")
/// player.update { $0 = $0 ?? Archived(Player()) }
/// player.update { $0?.name = "Ada" }      // changes the object itself, and saves it soon
/// ```
///
/// The properties of the object are available as members. The object is shared, not copied: change it only inside
/// ``PersistentObject/update(_:)``, which excludes other updates and saves, and read it where no update runs. The
/// conformance to `Sendable` is unchecked because the compiler cannot verify that.
///
/// Reading uses secure coding with the class. A class that conforms to `NSCoding` alone therefore adds
/// `static var supportsSecureCoding: Bool { true }`, and decodes its properties with `decodeObject(of:forKey:)`. Objects
/// that it archived before can then be read.
///
/// - Warning: On Linux, Foundation crashes on a damaged archive, and cannot archive nested and private classes.
@dynamicMemberLookup
public struct Archived<Object: NSObject & NSSecureCoding>: Codable, @unchecked Sendable {
    /// The object.
    public let object: Object
    /// The archive that the object was decoded from, while the object is unchanged.
    private let archive: (data: Data, lease: ArchiveLease)?

    /// Creates a value with an object.
    ///
    /// - Parameter object: The object.
    public init(_ object: Object) {
        self.object = object
        archive = nil
    }

    /// Decodes the object from its archive.
    ///
    /// - Throws: `DecodingError` if the data is not an archive of the class.
    public init(from decoder: any Decoder) throws {
        let data = try decoder.singleValueContainer().decode(Data.self)
        do {
            object = try PreferenceTransformation<Data, Object>.archive.read(data)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "\(error)",
                underlyingError: error
            )
            throw DecodingError.dataCorrupted(context)
        }
        archive = ArchiveLease.current.map { (data, $0) }
    }

    /// Encodes the archive of the object.
    ///
    /// - Throws: An error of the archiver; on Linux, `EncodingError` for a nested or private class.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let archive, archive.lease.isValid { return try container.encode(archive.data) }
        #if !canImport(Darwin)
            // Foundation would end the program.
            let name = String(reflecting: type(of: object))
            if name.split(separator: ".").count != 2 {
                let message =
                    "\(name) cannot be archived on Linux: declare it at the top level of a file, and not as private"
                throw EncodingError.invalidValue(
                    object,
                    .init(codingPath: encoder.codingPath, debugDescription: message)
                )
            }
            if ArchiveComparison.isActive {
                let archiver = NSKeyedArchiver(requiringSecureCoding: true)
                archiver.outputFormat = .xml
                archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
                return try container.encode(archiver.encodedData)
            }
        #endif
        try container.encode(PreferenceTransformation<Data, Object>.archive.write(object))
    }

    /// A property of the object.
    public subscript<Member>(dynamicMember key: KeyPath<Object, Member>) -> Member {
        object[keyPath: key]
    }

    /// A property of the object, which is set in the object itself.
    public subscript<Member>(dynamicMember key: ReferenceWritableKeyPath<Object, Member>) -> Member {
        get { object[keyPath: key] }
        nonmutating set { object[keyPath: key] = newValue }
    }
}

/// Determines how long decoded ``Archived`` values are encoded as their original bytes. Two archives of one object may
/// differ.
///
/// The lease of a loaded value, and that of a copy to be saved, ends before the object can be changed.
final class ArchiveLease: Sendable {
    /// The lease of the values that are being decoded; nil if their archives are not kept.
    @TaskLocal static var current: ArchiveLease?

    private let hasEnded = Locked(false)

    var isValid: Bool { !hasEnded.withLock { $0 } }

    func end() {
        hasEnded.withLock { $0 = true }
    }
}

#if !canImport(Darwin)
    /// The comparison of an object before and after an update.
    enum ArchiveComparison {
        /// Whether ``Archived`` values are encoded as XML, since binary archives of one object differ from each other, in
        /// the order of their keys.
        @TaskLocal static var isActive = false
    }
#endif
