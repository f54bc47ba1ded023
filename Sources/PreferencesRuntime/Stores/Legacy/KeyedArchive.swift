import Foundation

/// What `NSKeyedArchiver` has made of numbers, texts, dates and the like.
enum KeyedArchive {
    /// The value in an archive; nil where there is none, or an object of another kind in it.
    static func value(in data: Data) -> PreferenceValue? {
        guard hasOnlyKnownClasses(data),
            let object = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
        else { return nil }
        return switch object {
        case let url as URL: .string(url.absoluteString)
        case let uuid as UUID: .string(uuid.uuidString)
        default: try? PropertyListValue(isXML: false).value(from: object)
        }
    }

    private static let classes: [AnyClass] = [
        NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self, NSUUID.self, NSArray.self,
        NSDictionary.self,
    ]

    private static let classNames: Set<String> = [
        "NSObject", "NSValue", "NSString", "NSMutableString", "NSNumber", "NSDate", "NSData", "NSMutableData", "NSURL",
        "NSUUID", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary",
    ]

    /// Looks at an archive before it is unarchived: Foundation on Linux ends the program for an object of a class that is
    /// not wanted, and for a dictionary with more keys than objects.
    private static func hasOnlyKnownClasses(_ data: Data) -> Bool {
        guard data.starts(with: "bplist".utf8) || data.starts(with: "<?xml".utf8),
            let archive = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            archive["$archiver"] as? String == "NSKeyedArchiver", let objects = archive["$objects"] as? [Any]
        else { return false }
        return objects.allSatisfy { object in
            guard let entries = object as? [String: Any] else { return true }
            if let names = entries["$classes"] as? [String] { return classNames.isSuperset(of: names) }
            guard let keys = entries["NS.keys"] as? [Any] else { return true }
            return keys.count == (entries["NS.objects"] as? [Any])?.count
        }
    }
}
