#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the calling thread has to do when it changes no `Preferences` any more.
///
/// A store tells of a change while whoever makes it still holds the lock of its `Preferences`. Other ones over that store
/// are told on the same thread, and their watchers must not be called before that lock is free.
final class ThreadWrites {
    private var depth = 0
    private var postponed: [() -> Void] = []

    /// Begins a change.
    static func begin() {
        current.depth += 1
    }

    /// Ends a change, and does what was postponed when it was the outermost.
    ///
    /// - Parameter next: What is to be done for this change, before what others have postponed in its course.
    static func end(then next: (() -> Void)?) {
        let current = current
        if let next { current.postponed.insert(next, at: 0) }
        current.depth -= 1
        current.work()
    }

    /// Does something now, or when the thread's changes have ended.
    static func postpone(_ body: @escaping () -> Void) {
        let current = current
        if current.depth == 0 { body() } else { current.postponed.append(body) }
    }

    private func work() {
        guard depth == 0 else { return }
        while !postponed.isEmpty { postponed.removeFirst()() }
    }

    private static var current: ThreadWrites {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<ThreadWrites>.fromOpaque(pointer).takeUnretainedValue()
        }
        let new = ThreadWrites()
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            pthread_key_create(&key) { Unmanaged<ThreadWrites>.fromOpaque($0).release() }
        #else
            pthread_key_create(&key) { $0.map { Unmanaged<ThreadWrites>.fromOpaque($0).release() } }
        #endif
        return key
    }()
}
