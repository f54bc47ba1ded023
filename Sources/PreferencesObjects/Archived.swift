public import Foundation
import PreferencesSystem

/// An object of an `NSCoding` class as the value of a ``PersistentObject``, stored as a keyed archive.
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
/// It must be the whole value of a `PersistentObject`, not a part of another one. Every update saves it, because two
/// archives of an object may differ. Reading uses secure coding with the class.
///
/// - Warning: On Linux, Foundation crashes on a damaged archive, and cannot archive nested and private classes.
@dynamicMemberLookup
public struct Archived<Object: NSObject & NSSecureCoding>: Codable, @unchecked Sendable {
    /// The object.
    public let object: Object
    /// The archive, which is created once: two archives of one object may differ in their bytes.
    private let archive: ArchiveCache

    /// Creates a value with an object.
    ///
    /// - Parameter object: The object.
    public init(_ object: Object) {
        self.object = object
        archive = ArchiveCache()
    }

    /// Decodes the object from its archive.
    ///
    /// - Throws: `DecodingError` if the data is not an archive of the class, or an error of its `init(coder:)`.
    public init(from decoder: any Decoder) throws {
        let data = try decoder.singleValueContainer().decode(Data.self)
        guard let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data) else {
            let message = "the data is not an archive of \(Object.self)"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
        self.object = object
        archive = ArchiveCache(data)
    }

    /// Encodes the archive of the object.
    ///
    /// - Throws: An error of the archiver; `EncodingError` inside another value, and on Linux for a nested or private
    ///   class.
    public func encode(to encoder: any Encoder) throws {
        // Inside another value, an update could not discard the archive.
        guard encoder.codingPath.isEmpty else {
            let message = "an Archived value must be the whole value of a PersistentObject"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: message))
        }
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
        #endif
        let data = try archive.data {
            try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        }
        var container = encoder.singleValueContainer()
        try container.encode(data)
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

/// A value that caches its encoding, which is discarded after the value was changed in place.
protocol EncodingCachingValue {
    /// Returns the value without the cached encoding.
    func withoutCachedEncoding() -> Self
}

extension Archived: EncodingCachingValue {
    func withoutCachedEncoding() -> Self { Self(object) }
}

/// The archive of an object, once it was created.
private final class ArchiveCache: Sendable {
    private let cached: Locked<Data?>

    init(_ data: Data? = nil) {
        cached = Locked(data)
    }

    func data(archiving: () throws -> Data) rethrows -> Data {
        if let data = cached.withLock({ $0 }) { return data }
        // Without the lock, because it runs code of the object. The first archive is the one that is used.
        let data = try archiving()
        return cached.withLock { cached in
            cached = cached ?? data
            return cached ?? data
        }
    }
}
