import Dispatch

/// Where the body of a watcher runs.
enum DeliveryContext: Sendable {
    /// On the thread that made the change.
    case writer
    case actor(ActorReference)
    case queue(DispatchQueue)

    /// An actor that its watchers do not retain.
    struct ActorReference: @unchecked Sendable {  // Weak references are atomic, and actors are Sendable.
        weak var actor: (any Actor)?
    }

    /// On an actor, or without one, on the writer's thread.
    init(_ actor: (any Actor)?) {
        self = actor.map { .actor(ActorReference(actor: $0)) } ?? .writer
    }

    /// Whether it is an actor that was released.
    var isActorReleased: Bool {
        if case .actor(let reference) = self { reference.actor == nil } else { false }
    }

    /// Whether code with an isolation runs in this context.
    func isReached(from isolation: (any Actor)?) -> Bool {
        switch self {
        case .writer: true
        case .actor(let reference): isolation != nil && reference.actor === isolation
        case .queue: false
        }
    }
}
