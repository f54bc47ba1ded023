#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import PreferencesSystem
    import Synchronization

    /// Files with certificates, in PEM format.
    struct CurlCertificates: Sendable {
        /// The certificates of the trusted authorities; nil for those that the system trusts.
        var authorities: URL?
        /// The client's certificate and its key; nil for none.
        var client: (certificate: URL, key: URL)?
    }

    /// Sends requests by libcurl, and keeps connections open for later ones.
    final class CurlStreams: HTTPStreamSource {
        private struct State {
            var idle: [CurlConnection] = []
            var streams: [ObjectIdentifier: WeakStream] = [:]
            var isEnded = false
        }

        private struct WeakStream {
            weak var stream: CurlStream?
        }

        /// The maximum number of connections that are kept open without a request.
        private static let maximumIdleCount = 2

        private let certificates: CurlCertificates
        private let state = Locked(State())

        init(_ certificates: CurlCertificates) {
            self.certificates = certificates
        }

        func open(_ request: URLRequest) throws(HTTPError) -> any HTTPStream {
            let connection: CurlConnection
            if let idle = state.withLock({ $0.idle.popLast() }) {
                connection = idle
            } else {
                connection = try CurlConnection()
            }
            let stream = CurlStream(connection, of: self)
            let isEnded = state.withLock { state in
                if !state.isEnded { state.streams[ObjectIdentifier(stream)] = WeakStream(stream: stream) }
                return state.isEnded
            }
            if isEnded { throw .unreachable(.cancelled) }
            try stream.send(request, certificates)
            return stream
        }

        func end() {
            let (idle, streams) = state.withLock { state in
                defer { (state.idle, state.isEnded) = ([], true) }
                return (state.idle, state.streams.values.compactMap(\.stream))
            }
            for stream in streams { stream.cancel() }
            // Released outside the lock.
            _ = idle
        }

        /// Takes back a connection whose response is complete, or nil if it cannot be used again.
        fileprivate func finish(_ stream: CurlStream, _ connection: CurlConnection?) {
            state.withLock { state in
                state.streams[ObjectIdentifier(stream)] = nil
                if let connection, !state.isEnded, state.idle.count < Self.maximumIdleCount {
                    state.idle.append(connection)
                }
            }
        }
    }

    /// A request of libcurl.
    private final class CurlStream: HTTPStream {
        private let source: CurlStreams
        private let connection: CurlConnection
        private let isCancelled = Atomic(false)
        /// The request, until its end. Unchecked, as one thread at a time waits for parts, and `cancel` does not use it.
        private nonisolated(unsafe) var transfer: CurlTransfer?

        init(_ connection: CurlConnection, of source: CurlStreams) {
            (self.connection, self.source) = (connection, source)
        }

        deinit {
            source.finish(self, nil)
            // libcurl closes the connection of an incomplete response.
            if let transfer { transfer.endLater() }
        }

        func send(_ request: URLRequest, _ certificates: CurlCertificates) throws(HTTPError) {
            transfer = try CurlTransfer(request, certificates, over: connection)
        }

        func next(until deadline: Deadline) throws(HTTPError) -> HTTPPart? {
            while true {
                if isCancelled.load(ordering: .sequentiallyConsistent) { throw .unreachable(.cancelled) }
                guard let transfer else { throw .unreachable(.badServerResponse) }
                try transfer.advance()
                if let body = transfer.takeBody() { return .body(body) }
                if let status = transfer.status {
                    // Before another thread uses the connection.
                    transfer.end()
                    self.transfer = nil
                    source.finish(self, connection)
                    return .end(status: status)
                }
                if deadline.hasPassed { return nil }
                connection.wait(until: deadline)
            }
        }

        func cancel() {
            isCancelled.store(true, ordering: .sequentiallyConsistent)
            connection.wake()
        }
    }

    /// A connection of libcurl, which one request at a time uses.
    ///
    /// The conformance is unchecked because of the handles: libcurl permits their use on one thread at a time, as here, and
    /// on any other for `wake`.
    private final class CurlConnection: @unchecked Sendable {
        let library: Libcurl
        let multi: Libcurl.Handle
        let easy: Libcurl.Handle

        init() throws(HTTPError) {
            do throws(Libcurl.LibcurlError) {
                library = try Libcurl.library.get()
            } catch {
                throw .library(error.message)
            }
            let (multi, easy) = (library.makeMulti(), library.makeEasy())
            guard let multi, let easy else {
                if let multi { _ = library.releaseMulti(multi) }
                if let easy { library.releaseEasy(easy) }
                throw .library(
                    "libcurl cannot make a connection: the process has too many open files, or too little memory"
                )
            }
            (self.multi, self.easy) = (multi, easy)
        }

        deinit {
            library.releaseEasy(easy)
            _ = library.releaseMulti(multi)
        }

        /// Waits until the network or ``wake()`` ends the wait.
        func wait(until deadline: Deadline) {
            // A fraction of a millisecond is one.
            let milliseconds = min(max(deadline.remainingMilliseconds, 0) + 1, 600_000)
            _ = library.poll(multi, nil, 0, CInt(milliseconds), nil)
        }

        func wake() {
            _ = library.wake(multi)
        }
    }

    /// A request on a connection, and the part of its response that has been received.
    private final class CurlTransfer {
        /// The part that libcurl has received since the last look.
        private final class Buffer {
            var body = Data()
        }

        /// The status, when the response is complete.
        private(set) var status: Int?
        private let connection: CurlConnection
        private let buffer = Buffer()
        private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Libcurl.errorSize)
        private var headers: OpaquePointer?
        private var isEnded = false
        private let hasClientCertificate: Bool

        init(
            _ request: URLRequest,
            _ certificates: CurlCertificates,
            over connection: CurlConnection
        ) throws(HTTPError) {
            (self.connection, hasClientCertificate) = (connection, certificates.client != nil)
            errorText.initialize(repeating: 0, count: Libcurl.errorSize)
            let (library, easy) = (connection.library, connection.easy)
            library.resetEasy(easy)
            func set(_ option: Libcurl.Option, _ value: Int) { _ = library.setLong(easy, option.rawValue, value) }
            func set(_ option: Libcurl.Option, _ text: String) {
                _ = text.withCString { library.setPointer(easy, option.rawValue, $0) }
            }
            set(.noSignal, 1)
            set(.protocols, Libcurl.httpProtocols)
            set(.tcpKeepAlive, 1)
            set(.url, request.url?.absoluteString ?? "")
            // A proxy on another machine cannot reach this one. Go's programs, such as etcdctl, do the same.
            if HTTPOrigin(request.url)?.isOfThisMachine == true { set(.proxy, "") }
            _ = library.setPointer(easy, Libcurl.Option.errorBuffer.rawValue, errorText)
            if let body = request.httpBody {
                set(.postFieldSize, body.count)
                _ = body.withUnsafeBytes {
                    library.setPointer(easy, Libcurl.Option.copyPostFields.rawValue, $0.baseAddress)
                }
            }
            // An empty header "Expect" prevents libcurl from waiting for the server's permission to send a megabyte.
            for (name, value) in (request.allHTTPHeaderFields ?? [:]).merging(["Expect": ""], uniquingKeysWith: { $1 })
            {
                headers = library.appendHeader(headers, "\(name): \(value)") ?? headers
            }
            _ = library.setPointer(easy, Libcurl.Option.httpHeader.rawValue, UnsafeRawPointer(headers))
            if let file = certificates.authorities { set(.authorityFile, file.path(percentEncoded: false)) }
            if let client = certificates.client {
                set(.sslCertificate, client.certificate.path(percentEncoded: false))
                set(.sslKey, client.key.path(percentEncoded: false))
            }
            // The buffer lives as long as the transfer, which removes the handle first.
            let target = Unmanaged.passUnretained(buffer).toOpaque()
            _ = library.setPointer(easy, Libcurl.Option.writeData.rawValue, target)
            _ = library.setWriteFunction(easy, Libcurl.Option.writeFunction.rawValue) { bytes, size, count, target in
                if let bytes, let target {
                    Unmanaged<Buffer>.fromOpaque(target).takeUnretainedValue()
                        .body.append(Data(bytes: bytes, count: size * count))
                }
                return size * count
            }
            guard library.add(connection.multi, easy) == 0 else {
                throw .library("libcurl cannot send a request")
            }
        }

        deinit {
            end()
            errorText.deallocate()
        }

        /// Releases transfers that libcurl may wait for the end of.
        private static let queue = DispatchQueue(label: "preferences.etcd.transfers", qos: .utility)

        /// Releases the transfer and its connection on another thread: while libcurl looks up the address of a host, it
        /// waits for the answer of the DNS server first, which takes ten seconds or more if there is none.
        ///
        /// The caller does not use the transfer afterwards.
        func endLater() {
            // Unchecked, as the caller gives it away.
            nonisolated(unsafe) let transfer = self
            Self.queue.async { transfer.end() }
        }

        /// Stops using the connection.
        func end() {
            if isEnded { return }
            isEnded = true
            _ = connection.library.remove(connection.multi, connection.easy)
            // The handle must not refer to memory that is released.
            connection.library.resetEasy(connection.easy)
            connection.library.releaseHeaders(headers)
        }

        /// Sends and receives what is possible without waiting.
        func advance() throws(HTTPError) {
            guard status == nil else { return }
            let library = connection.library
            var count: CInt = 0
            _ = library.perform(connection.multi, &count)
            while let message = library.nextMessage(connection.multi, &count) {
                // `CURLMsg`: an enumeration, the handle, and a union with the code.
                let code = message.load(fromByteOffset: 2 * MemoryLayout<Int>.size, as: CInt.self)
                guard code == 0 else {
                    var text = String(cString: errorText)
                    if text.isEmpty, let general = library.text(code) { text = String(cString: general) }
                    let error = HTTPError(curlCode: code, text)
                    // Many servers report a missing certificate as a bad one.
                    if error == .certificate(.clientRejected), !hasClientCertificate {
                        throw .certificate(.clientRequired)
                    }
                    let isOfConnecting =
                        switch error {
                        case .unreachable(.cannotConnectToHost), .unreachable(.cannotFindHost): true
                        // With code 56, a server refuses the client's certificate, and with it the request.
                        case .certificate: code != 56
                        default: false
                        }
                    throw isOfConnecting && hasSentRequest ? .unreachable(.networkConnectionLost) : error
                }
                var status = 0
                _ = library.getLong(connection.easy, Libcurl.responseCode, &status)
                self.status = status
            }
        }

        /// Whether the request was sent, possibly without success: if a connection that was kept open turns out to be
        /// closed, libcurl sends the request again on a new one, and reports the error of that one.
        private var hasSentRequest: Bool {
            var size = 0
            _ = connection.library.getLong(connection.easy, Libcurl.requestSize, &size)
            return size > 0
        }

        /// Returns the body that has been received since the last call; nil if there is none.
        func takeBody() -> Data? {
            if buffer.body.isEmpty { return nil }
            defer { buffer.body = Data() }
            return buffer.body
        }
    }
#endif
