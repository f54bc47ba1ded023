/// A system library that is loaded when it is first used.
///
/// A failed load is retried at the next use: the process may have been out of file descriptors.
package final class LazyLibrary<Library: Sendable, Failure: Error>: Sendable {
    private let library = Locked<Library?>(nil)
    private let load: @Sendable () throws(Failure) -> Library

    package init(_ load: @escaping @Sendable () throws(Failure) -> Library) {
        self.load = load
    }

    /// Returns the library, and loads it if necessary.
    package func get() throws(Failure) -> Library {
        if let library = library.withLock({ $0 }) { return library }
        // Two threads may load it at the same time, which is harmless. Neither waits for the other.
        let loaded = try load()
        return library.withLock { library in
            if let library { return library }
            library = loaded
            return loaded
        }
    }
}

#if !canImport(Darwin)
    package enum LoadingFailure {
        /// Returns why the last `dlopen` of this thread failed; nil if the library is not installed.
        ///
        /// - Parameter fileName: The name that was passed to `dlopen`.
        package static func last(of fileName: String) -> String? {
            guard let reason = dlerror().map({ String(cString: $0) }) else { return nil }
            // The reason can name a missing dependency instead.
            let isMissing = reason.contains(fileName) && reason.hasSuffix(String(cString: strerror(ENOENT)))
            return isMissing ? nil : reason
        }
    }
#endif
