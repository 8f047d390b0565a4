package import CampaignCore

/// The people of a finished run whom the audience of a campaign names, or leaves out.
package struct PeopleOfRun: Sendable {
    private static let batch = 5_000

    /// The run.
    package let run: RunID
    private let selection: RunSelection
    private let ledger: any RunLedger

    /// The people of the last finished run of a campaign; rehearsals do not count.
    ///
    /// - Parameters:
    ///   - selection: the campaign, and whom of its people.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept; it is only read.
    /// - Returns: the people, who may be nobody; nil when no run is finished.
    /// - Throws: what the ledger throws.
    package static func last(
        _ selection: RunSelection, at hub: HubIdentity, in ledger: any RunLedger
    ) async throws -> PeopleOfRun? {
        try await Sendings(of: selection.campaign, at: hub, in: ledger).lastFinished.map {
            PeopleOfRun(run: $0.id, selection: selection, ledger: ledger)
        }
    }

    /// The run of a campaign that is newer than its last finished one, so that its people are not settled yet; usually nil.
    ///
    /// - Parameters:
    ///   - selection: the campaign.
    ///   - name: the campaign that is planned; its own run may be staged at this moment.
    package static func unsettled(
        _ selection: RunSelection, for name: String, at hub: HubIdentity, in ledger: any RunLedger
    ) async throws -> RunRecord? {
        let latest = try await Sendings(of: selection.campaign, at: hub, in: ledger).newest
        guard let latest, latest.state != .finished else { return nil }
        return latest.state == .staging && selection.campaign == name ? nil : latest
    }

    private init(run: RunID, selection: RunSelection, ledger: any RunLedger) {
        self.run = run
        self.selection = selection
        self.ledger = ledger
    }

    /// Hands the people over, in name order and a few thousand at a time.
    ///
    /// They have no values and no language: a file that names them too gives them theirs, wherever it stands.
    func forEachPage(_ visit: ([AudienceMember]) async throws -> Void) async throws {
        var number = 0
        while true {
            try Task.checkCancellation()
            let page = try await ledger.people(
                of: run, with: selection.outcomes, fetched: selection.fetched, after: number,
                recipients: Self.batch)
            if !page.people.isEmpty {
                try await visit(
                    page.people.map { AudienceMember(username: $0, origin: selection.origin) })
            }
            guard let last = page.last else { return }
            number = last
        }
    }
}
