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

    func flush() throws {
        recorded.withLock { $0.append("flush") }
        try base.flush()
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

/// A keyring in memory that can be locked.
final class LockableStore: WriterExcludingStore {
    let label = "keyring"
    let notifiesAllChanges = true
    private let memory: MemoryStore
    private let access = PreferenceStoreAccess()
    private let state = Locked((isLocked: false, reads: 0, reloads: 0))

    init(_ values: [String: PreferenceValue] = [:]) {
        memory = MemoryStore(values)
    }

    /// The problem of using one name, or all names, while the keyring is locked.
    static func lockedProblem(_ name: String? = nil) -> PreferenceProblem {
        let message = "the keyring is locked: unlock it"
        return PreferenceProblem(.keychainLocked, key: name, store: "keyring", message: message, isMessagePublic: true)
    }

    /// The number of reads so far.
    var reads: Int { state.withLock { $0.reads } }

    /// The number of calls of ``reload()`` so far.
    var reloads: Int { state.withLock { $0.reloads } }

    /// The values, whether or not the keyring is locked.
    var contents: [String: PreferenceValue] { memory.contents }

    var isObserved: Bool { !access.observers.isEmpty }

    func lock() {
        state.withLock { $0.isLocked = true }
        access.observers.notify(.unreadable(Self.lockedProblem(EncryptionKey.defaultName)))
    }

    func unlock() {
        state.withLock { $0.isLocked = false }
        access.observers.notify(.everything)
    }

    func notify(_ change: PreferenceStoreChange) {
        access.observers.notify(change)
    }

    func value(for name: String) throws -> PreferenceValue? {
        try state.withLock { state in
            if state.isLocked { throw Self.lockedProblem(name) }
            state.reads += 1
        }
        return memory.value(for: name)
    }

    func names() throws -> Set<String> {
        try requireUnlocked()
        return memory.names()
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try requireUnlocked()
        try access.update(by: writer, makingBatch: { try makeBatch(value) }) { memory.apply($0) }
    }

    /// Notifies observers at once, as the keychain and the desktop's keyring do.
    func reload() {
        state.withLock { $0.reloads += 1 }
        access.observers.notify(.everything)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        access.observers.add(observer)
    }

    private func requireUnlocked() throws {
        if state.withLock({ $0.isLocked }) { throw Self.lockedProblem() }
    }
}
