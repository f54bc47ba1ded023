import StoreTestSupport

@testable import PreferencesSystem

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import PreferencesRuntime

    /// Listeners whose watches are added and removed at the same time. A limit of ten minutes serves as no limit.
    struct InotifyTests {
        /// A listener of an ``Inotify``, and its events.
        private final class Events: Sendable {
            let listener: Inotify.Listener
            private let semaphore = DispatchSemaphore(value: 0)

            init() {
                let semaphore = semaphore
                listener = Inotify.Listener { semaphore.signal() }
            }

            /// Waits for an event.
            func wait() { semaphore.wait() }

            /// Whether there is an event that `wait()` has not returned yet. Consumes it.
            var isPending: Bool { semaphore.wait(timeout: .now()) == .success }

            /// Discards the events so far.
            func forget() { while isPending {} }
        }

        private func points(of url: URL) -> Set<WatchPoint> { WatchPoint.points(affecting: url.filePath) }

        /// Runs a body on a new thread.
        private func onThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
            let end = DispatchSemaphore(value: 0)
            Thread {
                body()
                end.signal()
            }.start()
            return end
        }

        @Test("Adding or removing a slow watch does not block other listeners")
        func hungMount() throws {
            try withTemporaryDirectory { folder in
                let (hung, fine) = (folder.appending(component: "hung"), folder.appending(component: "fine"))
                for url in [hung, fine] { try url.write("{}") }
                let isWaiting = DispatchSemaphore(value: 0)
                let mayGoOn = DispatchSemaphore(value: 0)
                let hungWatches = Locked<Set<CInt>>([])
                var calls = Inotify.Calls()
                calls.add = { [add = calls.add] descriptor, path, mask in
                    let isHung = path.hasSuffix("hung")
                    if isHung {
                        isWaiting.signal()
                        mayGoOn.wait()
                    }
                    let watch = add(descriptor, path, mask)
                    if isHung { _ = hungWatches.withLock { $0.insert(watch) } }
                    return watch
                }
                calls.remove = { [remove = calls.remove] descriptor, watch in
                    if hungWatches.withLock({ $0.contains(watch) }) {
                        isWaiting.signal()
                        mayGoOn.wait()
                    }
                    remove(descriptor, watch)
                }
                let inotify = Inotify(calls: calls)
                let (events, hungEvents) = (Events(), Events())
                let (points, hungPoints) = (points(of: fine), points(of: hung))
                for newPoints in [hungPoints, []] {
                    let end = onThread { #expect(inotify.replaceWatches(of: hungEvents.listener, with: newPoints)) }
                    isWaiting.wait()
                    #expect(inotify.replaceWatches(of: events.listener, with: points))
                    events.forget()
                    try fine.write("{\"a\": 1}")
                    events.wait()
                    #expect(inotify.replaceWatches(of: events.listener, with: []))
                    mayGoOn.signal()
                    end.wait()
                }
            }
        }

        @Test("An event that arrives before its watch is registered is not lost")
        func earlyEvent() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("{}")
                let other = folder.appending(component: "other.json")
                try other.write("{}")
                let (events, otherEvents) = (Events(), Events())
                var calls = Inotify.Calls()
                calls.add = { [add = calls.add] descriptor, path, mask in
                    let watch = add(descriptor, path, mask)
                    if path == url.filePath {
                        // Events arrive in order, so the event of the other file arrives after that of this one.
                        try? url.write("{\"a\": 1}")
                        otherEvents.forget()
                        try? other.write("{\"a\": 1}")
                        otherEvents.wait()
                    }
                    return watch
                }
                let inotify = Inotify(calls: calls)
                #expect(inotify.replaceWatches(of: otherEvents.listener, with: points(of: other)))
                #expect(inotify.replaceWatches(of: events.listener, with: points(of: url)))
                events.wait()
            }
        }

        @Test("If too many events arrive while a watch is added, they are not recorded, and its listener is notified")
        func manyEarlyEvents() throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("{}")
                let other = folder.appending(component: "other.json")
                try other.write("{}")
                let (events, otherEvents) = (Events(), Events())
                var calls = Inotify.Calls()
                calls.add = { [add = calls.add] descriptor, path, mask in
                    if path == url.filePath {
                        // The number is too small to overflow the system's queue of events.
                        for number in 0..<1_100 {
                            let path = folder.appending(component: ".temporary-\(number)").filePath
                            close(open(path, O_WRONLY | O_CREAT, 0o600))
                        }
                        // Events arrive in order, so the event of the other file arrives after all others.
                        otherEvents.forget()
                        try? other.write("{\"a\": 1}")
                        otherEvents.wait()
                    }
                    return add(descriptor, path, mask)
                }
                let inotify = Inotify(calls: calls)
                #expect(inotify.replaceWatches(of: otherEvents.listener, with: points(of: other)))
                #expect(inotify.replaceWatches(of: events.listener, with: points(of: url)))
                #expect(events.isPending)
            }
        }

        @Test("A listener is notified if its watch was removed for another", arguments: [true, false])
        func removedWatch(isRegisteredBefore: Bool) throws {
            try withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try url.write("{}")
                let points = points(of: url)
                let (first, second) = (Events(), Events())
                let isRemoving = DispatchSemaphore(value: 0)
                let mayRemove = DispatchSemaphore(value: 0)
                let isRemoved = DispatchSemaphore(value: 0)
                let removals = Locked(0)
                let isSecond = Locked(false)
                var calls = Inotify.Calls()
                calls.remove = { [remove = calls.remove] descriptor, watch in
                    if removals.withLock({
                        $0 += 1
                        return $0
                    }) == 1 {
                        isRemoving.signal()
                        mayRemove.wait()
                    }
                    remove(descriptor, watch)
                }
                calls.add = { [add = calls.add] descriptor, path, mask in
                    let watch = add(descriptor, path, mask)
                    // All watches of the first listener are removed between the watch and its registration.
                    if !isRegisteredBefore, path == url.filePath, isSecond.withLock({ $0 }) {
                        isSecond.withLock { $0 = false }
                        mayRemove.signal()
                        isRemoved.wait()
                    }
                    return watch
                }
                let inotify = Inotify(calls: calls)
                #expect(inotify.replaceWatches(of: first.listener, with: points))
                let end = onThread {
                    #expect(inotify.replaceWatches(of: first.listener, with: []))
                    isRemoved.signal()
                }
                isRemoving.wait()
                isSecond.withLock { $0 = true }
                #expect(inotify.replaceWatches(of: second.listener, with: points))
                if isRegisteredBefore { mayRemove.signal() }
                second.wait()
                end.wait()
                // A watcher replaces its watches after each event.
                #expect(inotify.replaceWatches(of: second.listener, with: points))
                second.forget()
                try url.write("{\"a\": 1}")
                second.wait()
            }
        }
    }
#endif
