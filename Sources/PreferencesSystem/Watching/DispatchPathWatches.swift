#if canImport(Darwin)
    import Dispatch

    /// Watches points by dispatch sources. Each point takes one file descriptor: each folder and link of a path, and
    /// the file.
    final class DispatchPathWatches: PathWatches {
        private let onEvent: @Sendable () -> Void
        private let queue = DispatchQueue(label: "preferences.watches")
        private let sources = Locked<[WatchPoint: Source]>([:])

        init(onEvent: @escaping @Sendable () -> Void) {
            self.onEvent = onEvent
        }

        func replace(with points: Set<WatchPoint>) -> Bool {
            sources.withLock { sources in
                // An open file keeps its identity, so the remaining sources still watch the files at these paths.
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

        /// Whether no change is missed if a point cannot be watched for this reason.
        private static func isHarmless(_ code: CInt, at point: WatchPoint) -> Bool {
            switch code {
            case ENOENT, ENOTDIR, ELOOP: true
            // This user cannot move a folder that may be searched but not read, such as another user's.
            case EACCES, EPERM: point.kind == .pathComponent
            default: false
            }
        }

        /// Watches one point for as long as it exists.
        private final class Source: @unchecked Sendable {  // Dispatch sources are thread-safe.
            private let source: any DispatchSourceFileSystemObject

            init(
                _ point: WatchPoint,
                queue: DispatchQueue,
                onEvent: @escaping @Sendable () -> Void
            ) throws(SystemError) {
                let flags = O_EVTONLY | O_CLOEXEC | (point.kind == .pathComponent ? O_SYMLINK : 0)
                let descriptor = try SystemError.check(.watch, point.path) { open(point.path, flags) }
                // A file that has replaced it since is another point, which the next search finds.
                var status = stat()
                guard fstat(descriptor, &status) == 0, FileIdentity(status) == point.identity else {
                    close(descriptor)
                    throw SystemError(operation: .watch, path: point.path, code: ENOENT)
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
            case .pathComponent: [.delete, .rename, .revoke, .attrib]
            // Writing to a folder changes its entries.
            case .entry, .entries: [.delete, .rename, .revoke, .attrib, .write]
            case .contents: [.delete, .rename, .revoke, .attrib, .link, .write, .extend]
            }
        }
    }
#endif
