// The C library, for every file of this module and of those that import it. `import` has no platform-independent name for it.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif
