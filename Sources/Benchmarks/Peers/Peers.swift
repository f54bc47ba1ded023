import Foundation

/// What preferences are compared with: the ways to keep a setting that a Linux machine has. Those that find values by
/// name hold a thousand.
final class Peers {
    let properties = MutexProperties()
    let dictionary = MutexDictionary()
    let suite: DefaultsSuite
    let numbers = NSCache<NSString, NSNumber>()
    let texts = NSCache<NSString, NSString>()
    /// A failure where GLib is missing.
    let gsettings: Result<GSettings, any Error>

    static let count = "sample:count"
    static let path = "sample:path"

    /// - Parameter folder: Where one of them has its files.
    init(in folder: URL) throws {
        suite = try DefaultsSuite()
        let others = (2..<1000).map { "key-\($0)" }
        gsettings = Result { try GSettings(names: others, in: folder) }
        let names = others + [Self.count]
        suite.defaults.setPersistentDomain(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }), forName: suite.name)
        for name in names {
            dictionary[name] = 1
            numbers.setObject(1, forKey: name as NSString)
        }
        if let settings = try? gsettings.get() {
            for name in others { settings.setCount(name, to: 1) }
            settings.count = 1
            settings.text = Samples.path
        }
        properties.count = 1
        properties.text = Samples.path
        properties.code = Samples.code
        dictionary[Self.path] = Samples.path
        suite.defaults.set(Samples.path, forKey: Self.path)
        texts.setObject(Samples.path as NSString, forKey: Self.path as NSString)
    }

    /// Leaves nothing behind.
    func remove() {
        suite.remove()
    }
}
