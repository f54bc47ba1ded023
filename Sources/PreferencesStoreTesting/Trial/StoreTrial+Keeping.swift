import PreferencesRuntime

extension StoreTrial {
    /// What becomes of a value.
    private enum Fate {
        case kept
        case refused
        /// Either is right, as long as nothing in between is.
        case keptOrRefused
    }

    /// Checks that values are kept, here and in another store over the medium, and that those are refused which the
    /// store declares that it cannot keep.
    func expectKept(_ values: [String: PreferenceValue]) throws {
        let fates = Dictionary(uniqueKeysWithValues: values.map { ($0, fate(of: $1, under: $0)) })
        let kept = values.filter { fates[$0.key] == .kept }
        let holder = try change(kept.mapValues(PreferenceEdit.set))
        try expect(exactly: kept, in: holder)
        try expectInAnotherStore(exactly: kept)
        if isUnsupported(.writing) { return }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where fates[name] != .kept {
            try expectRefused(value, under: name, mayBeKept: fates[name] == .keptOrRefused)
        }
    }

    private func fate(of value: PreferenceValue, under name: String) -> Fate {
        let fates = [fate(of: value), fate(of: name)]
        if fates.contains(.refused) { return .refused }
        return fates.contains(.keptOrRefused) ? .keptOrRefused : .kept
    }

    private func fate(of value: PreferenceValue) -> Fate {
        if case .null = value { return isUnsupported(.null) ? .refused : .kept }
        if isUnsupported(.typedValues), !value.isText { return .refused }
        if isUnsupported(.largeValues), value.size >= StoreCheck.largeSize { return .refused }
        if value.depth > StoreCheck.keptDepth { return .keptOrRefused }
        return isUnsupported(.null) && value.containsNull ? .keptOrRefused : .kept
    }

    private func fate(of name: String) -> Fate {
        if isUnsupported(.emptyName), name.isEmpty { return .refused }
        if isUnsupported(.longNames), name.count >= StoreCheck.longNameLength { return .refused }
        if isUnsupported(.controlCharactersInNames) {
            if name.unicodeScalars.contains("\u{0}") { return .refused }
            if name.unicodeScalars.contains(where: \.isUnusualInNames) { return .keptOrRefused }
        }
        return .kept
    }
}

extension Unicode.Scalar {
    /// Whether a store that lacks control characters in names need not have this one: formats that are text leave out
    /// more than NUL, and not all the same.
    fileprivate var isUnusualInNames: Bool {
        properties.generalCategory == .control || properties.isNoncharacterCodePoint || self == "\u{FEFF}"
    }
}
