import PreferencesJSON

/// A JSON file that is one value, of whichever type. Only the name ``entryName`` means anything in it.
struct WholeFileContents: StoreFileContents {
    static let entryName = "value"

    private var stored: PreferenceValue?

    init() {}

    init(parsing bytes: [UInt8]) throws {
        do {
            let value = try JSONValueReader.value(of: bytes)
            // Not `nil`, which a value may be as well.
            stored = value == .null ? Optional.none : value
        } catch let error as JSONSyntaxError {
            throw StoreFileSyntaxError(error.message, at: error.offset, in: bytes)
        } catch let error as StoreFileValueError {
            throw StoreFileSyntaxError(message: error.message)
        }
    }

    var names: Set<String> { stored == nil ? [] : [Self.entryName] }

    func value(for name: String) -> PreferenceValue? {
        name == Self.entryName ? stored : nil
    }

    static func check(_ name: String, _ value: PreferenceValue) throws {
        _ = try JSONValueWriter.text(of: value)
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        guard let edit = batch[Self.entryName] else { return false }
        let new = edit.value
        if let new { try Self.check(Self.entryName, new) }
        let isSame = new.map { value in stored?.isIdentical(to: value) ?? false } ?? (stored == nil)
        stored = new
        return !isSame
    }

    func encoded() throws -> [UInt8] {
        Array("\(try JSONValueWriter.text(of: stored ?? .null))\n".utf8)
    }
}
