#if !canImport(Darwin)
    import Dispatch

    /// The process's connection to inotify.
    ///
    /// The system has one watch for each file or folder. This type distributes its events to the listeners.
    ///
    /// Watches are added and removed with no lock held: the system resolves a path, which may take as long as a network
    /// is down. Events may therefore arrive before their watch is registered here, and a watch may be removed that
    /// another listener was given meanwhile. Events are recorded for listeners that are being registered. A listener
    /// that they concern is notified once it is registered, and then replaces its watches again.
    final class Inotify: Sendable {
        static let shared = Inotify()

        /// An object that is notified of events.
        final class Listener: Sendable {
            let onEvent: @Sendable () -> Void

            init(onEvent: @escaping @Sendable () -> Void) {
                self.onEvent = onEvent
            }
        }

        /// The system calls that may wait for a disk or a network. Tests replace them.
        struct Calls: Sendable {
            /// See inotify_add_watch(2). Returns the negative `errno` if that fails.
            var add: @Sendable (_ descriptor: CInt, _ path: String, _ mask: UInt32) -> CInt = {
                let watch = inotify_add_watch($0, $1, $2)
                return watch >= 0 ? watch : -errno
            }
            /// See inotify_rm_watch(2).
            var remove: @Sendable (_ descriptor: CInt, _ watch: CInt) -> Void = { inotify_rm_watch($0, $1) }
        }

        /// The listeners of a watch, also by the names of a folder's entries, since a folder may contain very many
        /// watched files.
        fileprivate struct Watch {
            var listeners: [ObjectIdentifier: Listener] = [:]
            var listenersByEntryName: [String: [ObjectIdentifier: Listener]] = [:]

            mutating func add(_ listener: Listener, _ id: ObjectIdentifier, entryNames: Set<String>) {
                listeners[id] = listener
                for name in entryNames { listenersByEntryName[name, default: [:]][id] = listener }
            }

            mutating func remove(_ id: ObjectIdentifier, entryNames: Set<String>) {
                listeners[id] = nil
                for name in entryNames {
                    listenersByEntryName[name]?[id] = nil
                    if listenersByEntryName[name]?.isEmpty == true { listenersByEntryName[name] = nil }
                }
            }
        }

        /// The events while the watches of a listener are being added.
        fileprivate struct Registration {
            /// The names of the entries with events, by watch; nil for an event of the watched file or folder itself.
            var entryNames: [CInt: Set<String?>] = [:]
            var endedWatches: Set<CInt> = []
            private var nameCount = 0
            /// Whether there were events that are not recorded.
            var hasLostEvents = false

            mutating func record(_ event: InotifyEvent) {
                // The number is limited: the registration may wait for a network for long, and temporary files always
                // have new names.
                if event.has(IN_Q_OVERFLOW) || nameCount == 1_000 {
                    hasLostEvents = true
                    entryNames = [:]
                } else if !hasLostEvents, entryNames[event.watch, default: []].insert(event.entryName).inserted {
                    nameCount += 1
                }
                if event.has(IN_IGNORED) { endedWatches.insert(event.watch) }
            }

            /// Whether an event matches one of these interests.
            func concerns(_ interests: [CInt: Set<String>]) -> Bool {
                hasLostEvents
                    || interests.contains { watch, names in
                        entryNames[watch]?.contains { name in
                            name.map { names.contains($0) || names.contains("") } ?? true
                        } ?? false
                    }
            }
        }

        fileprivate struct State {
            /// The inotify descriptor; nil until the first watch, and if the system has provided none.
            var descriptor: CInt?
            var source: (any DispatchSourceRead)?
            var watches: [CInt: Watch] = [:]
            /// The watches of each listener, with the names of the folder's entries that it is interested in.
            var interests: [ObjectIdentifier: [CInt: Set<String>]] = [:]
            var registrations: [ObjectIdentifier: Registration] = [:]
        }

        private let calls: Calls
        private let state = Locked(State())
        private let queue = DispatchQueue(label: "preferences.inotify")

        /// Creates a connection, which opens no descriptor until the first watch.
        ///
        /// - Parameter calls: The system calls; by default the system's own.
        init(calls: Calls = Calls()) {
            self.calls = calls
        }

        /// Replaces the watches of a listener. Must not be called concurrently for the same listener.
        ///
        /// - Returns: Whether the listener is notified of every event at these points.
        func replaceWatches(of listener: Listener, with points: Set<WatchPoint>) -> Bool {
            let id = ObjectIdentifier(listener)
            let descriptor = state.withLock { state in
                if points.isEmpty { return state.descriptor }
                state.registrations[id] = Registration()
                return open(&state)
            }
            guard let descriptor else {
                state.withLock { $0.registrations[id] = nil }
                return points.isEmpty
            }
            var isComplete = true
            var interests: [CInt: Set<String>] = [:]
            /// Returns the code of the error; 0 for none.
            func watch(_ path: String, _ kind: WatchPoint.Kind) -> CInt {
                // Other listeners may watch other events of the same folder.
                let watch = calls.add(descriptor, path, kind.inotifyMask | UInt32(IN_MASK_ADD))
                guard watch >= 0 else { return -watch }
                interests[watch, default: []].formUnion(kind.entryName.map { [$0] } ?? [])
                return 0
            }
            for point in points {
                var code = watch(point.path, point.kind)
                var isEntryWatched = false
                if code == EACCES, case let entry = FilePath(point.path), !["", ".", ".."].contains(entry.name) {
                    // Changes of its permissions are events of the folder that contains it.
                    isEntryWatched = watch(entry.folder, .entry(entry.name)) == 0
                    // It may have become readable before that watch.
                    code = watch(point.path, point.kind)
                }
                if code != 0 {
                    isComplete = Self.isHarmless(code, at: point, isEntryWatched: isEntryWatched) && isComplete
                }
            }
            let (isConcerned, unused) = state.withLock { $0.register(interests, of: listener) }
            for watch in unused { calls.remove(descriptor, watch) }
            if isConcerned { listener.onEvent() }
            return isComplete
        }

        /// Whether no change is missed if a point cannot be watched for this reason.
        ///
        /// - Parameter isEntryWatched: Whether the point is watched as an entry of the folder that contains it.
        private static func isHarmless(_ code: CInt, at point: WatchPoint, isEntryWatched: Bool) -> Bool {
            switch (code, point.kind) {
            case (ENOENT, _), (ENOTDIR, _), (ELOOP, _): true
            // This user cannot move a folder that may be searched but not read, such as another user's.
            case (EACCES, .pathComponent): true
            // Changes inside an unreadable folder go unnoticed until it becomes readable.
            case (EACCES, .contents): isEntryWatched
            case (EACCES, .entry), (EACCES, .entries): isEntryWatched && !isSearchable(point.path)
            default: false
            }
        }

        private static func isSearchable(_ folder: String) -> Bool {
            do throws(SystemError) {
                _ = try FileStatus.current("\(folder)/.")
                return true
            } catch {
                return error.code != EACCES
            }
        }

        private func open(_ state: inout State) -> CInt? {
            if let descriptor = state.descriptor { return descriptor }
            // Dispatch ends the program if it finds no descriptors for its event loop: one for epoll, and one for an
            // event.
            guard OpenFile.canOpen(3) else { return nil }
            let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.readEvents(descriptor) }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            state.descriptor = descriptor
            state.source = source
            return descriptor
        }

        deinit {
            state.withLock { $0.source }?.cancel()
        }

        private func readEvents(_ descriptor: CInt) {
            var listeners: [ObjectIdentifier: Listener] = [:]
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                for event in InotifyEvent.events(in: buffer[..<count]) {
                    for listener in state.withLock({ $0.listeners(concernedBy: event) }) {
                        listeners[ObjectIdentifier(listener)] = listener
                    }
                }
            }
            for listener in listeners.values { listener.onEvent() }
        }
    }

    extension Inotify.State {
        /// Replaces the interests of a listener by those in watches that were added for it.
        ///
        /// - Returns: Whether there was an event since they were added, and the watches that no listener is interested
        ///   in.
        fileprivate mutating func register(
            _ added: [CInt: Set<String>],
            of listener: Inotify.Listener
        ) -> (isConcerned: Bool, unused: [CInt]) {
            let id = ObjectIdentifier(listener)
            let registration = registrations.removeValue(forKey: id) ?? Inotify.Registration()
            let new = added.filter { !registration.endedWatches.contains($0.key) }
            let old = interests.removeValue(forKey: id) ?? [:]
            if !new.isEmpty { interests[id] = new }
            for (watch, names) in old { watches[watch]?.remove(id, entryNames: names) }
            for (watch, names) in new { watches[watch, default: Inotify.Watch()].add(listener, id, entryNames: names) }
            let unused = old.keys.filter { watches[$0]?.listeners.isEmpty == true }
            for watch in unused { watches[watch] = nil }
            return (registration.concerns(added), unused)
        }

        fileprivate mutating func listeners(concernedBy event: InotifyEvent) -> [Inotify.Listener] {
            for id in registrations.keys { registrations[id]?.record(event) }
            // Events were lost, so every listener must check for changes.
            if event.has(IN_Q_OVERFLOW) { return watches.values.flatMap(\.listeners.values) }
            let watch = watches[event.watch] ?? Inotify.Watch()
            // The system has ended the watch: the file is gone, or the watch was removed.
            if event.has(IN_IGNORED) {
                watches[event.watch] = nil
                for id in watch.listeners.keys { interests[id]?[event.watch] = nil }
            }
            guard let name = event.entryName else { return Array(watch.listeners.values) }
            let concerned = watch.listenersByEntryName[name] ?? [:]
            return Array(concerned.merging(watch.listenersByEntryName[""] ?? [:]) { $1 }.values)
        }
    }

    /// An inotify event.
    struct InotifyEvent {
        /// The watch of the event.
        let watch: CInt
        /// The name of the folder's entry; nil for an event of the watched file or folder itself.
        let entryName: String?
        private let mask: UInt32

        func has(_ flag: CInt) -> Bool {
            mask & UInt32(flag) != 0
        }

        /// Returns the events in bytes that were read from inotify.
        static func events(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
            var events: [InotifyEvent] = []
            var rest = bytes
            // The event's own bytes are followed by a name, which is padded with zeros.
            while rest.count >= MemoryLayout<inotify_event>.size {
                let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
                rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
                let name =
                    event.len == 0
                    ? nil : String(decoding: rest.prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self)
                events.append(InotifyEvent(watch: event.wd, entryName: name, mask: event.mask))
                rest = rest.dropFirst(Int(event.len))
            }
            return events
        }
    }

    /// Watches points by inotify. All instances share one ``Inotify``, since the system grants each user at most 128.
    final class InotifyPathWatches: PathWatches {
        private let listener: Inotify.Listener
        private let inotify = Inotify.shared

        init(onEvent: @escaping @Sendable () -> Void) {
            listener = Inotify.Listener(onEvent: onEvent)
        }

        deinit {
            _ = inotify.replaceWatches(of: listener, with: [])
        }

        func replace(with points: Set<WatchPoint>) -> Bool {
            inotify.replaceWatches(of: listener, with: points)
        }
    }

    extension WatchPoint.Kind {
        /// The events that are watched.
        var inotifyMask: UInt32 {
            let own = IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB
            let mask =
                switch self {
                // Replacing a link by a rename changes its attributes, because its number of names decreases.
                case .pathComponent: own | IN_DONT_FOLLOW
                case .entry, .entries: own | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
                case .contents: own | IN_MODIFY | IN_CLOSE_WRITE
                }
            return UInt32(mask)
        }

        /// The name of the folder's entry whose events matter; the empty one, which no entry has, for all; nil for none.
        var entryName: String? {
            switch self {
            case .entry(let name): name
            case .entries: ""
            case .pathComponent, .contents: nil
            }
        }
    }
#endif
