extension Preferences {
    /// Reports key paths that cannot have been meant for a call: all of them together lead to no key, or one to a namespace.
    ///
    /// - Parameters:
    ///   - paths: The key paths.
    ///   - entries: What is behind them.
    ///   - consequence: What becomes of the call.
    ///   - advice: What there is for namespaces instead.
    func reportUnless(
        _ paths: [AnyKeyPath],
        leadTo entries: Set<PreferenceEntry>,
        _ consequence: String,
        ofNamespace advice: String
    ) {
        if let path = paths.first(where: { type(of: $0).valueType is any PreferenceNamespace.Type }) {
            report(path, "leads to a namespace, not to a key", "\(consequence); \(advice)")
        } else if entries.isEmpty, let path = paths.first {
            report(path, "leads to no key of these preferences", consequence)
        }
    }

    /// Reports a key path that does not lead to a whole key alone.
    func reportAsNotOneKey(_ path: AnyKeyPath, _ consequence: String) {
        report(path, "does not lead to one key, and to the whole of it", consequence)
    }

    private func report(_ path: AnyKeyPath, _ fault: String, _ consequence: String) {
        let message =
            "the key path from \(type(of: path).rootType) to \(type(of: path).valueType) \(fault): \(consequence)"
        reporter.report(PreferenceProblem(.notAKey, store: store.label, message: message))
    }
}
