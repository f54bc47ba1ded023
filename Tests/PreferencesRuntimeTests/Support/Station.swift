import Foundation
import PreferencesRuntime

/// A value with all that coding has to keep, nested.
struct Station: Codable, Hashable, PreferenceConvertible {
    struct Sensor: Codable, Hashable {
        var id: UUID
        var calibration: Data
        var offset: Float?
        var interval: Duration
    }

    var name: String
    var height: Double
    var serial: UInt64
    var opened: Date
    var page: URL
    var tags: Set<String>
    var sensors: [Sensor]
    var neighbours: [String: Int]

    static let oslo = Station(
        name: "Blindern",
        height: 94,
        serial: .max,
        opened: Date(timeIntervalSinceReferenceDate: -2_019_686_400.123),
        page: URL(string: "https://example.org/blindern?a=b#c")!,
        tags: ["urban", "north", "old"],
        sensors: [
            Sensor(
                id: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!,
                calibration: Data([0, 1, 255]),
                offset: 123.1,
                interval: .milliseconds(1500)
            ),
            Sensor(
                id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!,
                calibration: Data(),
                offset: nil,
                interval: .seconds(60)
            ),
        ],
        neighbours: ["Tryvann": 514, "Alna": 90]
    )
}
