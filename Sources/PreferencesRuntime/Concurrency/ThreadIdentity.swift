#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What tells the threads of this process apart.
enum ThreadIdentity {
    /// Of the calling thread; never 0. A thread that has ended may have had the same.
    static var current: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
