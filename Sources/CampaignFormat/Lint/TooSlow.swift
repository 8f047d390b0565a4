import CampaignCore

extension Rule {
    static let tooSlow = Rule(
        "too-slow", .warning, "Sending takes longer than the campaign allows",
        """
        People who are not reached within "delivery.finish_within", or before the payload expires, \
        are skipped. The time is computed from the number of recipients, the number of platforms \
        and the rate; if the hub throttles, sending takes longer.
        """,
        wrong: RuleExample(
            """
            audience: { files: [audiences/all.txt] }
            delivery: { rate: 1/s, finish_within: 1m }
            """, with: ["audiences/all.txt": .names(100)]),
        right: RuleExample(
            """
            audience: { files: [audiences/all.txt] }
            delivery: { rate: 10/s, finish_within: 1m }
            """, with: ["audiences/all.txt": .names(100)]))
}

extension LoadedCampaign {
    /// Warns if sending takes too long; the duration is nil if there is no rate.
    package func lateness(of requests: Int, taking duration: Duration?) -> Diagnostic? {
        guard let campaign, let duration else { return nil }
        let life = campaign.payload.expiresAfter
        let isPayload = campaign.kind.isSilent && life < campaign.delivery.finishWithin
        let bound = isPayload ? life : campaign.delivery.finishWithin
        guard duration > bound else { return nil }
        let late = Int((Double(requests) * (1 - bound / duration)).rounded(.up))
        let (what, key) =
            isPayload ? ("the payload expires", "expires_after") : ("the run ends", "finish_within")
        return finding(
            .tooSlow,
            at: place(
                of: "delivery.rate",
                isPayload ? "payload.expires_after" : "delivery.finish_within", "campaign"),
            "At this rate, \(Figures.count(requests)) requests take \(Durations.short(duration)), and \(what) after \(Durations.short(bound)): about \(Figures.count(late)) would be skipped as too late.",
            help: "Raise \"delivery.rate\", or increase \"\(key)\".")
    }
}
