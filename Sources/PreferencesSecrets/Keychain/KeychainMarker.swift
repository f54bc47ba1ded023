import Foundation
import PreferencesRuntime

/// What tells how a value is kept in an item: in the attribute `kSecAttrGeneric`, which is there for what programs
/// like.
///
/// Other programs set none, and keep text as it is. So what has none, or no longer fits to it as others have changed
/// the data, is text where it is UTF-8, and else data.
enum KeychainMarker {
    private static let marks: [ValueBytes.Kind: String] = [
        .text: "swift-preferences text", .data: "swift-preferences data", .json: "swift-preferences json",
    ]

    static func mark(of kind: ValueBytes.Kind) -> Data {
        Data(marks[kind, default: ""].utf8)
    }

    static func value(of item: KeychainItem) -> PreferenceValue {
        let data = item.data ?? Data()
        if let kind = marks.first(where: { Data($0.value.utf8) == item.generic })?.key,
            let value = ValueBytes(kind, data).value
        {
            return value
        }
        return ValueBytes(.text, data).value ?? .data(data)
    }
}
