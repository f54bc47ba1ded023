import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The resources that a program and its child processes used.
struct ProcessCost {
    var wallSeconds: Double
    var userSeconds: Double
    /// The processor time that the kernel spent for the process.
    var systemSeconds: Double
    /// The processor time of all its threads, in seconds.
    var processorSeconds: Double { userSeconds + systemSeconds }
    /// The peak resident memory, in MiB. On Linux, it is never below the memory of this process when it starts the
    /// program.
    var peakMebibytes: Double

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a program, which must succeed. Its standard output is discarded.
    ///
    /// - Parameter program: A path, or the name of a program in the PATH.
    init(of program: String, _ arguments: [String]) throws {
        let command = ([program] + arguments).map { strdup($0) } + [nil]
        let environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            for string in command + environment { free(string) }
        }

        var process = pid_t()
        var status: Int32 = 0
        // Foundation's `Process` does not report resource usage.
        var usage = rusage()
        let start = ContinuousClock.now
        let fault = posix_spawnp(&process, program, &actions, nil, command, environment)
        guard fault == 0 else {
            throw Failure(description: "cannot start \(program): \(String(cString: strerror(fault)))")
        }
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw Failure(description: "cannot wait for \(program)") }
        }
        wallSeconds = (ContinuousClock.now - start) / .seconds(1)
        guard status == 0 else {
            throw Failure(description: "\(program) \(arguments.joined(separator: " ")) failed")
        }
        userSeconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        systemSeconds = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        #if canImport(Darwin)
            peakMebibytes = Double(usage.ru_maxrss) / 0x10_0000
        #else
            peakMebibytes = Double(usage.ru_maxrss) / 0x400
        #endif
    }
}

extension ProcessCost {
    /// Runs a command, which must succeed, and returns the text of the file that it writes.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file, which is removed afterwards.
    ///   - command: Returns the command for the path of the file.
    static func file(in folder: URL, writtenBy command: (_ path: String) -> [String]) throws -> String {
        let file = folder.appending(path: "output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let words = command(file.path)
        _ = try ProcessCost(of: words[0], Array(words.dropFirst()))
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}

extension [ProcessCost] {
    /// The times of the processes.
    func time(_ seconds: KeyPath<ProcessCost, Double>) -> Figure {
        Figure(samples: map { $0[keyPath: seconds] * 1e9 })
    }

    var peakMemory: Figure {
        Figure(unit: .bytes, samples: map { $0.peakMebibytes * 0x10_0000 })
    }
}
