import Foundation
import PreferencesRuntime

/// An archive of numbers, strings, dates and the like by `NSKeyedArchiver`.
///
/// Values are read from the property list of the archive, without creating objects. An archive with objects of other
/// classes is refused, as by an `NSKeyedUnarchiver` with a list of classes; on Linux, that ends the program over a
/// damaged archive.
struct KeyedArchive {
    private let list: BinaryPropertyList
    /// The number in the list of each archived object.
    private let objects: [Int]
    /// The values of archived objects that were read. An object is read once, however often it is referenced.
    private var values: [Int: PreferenceValue] = [:]
    private var classNames: [Int: String] = [:]
    /// The number of references that may still be read: a small archive can have very many.
    private var budget = 1_000_000

    private static let maximumDepth = 100

    private init(_ list: BinaryPropertyList, objects: [Int]) {
        self.list = list
        self.objects = objects
    }

    /// Returns the value in an archive; nil if there is none.
    static func value(in data: Data) -> PreferenceValue? {
        guard let list = BinaryPropertyList([UInt8](data)), let entries = entries(of: list.root, in: list),
            case .string("NSKeyedArchiver")? = entries["$archiver"].flatMap(list.object),
            case .array(let objects)? = entries["$objects"].flatMap(list.object),
            let top = entries["$top"].flatMap({ Self.entries(of: $0, in: list) }),
            case .archiveReference(let root)? = top["root"].flatMap(list.object)
        else { return nil }
        var archive = KeyedArchive(list, objects: objects)
        return archive.value(of: root, depth: 0)
    }

    private static func entries(of number: Int, in list: BinaryPropertyList) -> [String: Int]? {
        guard case .dictionary(let keys, let values)? = list.object(number) else { return nil }
        let names = keys.compactMap { key -> String? in
            if case .string(let name)? = list.object(key) { name } else { nil }
        }
        return names.count == keys.count ? Dictionary(zip(names, values)) { first, _ in first } : nil
    }

    /// Returns the value of an archived object.
    ///
    /// - Parameters:
    ///   - reference: The number of the object.
    ///   - depth: The number of objects that contain it.
    private mutating func value(of reference: Int, depth: Int) -> PreferenceValue? {
        budget -= 1
        guard depth < Self.maximumDepth, budget > 0, objects.indices.contains(reference) else { return nil }
        if let value = values[reference] { return value }
        let value = read(objects[reference], depth: depth)
        values[reference] = value
        return value
    }

    private mutating func read(_ number: Int, depth: Int) -> PreferenceValue? {
        switch list.object(number) {
        case .string("$null"): return .null
        case .string(let text): return .string(text)
        case .bool(let isTrue): return .bool(isTrue)
        case .int(let number): return .int(number)
        case .unsignedInt(let number): return .integer(number)
        case .real(let number): return .double(number)
        case .data(let data): return .data(data)
        case .dictionary:
            guard let entries = Self.entries(of: number, in: list),
                case .archiveReference(let type)? = entries["$class"].flatMap(list.object)
            else { return nil }
            return value(of: entries, ofClass: className(type), depth: depth + 1)
        default: return nil
        }
    }

    private mutating func className(_ reference: Int) -> String? {
        if let name = classNames[reference] { return name }
        guard objects.indices.contains(reference), let entries = Self.entries(of: objects[reference], in: list),
            case .string(let name)? = entries["$classname"].flatMap(list.object)
        else { return nil }
        classNames[reference] = name
        return name
    }

    private mutating func value(
        of entries: [String: Int],
        ofClass name: String?,
        depth: Int
    ) -> PreferenceValue? {
        func entry(_ name: String) -> BinaryPropertyList.Object? { entries[name].flatMap(list.object) }
        switch name {
        case "NSString", "NSMutableString":
            if case .string(let text)? = entry("NS.string") { return .string(text) }
        case "NSDate":
            if case .real(let seconds)? = entry("NS.time") {
                return .date(Date(timeIntervalSinceReferenceDate: seconds))
            }
        case "NSData", "NSMutableData":
            if case .data(let data)? = entry("NS.data") { return .data(data) }
        case "NSUUID":
            if case .data(let bytes)? = entry("NS.uuidbytes"), bytes.count == 16 {
                return .string(
                    bytes.withUnsafeBytes { NSUUID(uuidBytes: $0.baseAddress!.assumingMemoryBound(to: UInt8.self)) }
                        .uuidString
                )
            }
        case "NSNull": return .null
        case "NSURL": return url(entries, depth: depth)
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
            return values(entry("NS.objects"), depth: depth).map(PreferenceValue.array)
        case "NSDictionary", "NSMutableDictionary":
            guard let keys = values(entry("NS.keys"), depth: depth),
                let values = values(entry("NS.objects"), depth: depth), keys.count == values.count
            else { return nil }
            let names = keys.compactMap { if case .string(let name) = $0 { name } else { nil } }
            return names.count == keys.count ? .dictionary(Dictionary(zip(names, values)) { first, _ in first }) : nil
        default: break
        }
        return nil
    }

    private mutating func values(
        _ list: BinaryPropertyList.Object?,
        depth: Int
    ) -> [PreferenceValue]? {
        guard case .array(let numbers)? = list else { return nil }
        var values: [PreferenceValue] = []
        for number in numbers {
            guard case .archiveReference(let reference)? = self.list.object(number),
                let value = value(of: reference, depth: depth)
            else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func url(_ entries: [String: Int], depth: Int) -> PreferenceValue? {
        func part(_ name: String, _ archive: inout KeyedArchive) -> PreferenceValue? {
            guard case .archiveReference(let reference)? = entries[name].flatMap(archive.list.object) else {
                return nil
            }
            return archive.value(of: reference, depth: depth)
        }
        guard case .string(let text)? = part("NS.relative", &self) else { return nil }
        guard case .string(let base)? = part("NS.base", &self) else { return .string(text) }
        return URL(string: text, relativeTo: URL(string: base)).map { .string($0.absoluteString) }
    }
}
