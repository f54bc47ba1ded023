import Foundation

// The messages of etcd's v3 interface that the store uses, as its JSON gateway writes them: `bytes` is base64, a 64-bit
// integer is a string, and a field that is zero or empty may be missing. The names of the properties are those of
// etcd's `rpc.proto` and `kv.proto`, in camel case.

/// A 64-bit integer, which JSON has as a string because many programs read its numbers as floating-point numbers.
struct EtcdInteger: Codable, Sendable, Hashable {
    var value: Int64

    init(_ value: Int64) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        // Identifiers are unsigned.
        guard let value = Int64(text) ?? UInt64(text).map({ Int64(bitPattern: $0) }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no integer")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(value))
    }
}

struct EtcdHeader: Decodable, Sendable {
    var clusterId: EtcdInteger?
    var revision: EtcdRevision?
    /// The number of the last election.
    var raftTerm: EtcdInteger?
}

/// A revision, which counts the changes of a cluster.
struct EtcdRevision: Decodable, Sendable, Hashable {
    var value: Int64

    init(from decoder: any Decoder) throws {
        value = try EtcdInteger(from: decoder).value
        // The next one can be computed.
        guard (0..<Int64.max).contains(value) else {
            let container = try decoder.singleValueContainer()
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(value) is no revision")
        }
    }
}

struct EtcdKeyValue: Decodable, Sendable {
    var key: Data
    var value: Data?
    var modRevision: EtcdRevision?

    /// The revision of the key's last change.
    var revision: Int64 { modRevision?.value ?? 0 }
}

struct EtcdRangeRequest: Encodable, Sendable {
    var key: Data
    var rangeEnd: Data?
    /// The maximum number of keys; nil for no limit.
    var limit: EtcdInteger?
    /// The revision to read; nil for the current one.
    var revision: EtcdInteger?
    var keysOnly: Bool?
    /// Whether the member answers by itself, without asking the leader.
    var serializable: Bool?
}

struct EtcdRangeReply: Decodable, Sendable {
    var header: EtcdHeader
    var kvs: [EtcdKeyValue]?
    /// Whether the range has more keys than the limit.
    var more: Bool?
}

/// A condition of a transaction: the revision of a key's last change, or of the last changes in a range of keys, is
/// equal to another one or less.
struct EtcdCompare: Encodable, Sendable {
    enum Relation: String, Encodable {
        case equal = "EQUAL"
        case less = "LESS"
    }

    var target = "MOD"
    var result = Relation.equal
    var key: Data
    var rangeEnd: Data?
    var modRevision: EtcdInteger
}

struct EtcdPut: Encodable, Sendable {
    var key: Data
    var value: Data
    var lease: EtcdInteger?
}

struct EtcdDeletion: Encodable, Sendable {
    var key: Data
}

struct EtcdTransaction: Encodable, Sendable {
    var compare: [EtcdCompare] = []
    var success: [Operation]
    var failure: [Operation] = []

    /// An operation: one of its properties.
    struct Operation: Encodable, Sendable {
        var requestRange: EtcdRangeRequest?
        var requestPut: EtcdPut?
        var requestDeleteRange: EtcdDeletion?
        var requestTxn: EtcdTransaction?
    }
}

struct EtcdTransactionReply: Decodable, Sendable {
    struct Response: Decodable, Sendable {
        struct Range: Decodable, Sendable { var kvs: [EtcdKeyValue]? }

        var responseRange: Range?
    }

    var header: EtcdHeader
    var succeeded: Bool?
    var responses: [Response]?
}

struct EtcdEmptyReply: Decodable, Sendable {}

struct EtcdLogin: Encodable, Sendable {
    var name: String
    var password: String
}

struct EtcdToken: Decodable, Sendable { var token: String }

struct EtcdWatchRequest: Encodable, Sendable {
    struct Creation: Encodable, Sendable {
        var key: Data
        var rangeEnd: Data
        var startRevision: EtcdInteger
        /// Whether to send the revision now and then, so that the watch can be resumed although the history was compacted.
        var progressNotify = true
    }

    var createRequest: Creation
}

/// A line of a watch's response.
struct EtcdWatchLine: Decodable, Sendable {
    var result: EtcdWatchReply?
    var error: EtcdErrorReply?
}

struct EtcdWatchReply: Decodable, Sendable {
    var header: EtcdHeader
    var created: Bool?
    var canceled: Bool?
    var compactRevision: EtcdInteger?
    var cancelReason: String?
    var events: [EtcdEvent]?
}

struct EtcdEvent: Decodable, Sendable {
    var type: String?
    var kv: EtcdKeyValue

    var isDeletion: Bool { type == "DELETE" }
}

/// An error, with a code of gRPC. In the response of a watch, the code has another name.
struct EtcdErrorReply: Decodable, Sendable {
    var message: String?
    var error: String?
    var code: Int?
    var grpcCode: Int?
}

extension JSONEncoder {
    static var etcd: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }
}

extension JSONDecoder {
    static var etcd: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
