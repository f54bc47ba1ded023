extension Preferences {
    /// Reports key paths that cannot have been meant for a call: all of them together lead to no key, or one to a namespace.
    ///
    /// - Parameters:
    ///   - paths: The key paths.
    ///   - leadToKeys: Whether there is any key behind them.
    ///   - consequence: What becomes of the call.
    ///   - advice: What there is for namespaces instead.
    ///   - site: Where the call is, if that is known.
    func reportUnless(
        _ paths: [AnyKeyPath],
        leadToKeys: Bool,
        _ consequence: String,
        ofNamespace advice: String,
        site: (file: String, line: UInt)? = nil
    ) {
        if let path = paths.first(where: { type(of: $0).valueType is any PreferenceNamespace.Type }) {
            report(path, "leads to a namespace, not to a key", "\(consequence); \(advice)", site)
        } else if !leadToKeys, let path = paths.first {
            report(path, "leads to no key of these preferences", consequence, site)
        }
    }

    /// Reports a key path that does not lead to a whole key alone.
    func reportAsNotOneKey(_ path: AnyKeyPath, _ consequence: String) {
        report(path, "does not lead to one key, and to the whole of it", consequence)
    }

    private func report(
        _ path: AnyKeyPath,
        _ fault: String,
        _ consequence: String,
        _ site: (file: String, line: UInt)? = nil
    ) {
        let place = site.map { " at \($0.file):\($0.line)" } ?? ""
        let types = "from \(type(of: path).rootType) to \(type(of: path).valueType)"
        let message = "the key path \(types)\(place) \(fault): \(consequence)"
        reporter.report(PreferenceProblem(.notAKey, store: store.label, message: message))
    }
}
