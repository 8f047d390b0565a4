package import CampaignCore

/// The people of a finished run that an audience includes or excludes.
package struct PeopleOfRun: Sendable {
    package let run: RunID
    private let selection: RunSelection
    private let ledger: any RunHistory

    /// The people of a campaign's last finished run; empty if no run is finished.
    ///
    /// - Parameter hasRests: instead, those of its last sending to all, and of those since to its
    ///   rest.
    package static func last(
        _ selection: RunSelection, hasRests: Bool, at hub: HubIdentity, in ledger: any RunHistory
    ) async throws -> [PeopleOfRun] {
        let name = selection.campaign
        let runs =
            hasRests
            ? try await ledger.lastFinishedWithRests(of: name, at: hub)
            : [try await ledger.lastFinished(of: name, at: hub)].compactMap(\.self)
        return runs.map { PeopleOfRun(run: $0.id, selection: selection, ledger: ledger) }
    }

    /// The latest run that is not finished, so that its people are not settled; usually nil.
    ///
    /// - Parameter name: the planned campaign; its own run may be being staged.
    package static func unsettled(
        _ selection: RunSelection, for name: String, at hub: HubIdentity, in ledger: any RunHistory
    ) async throws -> RunRecord? {
        try await ledger.unfinished(of: selection.campaign, at: hub)
            .first { $0.state != .staging || selection.campaign != name }
    }

    func walk() -> PeopleWalk<Username> {
        PeopleWalk(\.self) { [run, selection, ledger] in
            try await ledger.people(
                of: run, with: selection.outcomes, fetched: selection.fetched, after: $0,
                recipients: $1)
        }
    }

    /// They have no values and no language; a file that names them too supplies those.
    func member(_ username: Username) -> AudienceMember {
        AudienceMember(username: username, origin: selection.origin)
    }
}
