package import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A child process, which inherits only its three standard streams and its environment.
///
/// On Linux, children of Foundation's `Process` inherit the descriptors of children that are started at the same time,
/// among them the socket that signals the end of a child (swift-corelibs-foundation, issue 4795). Tests that wait for
/// their own children would then also wait for those of other tests, and could deadlock.
package final class ChildProcess: Sendable {
    /// One of the child's standard streams.
    package enum Stream: Sendable {
        case null
        /// The stream of the tests.
        case inherited
        case file(FileHandle)
        /// A pipe to or from this process.
        case pipe
    }

    package enum Ending: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    package struct CannotStart: Error, CustomStringConvertible {
        package let description: String
    }

    package let identifier: pid_t
    /// The pipe to the child's standard input, if it is a pipe.
    package let input: FileHandle
    /// The pipe from the child's standard output, if it is a pipe.
    package let output: FileHandle
    /// The pipe from the child's standard error, if it is a pipe.
    package let errors: FileHandle
    private let waiter: Waiter

    /// Ignores SIGPIPE in this process, so that writing to an ended child throws an error instead of ending all tests.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: A path or, without a slash, the name of a program in the PATH.
    ///   - arguments: The arguments. Default: none.
    ///   - folder: The working directory. Default: that of the tests.
    ///   - environment: The environment variables. Default: those of the tests.
    ///   - input: The standard input. Default: the null device.
    ///   - output: The standard output. Default: the null device.
    ///   - errors: The standard error. Default: that of the tests.
    ///   - leadsGroup: Whether the child and the processes that it starts are a process group. Default: false.
    /// - Throws: ``CannotStart``.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        in folder: URL? = nil,
        environment: [String: String]? = nil,
        input: Stream = .null,
        output: Stream = .null,
        errors: Stream = .inherited,
        leadsGroup: Bool = false
    ) throws {
        if case .pipe = input { Self.ignoresBrokenPipes }
        let ends = try [(input, true), (output, false), (errors, false)].map(Ends.init)
        defer { for end in ends { end.closeChild() } }
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
        do {
            let streams = ends.map(\.child)
            identifier = try Self.spawn(program, arguments, variables, folder, streams, leadsGroup: leadsGroup)
        } catch {
            for end in ends { try? end.own.close() }
            throw error
        }
        (self.input, self.output, self.errors) = (ends[0].own, ends[1].own, ends[2].own)
        waiter = Waiter(identifier)
    }

    /// Sends a signal, unless the child has ended.
    ///
    /// - Parameter toGroup: Whether to send it to the process group that the child leads.
    package func send(_ signal: Int32, toGroup: Bool = false) {
        waiter.send(signal, toGroup: toGroup)
    }

    /// The way in which the child ended. Waits for its end.
    package var ending: Ending {
        get async {
            await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: self.waitForEnd()) }.start()
            }
        }
    }

    /// Waits for the child's end. Call it only on threads that do not run tasks, because those are few.
    package func waitForEnd() -> Ending {
        waiter.wait()
    }
}

extension ChildProcess {
    /// The two ends of a stream.
    private struct Ends {
        let child: Int32
        /// The null device if this process has no end.
        let own: FileHandle
        private let closesChild: Bool

        init(_ stream: Stream, isInput: Bool) throws {
            switch stream {
            case .null:
                child = open("/dev/null", O_RDWR | O_CLOEXEC)
                (own, closesChild) = (.nullDevice, true)
            case .inherited:
                (child, own, closesChild) = (isInput ? 0 : 2, .nullDevice, false)
            case .file(let handle):
                (child, own, closesChild) = (handle.fileDescriptor, .nullDevice, false)
            case .pipe:
                var descriptors: [Int32] = [-1, -1]
                guard pipe(&descriptors) == 0 else { throw CannotStart(description: "no pipe: errno \(errno)") }
                for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
                child = descriptors[isInput ? 0 : 1]
                own = FileHandle(fileDescriptor: descriptors[isInput ? 1 : 0], closeOnDealloc: true)
                closesChild = true
            }
        }

