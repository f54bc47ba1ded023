import PreferencesCodeGen
import PreferencesSchema

/// A host file as text, with the operations on it.
struct HostText {
    var text: String

    init(_ text: String) {
        self.text = text
    }

    /// Returns the file with updated regions, and the diagnostics as they are printed.
    func updated(
        with wanted: [HostRegion] = [.weather],
        _ mode: HostUpdateOptions.Mode = .update
    ) -> (text: String, faults: [String]) {
        let file = HostFile(path: "Host.swift", bytes: Array(text.utf8))
        let options = HostUpdateOptions(mode: mode, command: "fix")
        let (bytes, diagnostics) = file.updated(with: wanted, of: ["Weather", "My Sea"], options)
        return (String(decoding: bytes, as: UTF8.self), diagnostics.map(\.description))
    }

    /// Returns the faults of the file, without writing.
    func faults(_ wanted: [HostRegion] = [.weather]) -> [String] {
        updated(with: wanted, .check).faults
    }
}

extension HostRegion {
    init(schema: String = "Weather", namespace: String, topLevel: [String], members: [String]) {
        self.init(
            host: "Host.swift",
            schema: schema,
            namespace: namespace,
            place: Place(source: 0, range: 0..<0),
            topLevelLines: topLevel,
            memberLines: members
        )
    }

    /// A region with indentation, an empty line, and a setter that differs in classes.
    static let weather = HostRegion(
        namespace: "weather",
        topLevel: ["extension W {", "    var a: Int { 1 }", "", "    var b: Int { 2 }", "}"],
        members: ["var a: Int {", "    get { 1 }", "    nonmutating set { use(newValue) }", "}"]
    )

    static let radar = HostRegion(namespace: "weather.radar", topLevel: ["let radar = 1"], members: ["let radar = 2"])

    static let sea = HostRegion(schema: "My Sea", namespace: "-", topLevel: ["let sea = 1"], members: ["let sea = 2"])
}
