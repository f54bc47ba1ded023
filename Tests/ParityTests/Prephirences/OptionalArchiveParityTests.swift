import Foundation
import PreferencesRuntime
import Testing

/// An object that can be archived.
final class Badge: NSObject, NSSecureCoding, Sendable {
    static var supportsSecureCoding: Bool { true }

    let title: String
    let color: String?

    init(title: String, color: String? = nil) {
        self.title = title
        self.color = color
    }

    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
        self.title = title as String
        color = coder.decodeObject(of: NSString.self, forKey: "color") as String?
    }

    func encode(with coder: NSCoder) {
        if !title.isEmpty { coder.encode(title as NSString, forKey: "title") }
        coder.encode(color as NSString?, forKey: "color")
    }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? Badge).map { $0.title == title && $0.color == color } ?? false
    }

    override var hash: Int { title.hash }
}

private enum Level: Int {
    case low = 1
    case high = 2
}

private struct Place: Codable, Equatable {
    var name: String
}

private struct Album: PreferenceAccessors {
    let preferences: Preferences

    var badge: Badge? {
        get { get("badge", through: .archive) }
        nonmutating set { set("badge", to: newValue, through: .archive) }
    }

    var level: Level? {
        get { get("level", default: nil, through: .rawValue) }
        nonmutating set { set("level", to: newValue, through: .rawValue) }
    }

    var place: Place? {
        get { get("place", through: .json) }
        nonmutating set { set("place", to: newValue, through: .json) }
    }
}

@Suite("Prephirences: optional values through transformations")
struct OptionalArchiveParityTests {
    private let store = MemoryStore()
    private let preferences: Preferences
    private var album: Album { Album(preferences: preferences) }

    init() {
        preferences = Preferences(store: store)
    }

    @Test("archives of optional objects, of classes of one's own: round trip; undecodable is reported")
    func archives() async throws {
        #expect(album.badge == nil)
        let badge = Badge(title: "Kew", color: "red")
        album.badge = badge
        #expect(album.badge == badge)
        #expect(Album(preferences: Preferences(store: store)).badge == badge)
        album.badge = Badge(title: "Rye")
        #expect(album.badge?.color == nil)

        // An archive of another class.
        let other = try NSKeyedArchiver.archivedData(withRootObject: NSDate(), requiringSecureCoding: true)
        store.apply(["badge": .set(.data(other))])
        #expect(album.badge == nil)
        #expect(album.isSet(\.badge))
        #expect(store.value(for: "badge") == .data(other))
        // An object that cannot be decoded, data that is no archive, and not data.
        let incomplete = try NSKeyedArchiver.archivedData(withRootObject: Badge(title: ""), requiringSecureCoding: true)
        for value in [.data(incomplete), .data(Data([1, 2, 3])), "Kew"] as [PreferenceValue] {
            store.apply(["badge": .set(value)])
            #expect(album.badge == nil)
        }
        var problems = preferences.problems.makeAsyncIterator()
        for count in 0..<4 {
            let problem = await problems.next()
            #expect(problem?.code == .typeMismatch && problem?.key == "badge", "\(String(describing: problem))")
            guard count == 0 else { continue }
            #expect(problem?.message.hasPrefix("the data is not an archive of Badge; using its default") == true)
        }

        album.badge = nil
        #expect(!album.isSet(\.badge))
        #expect(store.names() == [])
    }

    @Test("Optional raw values and Codable values: nil resets, and a value that is none is reported")
    func others() async {
        #expect(album.level == nil && album.place == nil)
        album.level = .high
        album.place = Place(name: "Oslo")
        #expect(store.value(for: "level") == 2)
        #expect(album.level == .high && album.place == Place(name: "Oslo"))
        store.apply(["level": .set(3)])
        #expect(album.level == nil)
        var problems = preferences.problems.makeAsyncIterator()
        let problem = await problems.next()
        #expect(problem?.message == "3 is not a raw value of Level; using its default")
        album.level = nil
        album.place = nil
        #expect(store.names() == [])
    }

    @Test("A wrapped property, @Preference(\"badge\", through: .archive) var badge: Badge?, stores an optional object")
    func wrappers() {
        struct Holder {
            @Preference("badge", through: .archive) var badge: Badge?
            @Preference("other", through: .archive) var other: Badge? = nil
            @Preference("level", through: .rawValue) var level: Level? = .low
            @Preference("disabled", through: .inverted) var isEnabled = true
        }
        Preferences.withShared(preferences) {
            let holder = Holder()
            #expect(holder.badge == nil && holder.other == nil && holder.level == .low && holder.isEnabled)
            holder.badge = Badge(title: "Kew")
            holder.other = Badge(title: "Rye")
            #expect(album.badge == Badge(title: "Kew"))
            #expect(holder.badge == Badge(title: "Kew") && holder.other == Badge(title: "Rye"))
            holder.badge = nil
            holder.other = nil
            #expect(store.names() == [])
            // The default is not nil, so nil is stored.
            holder.level = nil
            #expect(holder.level == nil && store.value(for: "level") == .null)
            holder.$level.reset(\.value)
            #expect(holder.level == .low)
            holder.isEnabled = false
            #expect(store.value(for: "disabled") == true)
        }
    }
}
