import CampaignCore
import Delivery
import Foundation
import Reports

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
            case .begin, .stage: action = .begin
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

/// A preview that a person reads in ten seconds.
struct PreviewText {
    private let document: PreviewDocument
    private let style: TextStyle

    init(_ document: PreviewDocument, style: TextStyle) {
        self.document = document
        self.style = style
    }

    func text() -> String {
        let people = document.recipients
        let time =
            document.seconds.map { ", about \(Durations.text(seconds: $0))" }
            ?? ", as fast as the hub takes them"
        var lines = [
            headline,
            "",
            "  named       \(Figures.count(people.named))",
            "  duplicate   \(Figures.count(people.duplicate))",
            "  excluded    \(Figures.count(people.excluded))",
            "  final       \(Figures.count(people.final))",
            "  requests    \(Figures.count(document.requests))\(time)",
        ]
        if let capped = document.now.capped {
            let pushes = Figures.count(capped, "push", "pushes")
            lines.append("  capped      \(pushes) that frequency_cap would skip now")
        }
        for request in document.platforms { lines += [""] + describe(request) }
        lines += ["", "Nothing was sent and nothing was stored."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// What a run would do now, before what the file asks for.
    private var headline: String {
        let name = "Campaign \(document.campaign) (\(document.kind))"
        let now = document.now
        let all = Figures.count(document.deliveries, "push", "pushes")
        let people = Figures.count(document.recipients.final, "person", "people")
        let left = now.deliveries.map { Figures.count($0, "push", "pushes") } ?? all
        let run = now.run.map { "run \($0.id)" } ?? "its run"
        switch now.action {
        case .begin:
            return "\(name) would reach \(people) with \(all):"
        case .proceed where now.run?.state == .running:
            return "\(name) is being sent by \(run), with \(left) to go. The file now has:"
        case .proceed:
            return "\(name) would continue \(run), with \(left) to go. The file now has:"
        case .nothing:
            return
                "\(name) would send 0 new pushes: \(run) is finished. --again would send to all that the file has:"
        case .refuse where now.run?.state != .stopped:
            return
                "\(name) would send nothing: \(run) is not finished, with \(left) to go. The file now has:"
        case .refuse:
            return
                "\(name) would send nothing: \(run) was stopped, with \(left) to go, and only `hubsend resume` "
                + "continues it. The file now has:"
        case .unknown:
            let why =
                switch now.gap {
                case .olderStore:
                    "the store was made by an older version of hubsend, and a preview does not change it"
                case .noHub, nil:
                    "that depends on the hub, which is not known without its name and connection string"
                }
            return "\(name) would reach \(people) with \(all), unless it was sent before: \(why):"
        }
    }

    private func describe(_ request: PreviewDocument.Request) -> [String] {
        let size =
            "largest body \(Figures.count(request.bytes)) of \(Figures.count(request.limit)) bytes"
        var lines = ["\(request.platform): \(size); the first recipient's request:", ""]
        lines.append("  \(request.method) \(request.url)")
        lines += request.headers.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        lines.append("")
        // Behind blanks alone, a line of the message could pass for a command of a build log.
        lines += request.body.split(separator: "\n", omittingEmptySubsequences: false).map {
            "  | \($0)"
        }
        return lines
    }
}