        func closeChild() {
            if closesChild { close(child) }
        }
    }

    private static func spawn(
        _ program: String,
        _ arguments: [String],
        _ variables: [String],
        _ folder: URL?,
        _ streams: [Int32],
        leadsGroup: Bool
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Numbers above those of the standard streams, which the next step replaces.
        let above = streams.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        defer { for descriptor in above { close(descriptor) } }
        for (number, descriptor) in above.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        if let folder { try SpawnFunctions.addFolder(&actions, folder.path(percentEncoded: false)) }
        // The tests may ignore SIGPIPE; the child must not inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            try SpawnFunctions.addClosing(&actions, 3)
        #endif
        // By default, the group of such an attribute is that of the child itself.
        if leadsGroup { flags |= POSIX_SPAWN_SETPGROUP }
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var identifier: pid_t = 0
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let settings = variables.map { strdup($0) } + [nil]
        defer { for text in words + settings { free(text) } }
        let code = posix_spawnp(&identifier, program, &actions, &attributes, words, settings)
        guard code == 0 else { throw CannotStart(description: "\(program): \(String(cString: strerror(code)))") }
        return identifier
    }

    /// Functions that Swift does not import on every system.
    private enum SpawnFunctions {
        #if canImport(Darwin)
            static func addFolder(_ actions: inout posix_spawn_file_actions_t?, _ path: String) throws {
                posix_spawn_file_actions_addchdir_np(&actions, path)
            }
        #else
            private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

            static func addFolder(_ actions: inout posix_spawn_file_actions_t, _ path: String) throws {
                typealias Function = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
                _ = try function("posix_spawn_file_actions_addchdir_np", as: Function.self)(&actions, path)
            }

            static func addClosing(_ actions: inout posix_spawn_file_actions_t, _ first: Int32) throws {
                typealias Function = @convention(c) (Actions, Int32) -> Int32
                _ = try function("posix_spawn_file_actions_addclosefrom_np", as: Function.self)(&actions, first)
            }

            private static func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
                guard let symbol = dlsym(nil, name) else {
                    throw CannotStart(description: "this system's C library has no \(name): use glibc 2.34 or later")
                }
                return unsafeBitCast(symbol, to: type)
            }
        #endif
    }

    /// Waits for a child on a new thread.
    private final class Waiter: Sendable {
        private let identifier: pid_t
        private let end = DispatchGroup()
        private let result = Mutex<Ending?>(nil)

        init(_ identifier: pid_t) {
            self.identifier = identifier
            end.enter()
            Thread { self.run() }.start()
        }

        private func run() {
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            result.withLock { $0 = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal) }
            end.leave()
        }

        func send(_ signal: Int32, toGroup: Bool) {
            result.withLock { if $0 == nil { kill(toGroup ? -identifier : identifier, signal) } }
        }

        func wait() -> Ending {
            end.wait()
            return result.withLock { $0! }
        }
    }
}

extension ChildProcess {
    /// Starts a program that prints a number in each line, and kills it after a number of lines.
    ///
    /// - Returns: The last number that it printed; 0 if it printed none.
    package static func lastNumber(
        ofKilled program: URL,
        _ arguments: [String],
        environment: [String: String]? = nil,
        afterLines enough: Int
    ) async throws -> Int64 {
        let path = program.path(percentEncoded: false)
        let child = try ChildProcess(path, arguments, environment: environment, output: .pipe)
        let last = try await onOwnThread {
            var (last, count) = (0 as Int64, 0)
            // Lines that the child prints before it ends count, too.
            while let line = try child.output.readLine() {
                count += 1
                last = Int64(line) ?? last
                if count == enough { child.send(SIGKILL) }
            }
            return last
        }
        _ = await child.ending
        return last
    }
}

extension FileHandle {
    /// Waits for the next line. Call it only on threads that do not run tasks.
    ///
    /// - Returns: The line without its line break; nil at the end of the file.
    package func readLine() throws -> String? {
        var line = Data()
        while let byte = try read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
