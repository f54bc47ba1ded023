// Exports the C library to every file of this module and of modules that import it. Its module has another name on each
// platform.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif
