import Synchronization

/// One hub of the namespace: its name, its keys, and its state behind a lock.
final class HubStore: Sendable {
    let name: String

    private let state: Mutex<HubState>
    private let namespaceRules: [LocalHubRule]
    /// Separate from the state, so that checking a token does not wait for a send.
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

    /// Nil if the hub has no rules of its own.
    var verifier: TokenVerifier? {
        ownVerifier.withLock { $0 }
    }

    /// Changes the description and returns it; if the rules change, all cached tokens are dropped.
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

    /// Reads or changes the state while all other requests wait; changes made before an error are
    /// kept.
    func update<Value: Sendable, Failure: Error>(
        _ work: (inout HubState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try work(&state) }
    }
}
