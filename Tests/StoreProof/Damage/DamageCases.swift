import Foundation
import PreferencesRuntime

/// Every damage, each met by a store that knew the file before and by one that does not.
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
        // Another writer is kept from a database, and may not write it piece by piece.
        if store.isDatabase { return cases }
        if !store.hasOnlyNumbers {
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

    /// The first hundred bytes of a database say how to read it.
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
        // As the store writes it itself.
        let url = folder.appending(component: "good-\(label)")
        do {
            let values = store.open(url, format: format)
            try values.commit(
                PreferenceBatch(SampleEntries.all(onlyNumbers: store.hasOnlyNumbers).mapValues { .set($0) })
            )
            try values.flush()
        }
        // Closed, as the log of a database is in it then.
        let good = try Data(contentsOf: url)
        return damages(good.count).enumerated().flatMap { index, damage in
            // Both for all that is not one of very many.
            let writers: [DamageCheck.Writer] =
                store.isDatabase
                ? [.alone] : form.isLong || index % 2 == 0 || !damage.group.hasPrefix("a") ? [.knowing, .new] : [.new]
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

    /// A file that somebody is writing just now.
    private func fresh() -> ProofCase {
        ProofCase(group: "half written just now", name: "left alone for half a second") { folder in
            try FreshDamageCheck(store: store).run(in: folder)
        }
    }
}
