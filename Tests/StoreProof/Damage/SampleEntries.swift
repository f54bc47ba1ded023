import Foundation
import PreferencesRuntime

/// What a file holds before it is damaged: some forty entries of all kinds, as an app has them.
enum SampleEntries {
    /// Is to be served as long as the file cannot be read.
    static let kept = (name: "weather-service:launchCount", value: PreferenceValue.int(1_234))

    static func all(onlyNumbers: Bool) -> [String: PreferenceValue] {
        var entries = [kept.name: kept.value]
        for number in 0..<14 { entries["window:column-\(number)"] = .int(Int64(number * 17)) }
        if onlyNumbers { return entries }
        entries["weather-service:city"] = "Tromsø 🌦"
        entries["weather-service:note"] = "two lines\nand \"quotes\" \\ \u{1}"
        entries["weather-service:token"] = .data(Data((0..<40).map { UInt8($0 * 6) }))
        entries["weather-service:updated"] = .date(Date(timeIntervalSince1970: 1_790_000_000.5))
        entries["weather-service:stations"] = ["Blindern", "Tryvann", ["inner": [1, 2.5, true]]]
        entries["weather-service:limits"] = ["low": -40, "high": 1e300, "steps": []]
        entries["weather-service:empty"] = ""
        entries["weather-service:none"] = .null
        entries["weather-service:largest"] = .unsignedInt(.max)
        entries["weather-service:least"] = .int(.min)
        for number in 0..<8 {
            entries["flags:\(number)"] = .bool(number % 2 == 0)
            entries["scale:\(number)"] = .double(Double(number) * 0.1)
        }
        return entries
    }
}
