import Storage

extension PostgreSQLStore {
    package func watchPlace(onReplaced: @Sendable (any Error) -> Void) async {
        await watchPlace(every: .seconds(2), onReplaced: onReplaced)
    }

    /// Looks every now and then whether the store is still the one that was opened, until it is not or the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: how often it looks.
    ///   - clock: what it waits by.
    ///   - onReplaced: gets ``StoreError/replaced(_:)``, or ``StoreError/newerVersion(_:)`` when it was migrated further than this
    ///     program can go along with. That the server cannot be reached may pass, and who needs the store is told of it.
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

    /// Why this is not the store any more that was opened; nil: it is, or nobody can say.
    func placeFault() async -> StoreError? {
        let version: StoreVersion
        do {
            version = try await read { db in try StoreVersion(of: db) }
        } catch {
            // Tables of another program bear its names, or what stands there is half of a store.
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
