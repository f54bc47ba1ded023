import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A part of a response.
enum HTTPPart: Sendable {
    case body(Data)
    /// The last part, with the status of the response.
    case end(status: Int)
}

/// A request whose response is received in parts, which may be days apart.
///
/// One thread at a time waits for parts.
protocol HTTPStream: Sendable {
    /// Waits for the next part.
    ///
    /// - Returns: The part; nil after the deadline.
    /// - Throws: ``HTTPError`` if the request has failed, or was cancelled.
    func next(until deadline: Deadline) throws(HTTPError) -> HTTPPart?

    /// Ends the request: a thread that waits for a part receives an error.
    func cancel()
}

/// Sends requests over connections that it keeps open.
///
/// On Linux this is libcurl itself, and not `URLSession`, which is built on it: FoundationNetworking ends the program
/// when a response has trailers (`NativeProtocol.swift`: "Transfer completed, but there's no response"), as each error
/// of etcd 3.4 has. It also waits for a queue of the whole process in each cancellation, and has neither client
/// certificates nor authorities of one's own.
protocol HTTPStreamSource: Sendable {
    /// Sends a request.
    ///
    /// - Throws: ``HTTPError`` if it cannot be sent.
    func open(_ request: URLRequest) throws(HTTPError) -> any HTTPStream

    /// Ends all requests.
    func end()
}

extension HTTPStreamSource {
    /// Sends a request, and waits for the whole response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - deadline: When to give up.
    ///   - maximumSize: The maximum size of the content in bytes.
    /// - Throws: ``HTTPError``. After `timedOut`, the server may still process the request.
    func response(
        to request: URLRequest,
        until deadline: Deadline,
        maximumSize: Int
    ) throws(HTTPError) -> (status: Int, body: Data) {
        let stream = try open(request)
        defer { stream.cancel() }
        var body = Data()
        while let part = try stream.next(until: deadline) {
            switch part {
            case .body(let data):
                guard data.count <= maximumSize - body.count else { throw .tooLarge(maximumSize: maximumSize) }
                body.append(data)
            case .end(let status): return (status, body)
            }
        }
        throw .timedOut(deadline.duration)
    }
}
