import PreferencesCodeGen
import PreferencesSchema

/// A host file as text, and what is done with it.
struct HostText {
    var text: String

    init(_ text: String) {
        self.text = text
    }

    /// The file after its regions were brought up to date, and what was wrong, as it is printed.
    func updated(
        with wanted: [HostRegion] = [.weather],
        _ mode: HostMending.Mode = .update
    ) -> (text: String, faults: [String]) {
        let file = HostFile(path: "Host.swift", bytes: Array(text.utf8))
        let mending = HostMending(mode: mode, command: "mend")
        let (bytes, diagnostics) = file.updated(with: wanted, of: ["Weather", "My Sea"], mending)
        return (String(decoding: bytes, as: UTF8.self), diagnostics.map(\.description))
    }

    /// What is wrong with the file where nothing is written.
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

    /// With a level of indentation, an empty line, and a setter that a class has differently.
    static let weather = HostRegion(
        namespace: "weather",
        topLevel: ["extension W {", "    var a: Int { 1 }", "", "    var b: Int { 2 }", "}"],
        members: ["var a: Int {", "    get { 1 }", "    nonmutating set { use(newValue) }", "}"]
    )

    static let radar = HostRegion(namespace: "weather.radar", topLevel: ["let radar = 1"], members: ["let radar = 2"])

    static let sea = HostRegion(schema: "My Sea", namespace: "-", topLevel: ["let sea = 1"], members: ["let sea = 2"])
}
