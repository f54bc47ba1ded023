#if !canImport(Darwin)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Watches points by inotify. All are of one ``Inotify``, as the system gives a user 128 at most.
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

    extension WatchPoint {
        /// What inotify is asked to tell.
        var inotifyMask: UInt32 {
            let own = IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB
            let mask =
                switch kind {
                // A link that another is renamed over tells of its attributes: of one name less.
                case .place: own | IN_DONT_FOLLOW
                case .entry: own | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
                case .contents: own | IN_MODIFY | IN_CLOSE_WRITE
                }
            return UInt32(mask)
        }

        var entryName: String? {
            if case .entry(let name) = kind { name } else { nil }
        }
    }
#endif
