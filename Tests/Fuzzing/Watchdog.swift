import Foundation
import Synchronization

/// Ends the process when an input takes longer than its size explains. What counts is the processor's time, so that a
/// busy machine is no fault.
final class Watchdog: Sendable {
    /// The processor's time at which the current input is too late.
    private let deadline = Mutex<Double?>(nil)

    init() {
        let thread = Thread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 0.05)
                let isLate = deadline.withLock { deadline in deadline.map { $0 < Self.processorTime } ?? false }
                if isLate {
                    FileHandle.standardError.write(Data("the input takes too long\n".utf8))
                    abort()
                }
            }
        }
        thread.start()
    }

    func watch<Result>(bytes: Int, _ body: () throws -> Result) rethrows -> Result {
        // The few patterns that are waited for may take seconds, in both readings; all else takes a hundredth of this.
        let limit = 15 + Double(bytes) / 50_000
        deadline.withLock { $0 = Self.processorTime + limit }
        defer { deadline.withLock { $0 = nil } }
        return try body()
    }

    /// In seconds, of all threads of this process.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
