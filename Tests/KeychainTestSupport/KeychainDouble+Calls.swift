import PreferencesSystem
import PreferencesRuntime
import PreferencesSecrets

extension KeychainDouble {
    static func found(_ item: Item, withData isWithData: Bool) -> KeychainItem {
        KeychainItem(
            account: item.account,
            data: isWithData ? item.contents.data : nil,
            generic: item.contents.generic,
            label: item.contents.label,
            comment: item.contents.comment,
            accessibility: item.contents.protection.accessibility
        )
    }

    func using<Value>(
        _ kind: String,
        _ query: KeychainQuery,
        _ body: (inout State) -> KeychainStatus,
        result: (State) -> Value?
    ) -> Result<Value, KeychainFailure> {
        let call = query.account.map { "\(kind) \($0)" } ?? kind
        if let event = state.withLock({ $0.events.removeValue(forKey: call) }) { event(self) }
        return state.withLock { state in
            state.calls.append(call)
            var status = state.fault ?? state.refusal(of: query)
            if status == nil, state.failures[call]?.isEmpty == false { status = state.failures[call]?.removeFirst() }
            let outcome = status ?? body(&state)
            guard outcome == .success, let value = result(state) else { return .failure(KeychainFailure(outcome)) }
            return .success(value)
        }
    }

    func using(
        _ kind: String,
        _ query: KeychainQuery,
        _ body: (inout State) -> KeychainStatus
    ) -> KeychainStatus {
        switch using(kind, query, body, result: { _ in () }) {
        case .success: .success
        case .failure(let failure): failure.status
        }
    }
}
