import Synchronization

/// One hub of the namespace: its name, its keys, and its state behind a lock.
final class HubStore: Sendable {
    let name: String

    private let state: Mutex<HubState>
    private let namespaceRules: [LocalHubRule]
    /// It has a separate lock, so that checking a token does not wait for a send.
    private let ownVerifier: Mutex<TokenVerifier?>

    init(
        name: String, description: HubDescription, namespaceRules: [LocalHubRule] = [],
        limits: LocalHubLimits
    ) {
        self.name = name
        self.namespaceRules = namespaceRules
        state = Mutex(HubState(description: description, limits: limits))
        ownVerifier = Mutex(
            description.verifier(beside: namespaceRules, skew: limits.clockSkew))
    }

    /// Checks tokens against the rules of the hub; nil if it has none.
    var verifier: TokenVerifier? {
        ownVerifier.withLock { $0 }
    }

    /// Changes and returns the description; if the rules change, drops all cached tokens.
    func describe(_ change: (inout HubDescription) -> Void) -> HubDescription {
        update { state in
            let rules = state.description.rules
            change(&state.description)
            let description = state.description
            if description.rules != rules {
                ownVerifier.withLock {
                    $0 = description.verifier(beside: namespaceRules, skew: state.limits.clockSkew)
                }
            }
            return description
        }
    }

    /// Reads or changes the state under the lock; if the closure throws, changes made before the
    /// error are kept.
    func update<Value: Sendable, Failure: Error>(
        _ work: (inout HubState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try work(&state) }
    }
}
