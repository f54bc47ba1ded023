import Foundation

/// Something that keeps a store from its file, and that can be brought about and undone.
protocol StoreCondition {
    /// Whether a store can write all the same.
    func isHarmless(to store: ProvenStore) -> Bool
    /// Gives the folder for the store's file, once the process is what it has to be.
    func prepare(_ folder: URL) throws -> URL
    func begin(_ url: URL) throws
    func end(_ url: URL) throws
    /// Leaves nothing that would keep the folder from being removed.
    func clear(_ folder: URL)
}

extension StoreCondition {
    func isHarmless(to store: ProvenStore) -> Bool { false }
    func clear(_ folder: URL) {}

    /// Makes a system call.
    func check(_ result: CInt) throws {
        if result != 0 { throw SystemFailure(code: errno) }
    }
}
