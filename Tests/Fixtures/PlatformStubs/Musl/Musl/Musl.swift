// The C library of Swift's Static Linux SDK. Foundation, which is this machine's, imports a module `Glibc`; for this
// platform it declares what the headers of musl declare, so that `Musl` is another name of it.
// https://www.swift.org/documentation/articles/static-linux-getting-started.html
@_exported import Glibc
