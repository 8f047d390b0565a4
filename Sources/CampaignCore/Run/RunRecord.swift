#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A run as the store holds it.
package struct RunRecord: Hashable, Sendable {
    package var id: RunID
    package var campaign: String
    package var hub: HubIdentity
    package var occurrence: Occurrence
    package var isRehearsal: Bool
    package var state: RunState
    /// Why it is paused, as a sentence; nil otherwise.
    package var reason: String?
    /// Whether it goes on by itself when it is paused; nil otherwise, and where an older version paused it.
    package var pause: RunPause?
    /// When its next wave begins, where it waits for that; nil otherwise.
    package var resumes: Date?
    package var kind: CampaignKind
    /// In the order in which the report lists them.
    package var platforms: [Platform]
    /// Whether title and message stay out of the push.
    package var isMessagePrivate: Bool
    package var pushOptions: PushOptions
    /// The campaign file, for `resume`; absolute.
    package var campaignPath: String
    /// As of the last start or continuation.
    package var delivery: DeliveryPolicy
    package var fingerprints: [String: String]
    package var counts: AudienceCounts
    /// Hub requests made so far.
    package var requests: Int
    /// How many of ``requests`` its fallbacks have seen to: who was reached by these has had one, or needs none.
    package var fallbackRequests: Int
    package var started: Date
    package var finished: Date?
    /// When its notifications expire.
    package var expires: Date
    /// When all its payloads were taken back; nil: they were not.
    package var revoked: Date?
    /// The plan that it was begun by; nil: none.
    package var plan: PlanID?
    /// When its deliveries were deleted, of which sums stay; nil: they are there.
    package var deliveriesDeleted: Date?
    /// nil: an older version began it.
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
    /// One for each recipient on each platform.
    package var deliveries: Int { counts.final * platforms.count }

    /// The top-level keys of the campaign file that were changed since the run was staged, in order, with `payload.file` when
    /// the payload's file has another content; `delivery` may always change.
    ///
    /// - Parameter campaign: the file as it is now.
    package func changedKeys(in campaign: Campaign) -> [String] {
        Set(fingerprints.keys).union(campaign.fingerprints.keys).filter { key in
            let (before, now) = (fingerprints[key], campaign.fingerprints[key])
            guard key != "delivery", before != now else { return false }
            // A run of a version that took no fingerprint of the file tells nothing about it, and where the file came or went,
            // `payload` was changed.
            return key != Campaign.payloadFileKey || (before != nil && now != nil)
        }.sorted()
    }
}

/// Where a run stands (contract, section 7).
package enum RunState: String, CaseIterable, Hashable, Sendable, Codable {
    /// The audience is being written down; nothing was sent. Staged again after a crash.
    case staging
    case running
    /// All that was due is done, and later waves are not due yet: the next `run` or `run --due` then continues.
    case waiting
    /// Ended by a crash, a signal or the hub; the next `run` continues.
    case paused
    /// Ended by `hubsend stop`; only `resume` continues.
    case stopped
    case finished
}

/// Whether a run that is paused goes on by itself (contract, section 13).
package enum RunPause: String, CaseIterable, Hashable, Sendable {
    /// A signal ended the work, or a hub that could not be reached or asked for patience: `run --due` tries again.
    case passing
    /// The credentials were wrong, a server was not a hub, or too many pushes failed: somebody has to look at it first.
    case person
    /// The namespace has no hub of that name: somebody has to look at it first.
    case missingHub = "missing_hub"
}

/// What a stop leaves of a run; a weaker request does not replace a stronger one.
package enum StopMode: Int, CaseIterable, Hashable, Sendable {
    /// `resume` can continue it.
    case resumable = 1
    /// It is finished: what has no outcome stays `not_attempted` for good.
    case final = 2
    /// It is finished, and its payloads are taken back: what has no outcome is `skipped` as revoked.
    case revoking = 3
}
