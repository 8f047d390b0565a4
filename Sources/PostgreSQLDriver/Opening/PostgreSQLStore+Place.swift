import Storage

extension PostgreSQLStore {
    package func watchPlace(onReplaced: @Sendable (any Error) -> Void) async {
        await watchPlace(every: .seconds(2), onReplaced: onReplaced)
    }

    /// Checks now and then whether the store is still the one that was opened, until it is not or
    /// the task is cancelled.
    ///
    /// `onReplaced` gets ``StoreError/replaced(_:)``, or ``StoreError/newerVersion(_:)`` after an
    /// incompatible migration. An outage may pass, and is reported to those who use the store.
    func watchPlace(
        every interval: Duration, clock: any Clock<Duration> = ContinuousClock(),
        onReplaced: @Sendable (any Error) -> Void
    ) async {
        while true {
            do {
                try await clock.sleep(for: interval)
            } catch {
                return  // Cancelled.
            }
            if let fault = await placeFault() { return onReplaced(fault) }
        }
    }

    /// nil: it is still this store, or nobody can say.
    func placeFault() async -> StoreError? {
        let version: StoreVersion
        do {
            version = try await read { db in try StoreVersion(of: db) }
        } catch {
            // Another program's tables have its names, or the store is incomplete.
            if case .notAStore? = error as? StoreError { return .replaced(place) }
            return nil
        }
        return switch version {
        case .current(identity): nil
        case .newer: .newerVersion(place)
        case .incomplete: .incomplete(place)
        default: .replaced(place)
        }
    }
}
