#if canImport(Darwin)
    public import Darwin
#elseif canImport(Musl)
    public import Musl
#else
    public import Glibc
#endif

/// Identifies the threads of this process.
@usableFromInline
package enum ThreadIdentity {
    /// The identifier of the calling thread; never 0. The identifier of a thread that has ended can be reused.
    @inlinable
    package static var current: UInt {
        #if canImport(Darwin) || canImport(Musl)
            UInt(bitPattern: pthread_self())
        #else
            pthread_self()
        #endif
    }
}
