import PreferencesRuntime
import PreferencesSecrets
import PreferencesSystem

/// A store in memory that supports only text, as cookies do.
struct TextStore: PreferenceStoreAdapter {
    let base: any PreferenceStore = MemoryStore()

    var unsupportedCapabilities: PreferenceStoreCapabilities { [.persistence, .typedValues, .null] }

    func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard case .string = value else {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "only text is supported")
        }
        return value
    }
}

/// A store that records its write calls.
final class CallsStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    private let recorded = Locked<[String]>([])

    init(_ base: any PreferenceStore) {
        self.base = base
    }

    var calls: [String] { recorded.withLock { $0 } }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        recorded.withLock { $0.append("apply \(batch.map(\.name).sorted())") }
        try base.commit(batch, by: writer?.parts.first)
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        recorded.withLock { $0.append("update") }
        try base.commit(by: writer?.parts.first, makeBatch)
    }
}

extension MemoryStore {
    /// All values by their names.
    var contents: [String: PreferenceValue] {
        Dictionary(uniqueKeysWithValues: names().compactMap { name in value(for: name).map { (name, $0) } })
    }
}

extension PreferenceProblem {
    /// The problem of a wrong key.
    static func wrongKey(of store: String) -> PreferenceProblem {
        PreferenceProblem(
            .wrongKey,
            store: store,
            message:
                "it was encrypted with another key; nothing is read or changed: use the key that it was first written "
                + "with, or, if that is lost, move the file away to start a new one"
        )
    }
}

extension [UInt8] {
    /// - Parameter hex: Two digits for each byte.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue).map(UInt8.init)
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
