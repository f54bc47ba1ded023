#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Numbers that tell the threads of this process apart.
enum ThreadIdentity {
    /// The number of the calling thread; never 0. It may be used again after the thread has ended.
    static var current: UInt {
        #if canImport(Darwin) || canImport(Musl)
            UInt(bitPattern: pthread_self())
        #else
            pthread_self()
        #endif
    }
}
