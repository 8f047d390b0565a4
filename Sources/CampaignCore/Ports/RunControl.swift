#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Changes a run's state and policy, and ends it.
package protocol RunControl: Sendable {
    /// `reason` and `pause` are kept with `paused` only.
    func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws
    func setWaiting(_ run: RunID, until resumption: Date, at time: Date) async throws
    func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) async throws
    /// Asks for a stop; a weaker request does not replace a stronger one.
    func requestStop(_ run: RunID, _ mode: StopMode) async throws
    /// Withdraws a request to stop, for `resume`; one that ends the run for good is kept.
    func clearStopRequest(_ run: RunID) async throws
    /// Ends every delivery without an outcome; those that may have gone out become `unknown`.
    ///
    /// - Parameter reason: why the others are skipped, if they are.
    func endRemaining(
        _ run: RunID, as outcome: Outcome, because reason: SkipReason?, detail: String,
        at time: Date
    ) async throws
    func revoke(_ run: RunID, at time: Date) async throws
    /// Notes how many of a run's requests its fallbacks have covered; a smaller number is ignored.
    func noteFallback(of run: RunID, requests: Int) async throws
}

extension RunControl {
    package func setState(
        _ state: RunState, reason: String?, of run: RunID, at time: Date
    ) async throws {
        try await setState(state, reason: reason, pause: nil, of: run, at: time)
    }
}
