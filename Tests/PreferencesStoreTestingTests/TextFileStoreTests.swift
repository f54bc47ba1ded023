import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import Testing

/// The example of the documentation.
final class TextFileStore: WritablePreferenceStore, CapabilityDeclaringStore {
    let url: URL
    let unsupportedCapabilities: PreferenceStoreCapabilities = [.typedValues, .null, .exclusiveUpdates]
    private let writing = NSRecursiveLock()

    init(url: URL) {
        self.url = url
    }

    var label: String { url.path(percentEncoded: false) }

    func value(for name: String) throws -> PreferenceValue? {
        try texts()[name].map(PreferenceValue.string)
    }

    func names() throws -> Set<String> {
        try Set(texts().keys)
    }

    func apply(_ batch: PreferenceBatch) throws {
        if batch.isEmpty { return }
        try writing.withLock {
            var texts = try texts()
            for (name, edit) in batch {
                switch edit {
                case .set(.string(let text)): texts[name] = text
                case .set: throw problem(.unsupportedValue, key: name, "only text can be kept")
                case .remove: texts[name] = nil
                }
            }
            do {
                try JSONEncoder().encode(texts).write(to: url, options: .atomic)
            } catch {
                throw problem(.storeUnwritable, "cannot be written: \(error)")
            }
        }
    }

    func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try writing.withLock { try apply(makeBatch(value)) }
    }

    private func texts() throws -> [String: String] {
        guard FileManager.default.fileExists(atPath: label) else { return [:] }
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: url))
        } catch {
            throw problem(.storeUnreadable, "cannot be read: \(error)")
        }
    }

    private func problem(_ code: PreferenceProblem.Code, key: String? = nil, _ message: String) -> PreferenceProblem {
        PreferenceProblem(code, key: key, store: label, message: message)
    }
}

struct TextFileStoreTests {
    @Test("A text file store keeps its promises", arguments: StoreCheck.all)
    func promises(check: StoreCheck) throws {
        let file = FileManager.default.temporaryDirectory.appending(component: "\(UUID()).json")
        let aside = file.appendingPathExtension("aside")
        defer { for url in [file, aside] { try? FileManager.default.removeItem(at: url) } }
        try check.run(
            on: StoreSubject(
                open: { TextFileStore(url: file) },
                breakBackend: {
                    try FileManager.default.moveItem(at: file, to: aside)
                    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
                },
                repairBackend: {
                    try FileManager.default.removeItem(at: file)
                    try FileManager.default.moveItem(at: aside, to: file)
                }
            )
        )
    }
}
