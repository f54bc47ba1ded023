#if !canImport(Darwin)
    import Dispatch

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The process's connection to inotify.
    ///
    /// The system has one watch for each file or folder, whoever asked for it; here is known who is to be told.
    final class Inotify: Sendable {
        static let shared = Inotify()

        /// Who is told.
        final class Listener: Sendable {
            let onEvent: @Sendable () -> Void

            init(onEvent: @escaping @Sendable () -> Void) {
                self.onEvent = onEvent
            }
        }

        /// Of one watch, one listener's.
        private struct Interest {
            let listener: Listener
            /// Of a folder's entries, those that are of interest.
            var entryNames: Set<String> = []
        }

        private struct State {
            /// Nil until the first watch, and where the system gave none.
            var descriptor: CInt?
            var source: (any DispatchSourceRead)?
            /// By watch and listener.
            var interests: [CInt: [ObjectIdentifier: Interest]] = [:]
        }

        private let state = Locked(State())
        private let queue = DispatchQueue(label: "preferences.inotify")

        private init() {}

        /// Has a listener told of what happens at these points, and nowhere else.
        ///
        /// - Returns: Whether everything that happens there is told.
        func replaceWatches(of listener: Listener, with points: Set<WatchPoint>) -> Bool {
            state.withLock { state in
                let id = ObjectIdentifier(listener)
                var isComplete = true
                var interests: [CInt: Interest] = [:]
                if !points.isEmpty {
                    guard let descriptor = open(&state) else { return false }
                    for point in points {
                        // Others may have asked for other events of the same folder.
                        let watch = inotify_add_watch(
                            descriptor,
                            point.path,
                            point.inotifyMask | UInt32(IN_MASK_ADD)
                        )
                        if watch >= 0 {
                            interests[watch, default: Interest(listener: listener)].entryNames
                                .formUnion(point.entryName.map { [$0] } ?? [])
                        } else {
                            isComplete = Self.isHarmless(errno, at: point) && isComplete
                        }
                    }
                    for (watch, interest) in interests { state.interests[watch, default: [:]][id] = interest }
                }
                for watch in state.interests.keys where interests[watch] == nil {
                    guard state.interests[watch]?.removeValue(forKey: id) != nil else { continue }
                    guard state.interests[watch]?.isEmpty == true, let descriptor = state.descriptor else { continue }
                    state.interests[watch] = nil
                    inotify_rm_watch(descriptor, watch)
                }
                return isComplete
            }
        }

        /// Whether nothing is lost where a point cannot be watched for this reason.
        private static func isHarmless(_ code: CInt, at point: WatchPoint) -> Bool {
            switch code {
            case ENOENT, ENOTDIR, ELOOP: true
            // A folder that one may go through but not look into, such as another user's, is not moved by oneself.
            case EACCES: point.kind == .place
            default: false
            }
        }

        private func open(_ state: inout State) -> CInt? {
            if let descriptor = state.descriptor { return descriptor }
            let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [unowned self] in readEvents(descriptor) }
            source.activate()
            state.descriptor = descriptor
            state.source = source
            return descriptor
        }

        private func readEvents(_ descriptor: CInt) {
            var listeners: [ObjectIdentifier: Listener] = [:]
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                for event in InotifyEvent.events(in: buffer[..<count]) {
                    for listener in state.withLock({ Self.listeners(concernedBy: event, &$0) }) {
                        listeners[ObjectIdentifier(listener)] = listener
                    }
                }
            }
            for listener in listeners.values { listener.onEvent() }
        }

        private static func listeners(concernedBy event: InotifyEvent, _ state: inout State) -> [Listener] {
            // Where events were lost, everyone is to look for what has changed.
            if event.has(IN_Q_OVERFLOW) { return state.interests.values.flatMap { $0.values.map(\.listener) } }
            let interests = state.interests[event.watch] ?? [:]
            // The system has ended the watch, as what it watched is gone.
            if event.has(IN_IGNORED) { state.interests[event.watch] = nil }
            return interests.values
                .filter { interest in event.entryName.map(interest.entryNames.contains) ?? true }
                .map(\.listener)
        }
    }
#endif
