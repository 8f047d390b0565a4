import Synchronization

/// One hub of the namespace: its name, its keys, and its state behind a lock.
final class HubStore: Sendable {
    /// The hub's name as it was created.
    let name: String

    private let state: Mutex<HubState>
    /// Beside the state, so that a request that only brings a token does not wait for a send.
    private let verifier: Mutex<TokenVerifier?>

    init(name: String, description: HubDescription, limits: LocalHubLimits) {
        self.name = name
        state = Mutex(HubState(description: description, limits: limits))
        verifier = Mutex(description.verifier(skew: limits.clockSkew))
    }

    /// The verifier of tokens by the hub's own rules; nil when it has none.
    var keys: TokenVerifier? {
        verifier.withLock { $0 }
    }

    /// Changes the description and returns it; when the rules change, every token has to be proven again by the new keys.
    func describe(_ change: (inout HubDescription) -> Void) -> HubDescription {
        update { state in
            let rules = state.description.rules
            change(&state.description)
            let description = state.description
            if description.rules != rules {
                verifier.withLock { $0 = description.verifier(skew: state.limits.clockSkew) }
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
