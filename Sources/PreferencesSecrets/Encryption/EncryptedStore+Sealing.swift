import PreferencesSystem
import Foundation
public import PreferencesRuntime

extension EncryptedStore {
    /// The value that is encrypted in one of the base.
    ///
    /// - Throws: `PreferenceProblem` with ``PreferencesRuntime/PreferenceProblem/Code/notAuthentic`` where it is not
    ///   one of this key and name, and with `unsupportedValue` where a later version of this package has made it.
    public func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue? {
        guard SealedValue(baseValue) != nil else {
            throw problem(.notAuthentic, name, "it is not encrypted, or cut off, or by a later version of this package")
        }
        guard let bytes = try opened(baseValue, name) else {
            throw problem(
                .notAuthentic,
                name,
                "it was not encrypted with this key and under this name, or was changed since; "
                    + "it stays until it is set or reset"
            )
        }
        guard let kind = bytes.first.flatMap(ValueBytes.Kind.init), let value = value(kind, bytes.dropFirst()) else {
            throw problem(.unsupportedValue, name, "it was encrypted by a later version of this package")
        }
        return value
    }

    /// An encrypted value for the base: another each time.
    ///
    /// - Throws: `PreferenceProblem` with `unsupportedValue` where it is nested too deep or the name is the package's
    ///   own, and with `storeUnwritable` where there is no library to encrypt with.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        try requireFree(name)
        let plain: ValueBytes
        do {
            plain = try ValueBytes(value)
        } catch {
            throw problem(.unsupportedValue, name, String(describing: error))
        }
        let sealed = try withLibrary(.storeUnwritable) { library throws(CryptographyFailure) in
            try SealedValue([plain.kind.rawValue] + plain.bytes, under: name, with: key, by: library)
        }
        return sealed.value(asText: isOfTextOnly)
    }

    func sealed(_ batch: PreferenceBatch) throws -> PreferenceBatch {
        try batch.mapEdits { name, edit in
            try requireFree(name)
            return (name, try edit.value.map { .set(try baseValue(of: $0, for: name)) } ?? .remove)
        }
    }

    /// The edit of the entry by which a wrong key is found out.
    func checkEdit() throws -> PreferenceEdit {
        let entry = try withLibrary(.storeUnwritable) { library throws(CryptographyFailure) in
            try KeyCheck.entry(with: key, by: library)
        }
        return .set(entry.value(asText: isOfTextOnly))
    }

    /// The bytes that are sealed in a value of the base; nil where they are not with this key and under this name.
    func opened(_ baseValue: PreferenceValue, _ name: String) throws -> [UInt8]? {
        guard let sealed = SealedValue(baseValue) else { return nil }
        return try withLibrary(.storeUnreadable) { library throws(CryptographyFailure) in
            try sealed.bytes(under: name, with: key, by: library)
        }
    }

    func problem(_ code: PreferenceProblem.Code, _ name: String?, _ message: String) -> PreferenceProblem {
        PreferenceProblem(code, key: name, store: label, message: message, isMessagePublic: true)
    }

    private var isOfTextOnly: Bool { !base.supports(.typedValues) }

    private func value(_ kind: ValueBytes.Kind, _ bytes: ArraySlice<UInt8>) -> PreferenceValue? {
        ValueBytes(kind, Data(bytes)).value
    }

    private func requireFree(_ name: String) throws(PreferenceProblem) {
        if name != KeyCheck.name { return }
        throw problem(.unsupportedValue, name, "an encrypted store has this name for itself")
    }

    private func withLibrary<Result>(
        _ code: PreferenceProblem.Code,
        _ body: (any CryptographyLibrary) throws(CryptographyFailure) -> Result
    ) throws(PreferenceProblem) -> Result {
        do {
            return try body(library.get())
        } catch {
            throw problem(code, nil, error.description)
        }
    }
}
