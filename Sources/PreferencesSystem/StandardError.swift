/// The destination of reports that have no other.
package enum StandardError {
    /// Writes a text as one line in one call, so that lines of several threads do not mix.
    ///
    /// The line is lost if a pipe or socket has no reader, or no room at the moment.
    package static func writeLine(_ text: String) {
        var line = ""
        // Stored values must not move the cursor or colour the terminal.
        for scalar in text.unicodeScalars { line.unicodeScalars.append(Self.isControl(scalar) ? " " : scalar) }
        var bytes = Array("\(line)\n".utf8)
        if mayBlock, bytes.count > pipeCapacity { bytes = Array(bytes.prefix(pipeCapacity - 1)) + [UInt8(ascii: "\n")] }
        // Another thread must not fill a pipe after this one has found room in it.
        writing.withLock {
            // A full pipe whose reader does not read would block the program.
            var stream = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
            guard poll(&stream, 1, 0) == 1, stream.revents & Int16(POLLOUT) != 0 else { return }
            // A failure cannot be reported anywhere else.
            withoutBrokenPipeSignal { _ = write(2, bytes, bytes.count) }
        }
    }

    /// Held while a line is written, during which the descriptor has the flag that prevents the signal on Apple
    /// platforms.
    private static let writing = RecursiveLock()

    /// The number of bytes that a pipe accepts without blocking after `poll` reports room: 4,096 on Linux, and
    /// otherwise the 512 that POSIX requires (`_POSIX_PIPE_BUF`). Another process that writes to the same pipe may
    /// still fill it first.
    private static var pipeCapacity: Int {
        #if os(Linux)
            4_096
        #else
            512
        #endif
    }

    /// Whether the stream is a pipe or a socket, and not a file or a terminal.
    ///
    /// `fstat` is avoided: Apple requires a declared reason for calling it, and accepts none for a standard stream.
    private static var mayBlock: Bool {
        lseek(2, 0, SEEK_CUR) == -1 && errno == ESPIPE && isatty(2) == 0
    }

    /// Runs a body in which writing to a pipe without a reader fails instead of ending the program by SIGPIPE.
    private static func withoutBrokenPipeSignal(_ body: () -> Void) {
        #if canImport(Darwin)
            // The signal would be sent to the process, so that blocking it on this thread has no effect.
            let former = fcntl(2, F_GETNOSIGPIPE)
            _ = fcntl(2, F_SETNOSIGPIPE, 1)
            body()
            if former == 0 { _ = fcntl(2, F_SETNOSIGPIPE, 0) }
        #else
            // The signal is sent to this thread. It is blocked, and consumed unless it was pending before.
            var (pipe, pending, former) = (sigset_t(), sigset_t(), sigset_t())
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            sigpending(&pending)
            pthread_sigmask(SIG_BLOCK, &pipe, &former)
            body()
            if sigismember(&pending, SIGPIPE) == 0 {
                var atOnce = timespec()
                while sigtimedwait(&pipe, nil, &atOnce) == -1, errno == EINTR {}
            }
            pthread_sigmask(SIG_SETMASK, &former, nil)
        #endif
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
