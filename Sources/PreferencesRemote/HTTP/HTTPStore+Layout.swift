extension HTTPStore {
    /// Which names a document gives.
    public enum Layout: Sendable, Hashable {
        /// An object is a dictionary, and a namespace as well: what is in it is read under its name, a colon and the name
        /// in it. So these two are the same:
        ///
        /// ```json
        /// {"weather-service:temperature": 21.5, "weather-service:limits": {"low": -10, "high": 40}}
        /// {"weather-service": {"temperature": 21.5, "limits": {"low": -10, "high": 40}}}
        /// ```
        ///
        /// Where two places give one name, the outer one counts: `"a:b"` of the document before `"b"` of its `"a"`. An object
        /// that has a value which cannot be read, as a number that is too large, cannot be read as a whole.
        case nested
        /// An object is a dictionary and nothing else: names stand in the document as they are.
        case flat
    }
}
