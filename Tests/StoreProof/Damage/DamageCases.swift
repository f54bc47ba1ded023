import Foundation
import PreferencesRuntime

/// All kinds of damage, each for a store that has read the file before and for a new one.
struct DamageCases {
    private let store: ProvenStore
    private let form: CaseForm

    init(_ store: ProvenStore, _ form: CaseForm) {
        self.store = store
        self.form = form
    }

    func all(in folder: URL) throws -> [ProofCase] {
        let label = store.isDatabase ? "a database" : "a JSON file"
        var cases = try cases(.json, label, folder) { size in
            Damage.truncations(of: label, count: size, step: form.isLong ? 1 : size / 120)
                + Damage.flips(of: label, count: form.isLong ? 2_000 : 150, in: size, seed: form.seed)
                + headerFlips + Damage.replacements(seed: form.seed) + Damage.encodings + Damage.otherThings
        }
        // No other program can write a database at the same time.
        if store.isDatabase { return cases }
        if !store.storesOnlyNumbers {
            for (format, label) in [
                (FileStore.Format.xmlPropertyList, "an XML property list"),
                (.binaryPropertyList, "a binary property list"),
            ] {
                cases += try self.cases(format, label, folder) { size in
                    Damage.truncations(of: label, count: size, step: form.isLong ? 1 : 61)
                        + Damage.flips(of: label, count: form.isLong ? 2_000 : 60, in: size, seed: form.seed)
                        + Damage.replacements(seed: form.seed) + Damage.otherThings
                }
            }
        }
        return cases + [fresh()]
    }

    /// Flipped bits in a database's header of a hundred bytes.
    private var headerFlips: [Damage] {
        guard store.isDatabase else { return [] }
        return Damage.flips(of: "a database's header", count: form.isLong ? 800 : 80, in: 100, seed: form.seed)
    }

    private func cases(
        _ format: FileStore.Format,
        _ label: String,
        _ folder: URL,
        _ damages: (_ size: Int) -> [Damage]
    ) throws -> [ProofCase] {
        // The store writes the file itself.
        let url = folder.appending(component: "good-\(label)")
        do {
            let values = store.open(url, format: format)
            try values.commit(
                PreferenceBatch(SampleEntries.all(onlyNumbers: store.storesOnlyNumbers).mapValues { .set($0) })
            )
            try values.flush()
        }
        // The store is released, which moves a database's log into the database.
        let good = try Data(contentsOf: url)
        return damages(good.count).enumerated().flatMap { index, damage in
            // Every second truncation and flip has only one writer.
            let writers: [DamageCheck.Writer] =
                store.isDatabase
                ? [.noReader]
                : form.isLong || index % 2 == 0 || !damage.group.hasPrefix("a") ? [.reader, .new] : [.new]
            return writers.map { writer in
                ProofCase(group: damage.group, name: "\(damage.name), \(label), \(writer.rawValue)") { folder in
                    try DamageCheck(
                        store: store,
                        format: format,
                        good: good,
                        writer: writer,
                        updates: index % 2 == 0
                    ).run(damage, in: folder)
                }
            }
        }
    }

    /// A file that another program is writing.
    private func fresh() -> ProofCase {
        ProofCase(group: "half written just now", name: "left alone for half a second") { folder in
            try FreshDamageCheck(store: store).run(in: folder)
        }
    }
}

/// The contents of a file before the damage: about forty entries of all types.
enum SampleEntries {
    /// An entry that must be readable while the file is not.
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
