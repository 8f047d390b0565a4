import Synchronization

/// One hub of the namespace: its name, its keys, and its state behind a lock.
final class HubStore: Sendable {
    /// The hub's name as it was created.
    let name: String

    private let state: Mutex<HubState>
    private let namespaceRules: [LocalHubRule]
    /// Beside the state, so that a request that only brings a token does not wait for a send.
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

    /// Checks tokens by the namespace's rules and the hub's own; nil when it has no rules of its own.
    var verifier: TokenVerifier? {
        ownVerifier.withLock { $0 }
    }

    /// Changes the description and returns it; when the rules change, every token has to be proven again by the new keys.
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

    /// Looks at or changes the state; every other request waits, so the work is short.
    ///
    /// What the work has changed before it throws stays changed.
    func update<Value: Sendable, Failure: Error>(
        _ work: (inout HubState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try work(&state) }
    }
}
