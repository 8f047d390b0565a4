#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Changes a run's state and delivery policy, and ends runs.
package protocol RunControl: Sendable {
    /// `reason` and `pause` are stored only with the state `paused`.
    func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws
    func setWaiting(_ run: RunID, until resumption: Date, at time: Date) async throws
    func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) async throws
    /// Requests a stop; a weaker request does not replace a stronger one.
    func requestStop(_ run: RunID, _ mode: StopMode) async throws
    /// Withdraws a stop request, for `resume`; a request that ends the run permanently remains.
    func clearStopRequest(_ run: RunID) async throws
    /// Ends every delivery that has no outcome; those that may have been sent become `unknown`.
    ///
    /// - Parameter reason: why the others are skipped, if `outcome` is `skipped`.
    func endRemaining(
        _ run: RunID, as outcome: Outcome, because reason: SkipReason?, detail: String,
        at time: Date
    ) async throws
    func revoke(_ run: RunID, at time: Date) async throws
    /// Records how many of a run's requests its fallbacks cover; a smaller number is ignored.
    func noteFallback(of run: RunID, requests: Int) async throws
}

extension RunControl {
    package func setState(
        _ state: RunState, reason: String?, of run: RunID, at time: Date
    ) async throws {
        try await setState(state, reason: reason, pause: nil, of: run, at: time)
    }
}
