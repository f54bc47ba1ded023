import Foundation

/// What `NSKeyedArchiver` has made of numbers, texts, dates and the like.
///
/// No object is made of it: values are read from the property list that an archive is, and one with an object of another
/// class in it is not read. `NSKeyedUnarchiver` does the same on Apple platforms, by the list of classes that it is given;
/// on Linux it ends the program over an archive that is damaged.
struct KeyedArchive {
    private let list: BinaryPropertyList
    /// The numbers of the archived objects in the list.
    private let objects: [Int]

    /// How many objects may be in it, each time that one is mentioned, and how deep.
    private static let limits = (count: 1_000_000, depth: 100)

    /// The value in an archive; nil where there is none.
    static func value(in data: Data) -> PreferenceValue? {
        guard let list = BinaryPropertyList([UInt8](data)), let entries = entries(of: list.root, in: list),
            case .string("NSKeyedArchiver")? = entries["$archiver"].flatMap(list.object),
            case .array(let objects)? = entries["$objects"].flatMap(list.object),
            let top = entries["$top"].flatMap({ Self.entries(of: $0, in: list) }),
            case .archiveReference(let root)? = top["root"].flatMap(list.object)
        else { return nil }
        var budget = limits.count
        return KeyedArchive(list: list, objects: objects).value(of: root, depth: 0, &budget)
    }

    private static func entries(of number: Int, in list: BinaryPropertyList) -> [String: Int]? {
        guard case .dictionary(let keys, let values)? = list.object(number) else { return nil }
        let names = keys.compactMap { key -> String? in
            if case .string(let name)? = list.object(key) { name } else { nil }
        }
        return names.count == keys.count ? Dictionary(zip(names, values)) { first, _ in first } : nil
    }

    /// - Parameter reference: The number of an archived object.
    private func value(of reference: Int, depth: Int, _ budget: inout Int) -> PreferenceValue? {
        budget -= 1
        guard depth < Self.limits.depth, budget > 0, objects.indices.contains(reference) else { return nil }
        switch list.object(objects[reference]) {
        case .string("$null"): return .null
        case .string(let text): return .string(text)
        case .bool(let isTrue): return .bool(isTrue)
        case .int(let number): return .int(number)
        case .real(let number): return .double(number)
        case .data(let data): return .data(data)
        case .dictionary:
            guard let entries = Self.entries(of: objects[reference], in: list),
                case .archiveReference(let type)? = entries["$class"].flatMap(list.object)
            else { return nil }
            return value(of: entries, ofClass: className(type), depth: depth + 1, &budget)
        default: return nil
        }
    }

    private func className(_ reference: Int) -> String? {
        guard objects.indices.contains(reference), let entries = Self.entries(of: objects[reference], in: list),
            case .string(let name)? = entries["$classname"].flatMap(list.object)
        else { return nil }
        return name
    }

    private func value(
        of entries: [String: Int],
        ofClass name: String?,
        depth: Int,
        _ budget: inout Int
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
        case "NSURL": return url(entries, depth: depth, &budget)
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
            return values(entry("NS.objects"), depth: depth, &budget).map(PreferenceValue.array)
        case "NSDictionary", "NSMutableDictionary":
            guard let keys = values(entry("NS.keys"), depth: depth, &budget),
                let values = values(entry("NS.objects"), depth: depth, &budget), keys.count == values.count
            else { return nil }
            let names = keys.compactMap { if case .string(let name) = $0 { name } else { nil } }
            return names.count == keys.count ? .dictionary(Dictionary(zip(names, values)) { first, _ in first }) : nil
        default: break
        }
        return nil
    }

    private func values(
        _ list: BinaryPropertyList.Object?,
        depth: Int,
        _ budget: inout Int
    ) -> [PreferenceValue]? {
        guard case .array(let numbers)? = list else { return nil }
        var values: [PreferenceValue] = []
        for number in numbers {
            guard case .archiveReference(let reference)? = self.list.object(number),
                let value = value(of: reference, depth: depth, &budget)
            else { return nil }
            values.append(value)
        }
        return values
    }

    private func url(_ entries: [String: Int], depth: Int, _ budget: inout Int) -> PreferenceValue? {
        func part(_ name: String) -> PreferenceValue? {
            guard case .archiveReference(let reference)? = entries[name].flatMap(list.object) else { return nil }
            return value(of: reference, depth: depth, &budget)
        }
        guard case .string(let text)? = part("NS.relative") else { return nil }
        guard case .string(let base)? = part("NS.base") else { return .string(text) }
        return URL(string: text, relativeTo: URL(string: base)).map { .string($0.absoluteString) }
    }
}
