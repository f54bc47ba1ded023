import Foundation

/// A process that has as many files open as it may.
struct NoDescriptors: StoreCondition {
    func prepare(_ folder: URL) throws -> URL { folder }

    func begin(_ url: URL) throws {
        // The lowest number that is free is the first that may not be had.
        let next = open("/dev/null", O_RDONLY)
        guard next >= 0 else { throw SystemFailure(code: errno) }
        close(next)
        try limit { _ in rlim_t(next) }
    }

    func end(_ url: URL) throws { try limit { $0 } }

    private func limit(_ size: (_ maximum: rlim_t) -> rlim_t) throws {
        var limit = rlimit()
        try check(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
        limit.rlim_cur = size(min(limit.rlim_max, 1_024))
        try check(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
    }
}
