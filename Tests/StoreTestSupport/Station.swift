package import Foundation
import PreferencesRuntime

/// A value with all that coding has to keep, nested.
package struct Station: Codable, Hashable, PreferenceConvertible {
    package struct Sensor: Codable, Hashable {
        package var id: UUID
        package var calibration: Data
        package var offset: Float?
        package var interval: Duration

        package init(id: UUID, calibration: Data, offset: Float?, interval: Duration) {
            self.id = id
            self.calibration = calibration
            self.offset = offset
            self.interval = interval
        }
    }

    package var name: String
    package var height: Double
    package var serial: UInt64
    package var opened: Date
    package var page: URL
    package var tags: Set<String>
    package var sensors: [Sensor]
    package var neighbours: [String: Int]

    package static let oslo = Station(
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
