/// A system library that is loaded at its first use.
///
/// A failed load is tried again at the next use: the process may have been out of file descriptors.
package final class LazyLibrary<Library: Sendable, Failure: Error>: Sendable {
    private let library = Locked<Library?>(nil)
    private let load: @Sendable () throws(Failure) -> Library

    package init(_ load: @escaping @Sendable () throws(Failure) -> Library) {
        self.load = load
    }

    /// Returns the library.
    package func get() throws(Failure) -> Library {
        if let library = library.withLock({ $0 }) { return library }
        // Two threads may load it at one time, which is harmless, and neither waits for the other.
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
        /// The reason why the last `dlopen` of this thread failed; nil where the library is not installed.
        ///
        /// - Parameter fileName: The name that was given to `dlopen`.
        package static func last(of fileName: String) -> String? {
            guard let reason = dlerror().map({ String(cString: $0) }) else { return nil }
            // Another name is that of a library which this one needs.
            let isMissing = reason.contains(fileName) && reason.hasSuffix(String(cString: strerror(ENOENT)))
            return isMissing ? nil : reason
        }
    }
#endif
