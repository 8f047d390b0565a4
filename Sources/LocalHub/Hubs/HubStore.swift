import Synchronization

/// One hub of the namespace: its name, and its state behind a lock.
final class HubStore: Sendable {
    /// The hub's name as it was created.
    let name: String

    private let state: Mutex<HubState>

    /// Makes an empty hub.
    ///
    /// - Parameters:
    ///   - name: the hub's name.
    ///   - description: what its creator says about it.
    ///   - limits: how much to keep.
    init(name: String, description: HubDescription, limits: LocalHubLimits) {
        self.name = name
        state = Mutex(HubState(description: description, limits: limits))
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
