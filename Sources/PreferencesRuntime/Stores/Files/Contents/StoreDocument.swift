/// The entries of a document in one of the formats of ``FileStore``, for stores that have theirs from elsewhere.
package struct StoreDocument: Sendable {
    /// Why a document or one of its values cannot be read.
    package struct Fault: Error, Sendable, Hashable {
        /// In a sentence without a full stop, with the place where there is one.
        package let message: String
    }

    /// The values by name, or why one of them cannot be read.
    package let values: [String: Result<PreferenceValue, Fault>]

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - format: What it is written in. Of property lists, one is read in either format.
    /// - Throws: Where it is not in this format, or has no entries but is something else.
    package init(parsing bytes: [UInt8], as format: FileStore.Format) throws(Fault) {
        do {
            let contents = try format.contents.init(parsing: bytes)
            values = contents.names.reduce(into: [:]) { values, name in
                do {
                    values[name] = try contents.value(for: name).map { .success($0) }
                } catch {
                    values[name] = .failure(Fault(message: ErrorText(error).description))
                }
            }
        } catch let error as StoreFileSyntaxError {
            throw Fault(message: (error.place.map { "\($0): " } ?? "") + error.message)
        } catch {
            throw Fault(message: ErrorText(error).description)
        }
    }
}
