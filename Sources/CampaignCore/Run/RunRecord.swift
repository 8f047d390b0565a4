#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package struct RunRecord: Hashable, Sendable {
    package var id: RunID
    package var campaign: String
    package var hub: HubIdentity
    package var occurrence: Occurrence
    package var isRehearsal: Bool
    package var state: RunState
    /// A full sentence.
    package var reason: String?
    /// Why a paused run is paused; nil if an older version paused it.
    package var pause: RunPause?
    /// When the next wave starts, if the run waits for it.
    package var resumes: Date?
    package var kind: CampaignKind
    /// The platforms in report order.
    package var platforms: [Platform]
    package var isMessagePrivate: Bool
    package var pushOptions: PushOptions
    /// The absolute path of the campaign file, for `resume`.
    package var campaignPath: String
    /// The delivery policy as of the last start or `resume`.
    package var delivery: DeliveryPolicy
    package var fingerprints: [String: String]
    package var counts: AudienceCounts
    package var requests: Int
    /// How many of the ``requests`` the run's fallbacks cover.
    package var fallbackRequests: Int
    package var started: Date
    package var finished: Date?
    package var expires: Date
    package var revoked: Date?
    package var plan: PlanID?
    /// When its deliveries were deleted; the totals are kept.
    package var deliveriesDeleted: Date?
    /// nil if an older version started it.
    package var starter: RunStarter?

    package init(
        id: RunID, campaign: String, hub: HubIdentity, occurrence: Occurrence, isRehearsal: Bool,
        state: RunState, reason: String? = nil, pause: RunPause? = nil,
        resumes: Date? = nil, kind: CampaignKind, platforms: [Platform],
        isMessagePrivate: Bool, pushOptions: PushOptions = PushOptions(), campaignPath: String,
        delivery: DeliveryPolicy,
        fingerprints: [String: String], counts: AudienceCounts = AudienceCounts(),
        requests: Int = 0, fallbackRequests: Int = 0, started: Date, finished: Date? = nil,
        expires: Date,
        revoked: Date? = nil, plan: PlanID? = nil, deliveriesDeleted: Date? = nil,
        starter: RunStarter? = nil
    ) {
        self.id = id
        self.campaign = campaign
        self.hub = hub
        self.occurrence = occurrence
        self.isRehearsal = isRehearsal
        self.state = state
        self.reason = reason
        self.pause = pause
        self.resumes = resumes
        self.kind = kind
        self.platforms = platforms
        self.isMessagePrivate = isMessagePrivate
        self.pushOptions = pushOptions
        self.campaignPath = campaignPath
        self.delivery = delivery
        self.fingerprints = fingerprints
        self.counts = counts
        self.requests = requests
        self.fallbackRequests = fallbackRequests
        self.started = started
        self.finished = finished
        self.expires = expires
        self.revoked = revoked
        self.plan = plan
        self.deliveriesDeleted = deliveriesDeleted
        self.starter = starter
    }

    package var recipients: Int { counts.final }
    package var deliveries: Int { counts.final * platforms.count }

    /// Top-level keys that have changed since staging, sorted; `delivery` may always change.
    ///
    /// The keys include `payload.file` if the file's content changed.
    package func changedKeys(in campaign: Campaign) -> [String] {
        Set(fingerprints.keys).union(campaign.fingerprints.keys).filter { key in
            let (before, now) = (fingerprints[key], campaign.fingerprints[key])
            guard key != "delivery", before != now else { return false }
            // Older versions did not store a fingerprint of the file, so a missing fingerprint is
            // ignored. If a file was added or removed, `payload` itself has changed.
            return key != Campaign.payloadFileKey || (before != nil && now != nil)
        }.sorted()
    }
}

package enum RunState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Nothing has been sent yet; after a crash, the run is staged again.
    case staging
    case running
    /// Waits for its next wave; the next `run` or `run --due` continues it.
    case waiting
    /// Interrupted by a crash, a signal or the hub; the next `run` continues it.
    case paused
    /// Stopped by `hubsend stop`; only `resume` continues it.
    case stopped
    case finished
}

/// Whether a paused run continues automatically.
package enum RunPause: String, CaseIterable, Hashable, Sendable {
    /// Paused after a signal, or because the hub is unreachable or throttles: `run --due` tries
    /// again.
    case passing
    /// There were too many failures. A person has to act first, as in all cases below.
    case person
    case credentials
    /// The endpoint is not a hub.
    case notAHub = "not_a_hub"
    /// The namespace has no hub with that name.
    case missingHub = "missing_hub"
}

/// How a run stops; a weaker request does not replace a stronger one.
package enum StopMode: Int, CaseIterable, Hashable, Sendable {
    /// `resume` can continue it.
    case resumable = 1
    /// Finished: deliveries without an outcome remain `not_attempted`.
    case final = 2
    /// Finished and revoked: deliveries without an outcome are `skipped`.
    case revoking = 3
}
