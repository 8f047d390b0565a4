package import CampaignCore

/// What is asked of a run.
package struct RunRequest: Sendable {
    /// Which sending of the campaign it is.
    package enum Mode: Hashable, Sendable {
        /// The one of this occurrence: continued when it is there, begun when not, never sent twice.
        case occurrence(Occurrence)
        /// One more; or the one of this kind that is not finished yet, so that a rerun does no harm. Of a campaign that was never
        /// sent it is the occurrence `once`. Refused while a run of another kind is not finished.
        case again
        /// One more, to those whom the campaign's last finished run left in one of these ways; or the one of this kind that is not
        /// finished yet. Refused as ``again`` is.
        case rest(Set<Outcome>)
        /// To a few people, as no occurrence.
        case rehearsal
    }

    package var campaign: Campaign
    package var hub: HubIdentity
    package var mode: Mode
    /// The campaign file, absolute.
    package var campaignPath: String

    package init(
        campaign: Campaign, hub: HubIdentity, mode: Mode = .occurrence(.once), campaignPath: String
    ) {
        self.campaign = campaign
        self.hub = hub
        self.mode = mode
        self.campaignPath = campaignPath
    }
}
