import CampaignCore
import FoundationEssentials

extension RunLedger {
    /// Gives what is left of a run its outcome, as a stop wants it that ends the run for good.
    ///
    /// Repeating it does no harm, so that whoever comes next ends what a killed process had begun to end.
    ///
    /// - Parameters:
    ///   - run: which run; nobody else works on it.
    ///   - mode: what to leave of it.
    ///   - time: the present.
    /// - Throws: what the ledger throws.
    func endRemaining(_ run: RunID, by mode: StopMode, at time: Date) async throws {
        switch mode {
        case .resumable:
            return
        case .final:
            try await endRemaining(
                run, as: .notAttempted, detail: "ended by hubsend stop --final", at: time)
        case .revoking:
            try await revoke(run, at: time)
            try await endRemaining(
                run, as: .skipped, detail: SkipReason.revoked.rawValue, at: time)
        }
    }
}
