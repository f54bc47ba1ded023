/// When a child is killed.
enum KillMoment: CaseIterable, Hashable {
    /// A random while after it has begun one of its first writes.
    case writing
    /// The same, of the very first, which makes folder and file.
    case firstWrite
    /// A random while after it has begun to flush.
    case flushing
    /// A random while after it has called `exit` with something unwritten.
    case exiting
    /// A random while after it has begun to let go of a database, which brings the log into it.
    case closing

    /// Those that there are for a store.
    static func all(for store: ProvenStore) -> [KillMoment] {
        let always = [writing, firstWrite]
        return always + (store.isCoalescing ? [flushing, exiting] : store.isDatabase ? [closing] : [])
    }

    /// Whether a child comes to it again and again.
    var isRepeated: Bool { self == .writing || self == .flushing || self == .closing }

    /// What the child says when it is near.
    var word: String {
        switch self {
        case .writing, .firstWrite: "begin"
        case .flushing: "flush"
        case .exiting: "exit"
        case .closing: "close"
        }
    }
}
