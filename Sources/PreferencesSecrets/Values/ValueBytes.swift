import Foundation
import PreferencesRuntime

/// A value as bytes, and what tells how to read them: texts and data are what they are, others JSON as a file's.
struct ValueBytes {
    enum Kind: UInt8 {
        /// UTF-8.
        case text = 0x73
        case data = 0x64
        /// As a `FileStore` writes it.
        case json = 0x6A
    }

    let kind: Kind
    let bytes: Data

    init(_ kind: Kind, _ bytes: Data) {
        self.kind = kind
        self.bytes = bytes
    }

    /// - Throws: An error that says why in its description, where the value is nested too deep.
    init(_ value: PreferenceValue) throws {
        switch value {
        case .string(let text): self.init(.text, Data(text.utf8))
        case .data(let data): self.init(.data, data)
        default: self.init(.json, Data(try value.jsonText().utf8))
        }
    }

    /// Nil where the bytes are not of their kind.
    var value: PreferenceValue? {
        switch kind {
        case .text: String(validating: bytes, as: UTF8.self).map(PreferenceValue.string)
        case .data: .data(bytes)
        case .json: String(validating: bytes, as: UTF8.self).flatMap { PreferenceValue(jsonText: $0) }
        }
    }
}
