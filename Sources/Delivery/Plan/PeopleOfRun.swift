package import CampaignCore

/// The people of a finished run that an audience includes or excludes.
package struct PeopleOfRun: Sendable {
    package let run: RunID
    private let selection: RunSelection
    private let ledger: any RunHistory

    /// The people of a campaign's last finished run; empty if none has finished.
    ///
    /// - Parameter hasFollowUps: if true, returns the people of its last full sending and of all
    ///   follow-up runs since.
    package static func last(
        _ selection: RunSelection, hasFollowUps: Bool, at hub: HubIdentity,
        in ledger: any RunHistory
    ) async throws -> [PeopleOfRun] {
        let name = selection.campaign
        let runs =
            hasFollowUps
            ? try await ledger.lastFinishedWithFollowUps(of: name, at: hub)
            : [try await ledger.lastFinished(of: name, at: hub)].compactMap(\.self)
        return runs.map { PeopleOfRun(run: $0.id, selection: selection, ledger: ledger) }
    }

    /// The latest unfinished run, whose people are not final yet; usually nil.
    ///
    /// - Parameter name: the campaign being planned, whose run may be in staging.
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

    /// A member without values or a language; if a file also lists the person, they come from the
    /// file.
    func member(_ username: Username) -> AudienceMember {
        AudienceMember(username: username, origin: selection.origin)
    }
}
