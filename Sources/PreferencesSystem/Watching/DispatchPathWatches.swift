#if canImport(Darwin)
    import Darwin
    import Dispatch

    /// Watches points by dispatch sources. Each point takes a file descriptor: one for each folder and link of the path,
    /// and one for the file.
    final class DispatchPathWatches: PathWatches {
        private let onEvent: @Sendable () -> Void
        private let queue = DispatchQueue(label: "preferences.watches")
        private let sources = Locked<[WatchPoint: Source]>([:])

        init(onEvent: @escaping @Sendable () -> Void) {
            self.onEvent = onEvent
        }

        func replace(with points: Set<WatchPoint>) -> Bool {
            sources.withLock { sources in
                // What is open keeps its identity for itself, so those that are left are still of what is there.
                sources = sources.filter { points.contains($0.key) }
                var isComplete = true
                for point in points where sources[point] == nil {
                    do throws(SystemError) {
                        sources[point] = try Source(point, queue: queue, onEvent: onEvent)
                    } catch {
                        isComplete = Self.isHarmless(error.code, at: point) && isComplete
                    }
                }
                return isComplete
            }
        }

        /// Whether nothing is lost where a point cannot be watched for this reason.
        private static func isHarmless(_ code: CInt, at point: WatchPoint) -> Bool {
            switch code {
            case ENOENT, ENOTDIR, ELOOP: true
            // A folder that one may go through but not look into, such as another user's, is not moved by oneself.
            case EACCES, EPERM: point.kind == .place
            default: false
            }
        }

        /// Watches one point for as long as it exists.
        private final class Source: @unchecked Sendable {  // A dispatch source is any thread's to use.
            private let source: any DispatchSourceFileSystemObject

            init(
                _ point: WatchPoint,
                queue: DispatchQueue,
                onEvent: @escaping @Sendable () -> Void
            ) throws(SystemError) {
                let flags = O_EVTONLY | O_CLOEXEC | (point.kind == .place ? O_SYMLINK : 0)
                let descriptor = try SystemError.check("watch", point.path) { open(point.path, flags) }
                // What came in its place in the meantime is another point, which whoever looks again will find.
                var status = stat()
                guard fstat(descriptor, &status) == 0, FileIdentity(status) == point.identity else {
                    close(descriptor)
                    throw SystemError(operation: "watch", path: point.path, code: ENOENT)
                }
                source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor,
                    eventMask: point.eventMask,
                    queue: queue
                )
                source.setEventHandler(handler: onEvent)
                source.setCancelHandler { close(descriptor) }
                source.activate()
            }

            deinit {
                source.cancel()
            }
        }
    }

    extension WatchPoint {
        fileprivate var eventMask: DispatchSource.FileSystemEvent {
            switch kind {
            case .place: [.delete, .rename, .revoke, .attrib]
            // Of folders, what is written are their entries.
            case .entry: [.delete, .rename, .revoke, .attrib, .write]
            case .contents: [.delete, .rename, .revoke, .attrib, .link, .write, .extend]
            }
        }
    }
#endif
