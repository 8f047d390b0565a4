package import CampaignCore

/// The people of a finished run that an audience includes or excludes.
package struct PeopleOfRun: Sendable {
    private static let batch = 5_000

    package let run: RunID
    private let selection: RunSelection
    private let ledger: any RunHistory

    /// The people of a campaign's last finished run; nil if no run is finished.
    package static func last(
        _ selection: RunSelection, at hub: HubIdentity, in ledger: any RunHistory
    ) async throws -> PeopleOfRun? {
        try await Sendings(of: selection.campaign, at: hub, in: ledger).lastFinished.map {
            PeopleOfRun(run: $0.id, selection: selection, ledger: ledger)
        }
    }

    /// The people of a campaign's last finished sending to all, and of those since to its rest.
    package static func all(
        _ selection: RunSelection, at hub: HubIdentity, in ledger: any RunHistory
    ) async throws -> [PeopleOfRun] {
        try await Sendings(of: selection.campaign, at: hub, in: ledger).lastFinishedWithRests.map {
            PeopleOfRun(run: $0.id, selection: selection, ledger: ledger)
        }
    }

    /// The latest run that is not finished, so that its people are not settled; usually nil.
    ///
    /// - Parameter name: the planned campaign; its own run may be being staged.
    package static func unsettled(
        _ selection: RunSelection, for name: String, at hub: HubIdentity, in ledger: any RunHistory
    ) async throws -> RunRecord? {
        try await Sendings(of: selection.campaign, at: hub, in: ledger).unfinished
            .first { $0.state != .staging || selection.campaign != name }
    }

    /// Hands the people over in name order, a few thousand at a time.
    ///
    /// They have no values and no language; a file that names them too supplies those.
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
