import PreferencesJSON

/// A JSON file that is a single value, stored under the name ``entryName``.
struct SingleValueContents: StoreFileContents {
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
        guard name == entryName else {
            throw StoreFileValueError("the file holds a single value, whose name is '\(entryName)'")
        }
        _ = try JSONValueWriter.text(of: value)
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        for (name, edit) in batch {
            if let value = edit.value { try Self.check(name, value) }
        }
        guard let edit = batch[Self.entryName] else { return false }
        let new = edit.value
        let isSame = new.map { value in stored?.isIdentical(to: value) ?? false } ?? (stored == nil)
        stored = new
        return !isSame
    }

    func encoded() throws -> [UInt8] {
        Array("\(try JSONValueWriter.text(of: stored ?? .null))\n".utf8)
    }
}
