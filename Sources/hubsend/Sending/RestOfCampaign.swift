import CampaignCore
import Delivery

/// Finds whom `run --again --only` is for.
enum RestOfCampaign {
    /// The rest of the last finished run of a campaign.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - outcomes: the ways in which its deliveries ended.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept; nil: there is no store.
    /// - Returns: the rest, which may be nobody.
    /// - Throws: ``CommandFailure`` when no run is finished.
    static func find(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: (any RunLedger)?
    ) async throws -> RestOfRun {
        guard let ledger,
            let last = try await CampaignRunner.lastFinishedRun(of: campaign, at: hub, in: ledger)
        else {
            throw CommandFailure(
                .configuration,
                """
                No run of campaign \(campaign) on hub \(hub) is finished, so nobody is left of one; \
                `hubsend runs` lists them. Leave --again and --only out to send it or to go on with it.
                """)
        }
        return RestOfRun(of: last.id, outcomes: outcomes, in: ledger)
    }
}
