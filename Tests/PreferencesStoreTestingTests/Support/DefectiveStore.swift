import Foundation
import PreferencesRuntime
import Synchronization

/// A ``RightStore`` but for one defect.
final class DefectiveStore: WriterExcludingStore, CapabilityDeclaringStore, SourceReportingStore, ValueConvertingStore {
    let right: RightStore
    /// For defects that take no lock but their own.
    let ownLock = NSRecursiveLock()
    /// For defects that wait for themselves: unlike a lock, even the thread that has passed it waits.
    let gate = DispatchSemaphore(value: 1)
    /// For defects that look at the medium but once.
    let remembered = Mutex<[String: PreferenceValue]?>(nil)
    /// For defects that hold on to these.
    let observations = Mutex<[PreferenceStoreObservation]>([])
    /// The thread that has made it.
    private let thread = ObjectIdentifier(Thread.current)
    private let defect: Defect

    init(_ medium: Medium, _ defect: Defect) {
        right = RightStore(medium)
        self.defect = defect
    }

    var isOnItsThread: Bool { thread == ObjectIdentifier(Thread.current) }

    var label: String { defect.label }
    var unsupportedCapabilities: PreferenceStoreCapabilities { defect.unsupportedCapabilities }
    var notifiesAllChanges: Bool { true }

    func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        guard defect.readsNumbersFromText, case .string(let text) = value, let number = Int64(text) else {
            return try right.read(value, of: name, as: type)
        }
        return try Value(preferenceValue: .int(number))
    }

    func value(for name: String) throws -> PreferenceValue? { try defect.read(self, name) }
    func names() throws -> Set<String> { try defect.names(self) }
    func source(of name: String) throws -> String? { try defect.source(self, name) }
    func write(_ batch: Defect.Batch) throws { try defect.write(self, batch) }
    func tell(_ batch: Defect.Batch) { defect.tell(self, batch) }
    func apply(_ batch: PreferenceBatch) throws { try defect.apply(self, batch.edits) }
    func update(_ makeBatch: Defect.MakeWritersBatch) throws {
        try defect.update(self) { current in
            try withoutActuallyEscaping(current) { try makeBatch($0).edits }
        }
    }
    var excludesWriters: Bool { defect.excludesWriters }
    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try defect.applyByWriter(self, batch, writer)
    }
    func update(by writer: PreferenceStoreObservation?, _ makeBatch: Defect.MakeWritersBatch) throws {
        try defect.updateByWriter(self, writer, makeBatch)
    }
    func flush() throws { try defect.flush(self) }
    func reload() throws { try defect.reload(self) }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        defect.observe(self, observer)
    }
}
