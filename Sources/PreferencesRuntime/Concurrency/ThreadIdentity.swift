#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Identifies the threads of this process.
enum ThreadIdentity {
    /// The identifier of the calling thread; never 0. The identifier of a thread that has ended can be reused.
    static var current: UInt {
        #if canImport(Darwin) || canImport(Musl)
            UInt(bitPattern: pthread_self())
        #else
            pthread_self()
        #endif
    }
}
