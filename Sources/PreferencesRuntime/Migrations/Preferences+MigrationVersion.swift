/// The version of a store in which the migrations have found nothing to do.
///
/// It must not stay unnoted: the next start would run them over what the program has set since. But a store that nobody
/// has set anything in is not made by a read, so it goes with the first value that is set, in the same atomic change.
extension Preferences {
    /// Applies a batch to the store, together with the version if that is not noted yet.
    func apply(_ batch: PreferenceBatch) throws {
        // Nothing to remove is no reason to make a file, nor a folder for its lock, which `update` may.
        let recordsVersion = preparation.unrecordedVersion != nil && !batch.onlyRemoves
        try preparation.withObservation { observation in
            guard recordsVersion else { return try storeWriter.apply(batch, by: observation) }
            try storeWriter.update(by: observation) { current in withVersion(batch, current) }
        }
    }

    /// The batch that a store is to be given, with the version if that is not noted yet.
    func withVersion(
        _ batch: PreferenceBatch,
        _ current: (_ name: String) throws -> PreferenceValue?
    ) -> PreferenceBatch {
        guard let version = preparation.unrecordedVersion, !batch.onlyRemoves,
            let stored = try? MigrationRecord(reading: current, in: store, upTo: version).version
        else { return batch }
        if stored >= version {
            // By the change before this one, or by another process.
            preparation.noteVersionRecorded()
            return batch
        }
        var batch = batch
        batch[MigrationRecord.versionName] = .set(.int(Int64(version)))
        return batch
    }
}
