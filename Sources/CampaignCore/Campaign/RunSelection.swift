/// People of a campaign's last finished run whom another audience names (contract, section 3: `audience.runs`).
package struct RunSelection: Hashable, Sendable {
    /// The campaign's name.
    package let campaign: String
    /// Only people with a delivery that ended in one of these ways; nil: all whom the run was for.
    package let outcomes: Set<Outcome>?
    /// Only people who fetched the payload, or only those who did not; nil: both.
    package let fetched: Bool?
    /// Where the campaign file names them, which is where a fault about one of them stands.
    package let origin: AudienceOrigin

    package init(
        campaign: String, outcomes: Set<Outcome>? = nil, fetched: Bool? = nil,
        origin: AudienceOrigin
    ) {
        self.campaign = campaign
        self.outcomes = outcomes
        self.fetched = fetched
        self.origin = origin
    }
}
