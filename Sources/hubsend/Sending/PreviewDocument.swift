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

    let campaign: String
    let kind: String
    let recipients: Recipients
    let deliveries: Int
    let requests: Int
    /// nil when the rate is unlimited.
    let seconds: Double?
    let platforms: [Request]

    private enum CodingKeys: String, CodingKey {
        case campaign, kind, recipients, deliveries, requests, seconds, platforms
    }

    init(_ campaign: Campaign, _ plan: CampaignPlan, describer: any PushDescriber) {
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
