import Synchronization

/// One hub of the namespace: its name, its keys, and its state behind a lock.
final class HubStore: Sendable {
    /// The hub's name as it was created.
    let name: String

    private let state: Mutex<HubState>
    /// Beside the state, so that a request that only brings a token does not wait for a send.
    private let verifier: Mutex<TokenVerifier?>

    /// Makes an empty hub.
    ///
    /// - Parameters:
    ///   - name: the hub's name.
    ///   - description: what its creator says about it.
    ///   - limits: how much to keep.
    init(name: String, description: HubDescription, limits: LocalHubLimits) {
        self.name = name
        state = Mutex(HubState(description: description, limits: limits))
        verifier = Mutex(description.verifier(skew: limits.clockSkew))
    }

    /// What checks tokens against the hub's own rules; nil when it has none.
    var keys: TokenVerifier? {
        verifier.withLock { $0 }
    }

    /// Changes the description; where the rules change, tokens of its keys are good only if they
    /// can be proven afresh.
    ///
    /// - Parameter change: the change.
    /// - Returns: the description now.
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
    /// - Parameter work: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; changes that it made until then stay.
    func update<Value: Sendable, Failure: Error>(
        _ work: (inout HubState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try work(&state) }
    }
}
