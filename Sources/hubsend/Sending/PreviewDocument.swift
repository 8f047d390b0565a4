import CampaignCore
import Delivery
import Foundation

/// What `preview --format json` prints (contract, section 11), and what its text is made from.
struct PreviewDocument: Encodable {
    struct Recipients: Encodable {
        let named: Int
        let duplicate: Int
        let excluded: Int
        let final: Int
    }

    struct Request: Encodable {
        let platform: String
        let method: String
        let url: String
        let headers: [String: String]
        let body: String
        /// The worst case over the audience.
        let bytes: Int
        let limit: Int
    }

    /// What a run would do now.
    struct Outlook: Encodable {
        enum Action: String, Encodable {
            case begin, proceed = "continue", nothing, refuse, unknown
        }

        /// Why it cannot be told.
        enum Gap {
            /// The hub's name or address is a secret that has to be fetched, or is missing.
            case noHub
            /// The store has to be brought up to date first, which a preview must not do.
            case olderStore
        }

        let action: Action
        /// The run that is there already.
        var run: RunRecord?
        /// Deliveries that it would turn to; nil: not known.
        var deliveries: Int?
        /// How many of them the frequency cap would skip now; nil: there is no cap, or it is not known.
        var capped: Int?
        var gap: Gap?

        private enum CodingKeys: String, CodingKey {
            case action, run, state, deliveries, capped
        }

        /// Where nothing was ever sent.
        init(_ plan: CampaignPlan) {
            action = .begin
            deliveries = plan.deliveries
        }

        init(_ forecast: RunForecast, inStoreAt path: String) {
            switch forecast.step {
            case .begin: action = .begin
            case .proceed(let run):
                action = .proceed
                self.run = run.standing(inStoreAt: path)
            case .leaveFinished(let run):
                action = .nothing
                self.run = run
            case .refuseStopped(let run), .refuseUnfinished(let run):
                action = .refuse
                self.run = run.standing(inStoreAt: path)
            }
            deliveries = forecast.deliveries
            capped = forecast.capped
        }

        private init(gap: Gap) {
            action = .unknown
            self.gap = gap
        }

        static func unknown(because gap: Gap) -> Outlook { Outlook(gap: gap) }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: CodingKeys.self)
            try object.encode(action, forKey: .action)
            try object.encode(run?.id.text, forKey: .run)
            try object.encode(run?.state.rawValue, forKey: .state)
            try object.encode(deliveries, forKey: .deliveries)
            try object.encode(capped, forKey: .capped)
        }
    }

    let campaign: String
    let kind: String
    let recipients: Recipients
    let deliveries: Int
    let requests: Int
    /// nil when the rate is unlimited.
    let seconds: Double?
    let platforms: [Request]
    let now: Outlook

    private enum CodingKeys: String, CodingKey {
        case campaign, kind, recipients, deliveries, requests, seconds, platforms, now
    }

    init(
        _ campaign: Campaign, _ plan: CampaignPlan, now: Outlook, describer: any PushDescriber
    ) {
        self.now = now
        self.campaign = campaign.name
        kind = campaign.kind.rawValue
        recipients = Recipients(
            named: plan.counts.named, duplicate: plan.counts.duplicate,
            excluded: plan.counts.excluded, final: plan.counts.final)
        deliveries = plan.deliveries
        requests = plan.requests
        seconds = plan.duration.map { $0 / .seconds(1) }
        platforms = plan.platforms.compactMap { platform in
            platform.sample.flatMap(describer.describe).map { Request(platform, $0) }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(campaign, forKey: .campaign)
        try object.encode(kind, forKey: .kind)
        try object.encode(recipients, forKey: .recipients)
        try object.encode(deliveries, forKey: .deliveries)
        try object.encode(requests, forKey: .requests)
        try object.encode(seconds, forKey: .seconds)
        try object.encode(platforms, forKey: .platforms)
        try object.encode(now, forKey: .now)
    }

    /// The document as JSON that people can read too.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return VisibleText.json(String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
    }
}

extension PreviewDocument.Request {
    init(_ plan: PlatformPlan, _ request: PushRequest) {
        platform = plan.platform.rawValue
        method = request.method
        url = request.url
        headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
        body = String(decoding: request.body, as: UTF8.self)
        bytes = plan.worstBytes
        limit = plan.limit
    }
}
