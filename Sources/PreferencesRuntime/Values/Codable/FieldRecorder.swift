import PreferencesSystem

/// Records which fields of stored objects a type reads while it is created from a stored value, to find the fields that
/// it does not have.
///
/// No list of fields is necessary: decoding asks for each field of a type, whether it is stored or not. The coding of
/// generated structs does so, and that which the compiler synthesizes.
final class FieldRecorder: Sendable {
    /// The recorder of the conversion that runs in the task or thread; nil, except in ``Preferences/unrecognizedNames()``.
    @TaskLocal static var current: FieldRecorder?

    private struct State {
        /// The path of the value that is being created, in the form `.stations[2]`.
        var path: [String] = []
        var objects: [String: Object] = [:]
    }

    private struct Object {
        var stored: Set<String> = []
        var read: Set<String> = []
    }

    /// A field that is stored and not read.
    struct UnreadField: Hashable {
        /// The path of the field, in the form `.stations[2].nmae`.
        var path: String
        var name: String
        /// The fields that the type has read, and that are not stored.
        var missing: Set<String>

        static func == (first: Self, second: Self) -> Bool { first.path == second.path }

        func hash(into hasher: inout Hasher) { hasher.combine(path) }
    }

    /// A stored object whose fields are recorded.
    struct Location {
        fileprivate let recorder: FieldRecorder
        fileprivate let path: String

        /// Notes that the type has read a field.
        func noteRead(_ name: String) {
            recorder.state.withLock { _ = $0.objects[path]?.read.insert(name) }
        }
    }

    private let state = Locked(State())

    /// Calls a body that creates a part of the value.
    func within<Result>(_ parts: [any CodingKey], _ body: () throws -> Result) rethrows -> Result {
        state.withLock { $0.path += parts.map(Self.text) }
        defer { state.withLock { $0.path.removeLast(parts.count) } }
        return try body()
    }

    /// Returns the location of an object.
    ///
    /// - Parameters:
    ///   - names: The names of the stored fields.
    ///   - parts: The path of the object in the part that is being created.
    func location(ofObjectWith names: some Sequence<String>, at parts: [any CodingKey]) -> Location {
        state.withLock { state in
            let path = (state.path + parts.map(Self.text)).joined()
            state.objects[path, default: Object()].stored.formUnion(names)
            return Location(recorder: self, path: path)
        }
    }

    /// The fields that are stored and have not been read.
    var unreadFields: Set<UnreadField> {
        state.withLock { state in
            Set(
                state.objects.flatMap { path, object in
                    object.stored.subtracting(object.read).map { name in
                        UnreadField(
                            path: "\(path).\(name)",
                            name: name,
                            missing: object.read.subtracting(object.stored)
                        )
                    }
                }
            )
        }
    }

    private static func text(_ part: any CodingKey) -> String {
        part.intValue.map { "[\($0)]" } ?? ".\(part.stringValue)"
    }
}
