/// placeholder
public struct PreferenceMigration: Sendable {
    static func isBookkeeping(_ name: String) -> Bool { false }
}
extension Preferences {
    func migrate(_ migrations: [PreferenceMigration]) {}
}
