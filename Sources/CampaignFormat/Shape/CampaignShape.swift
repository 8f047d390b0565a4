import CampaignCore

extension FileShape {
    package static let campaign = FileShape(
        "campaign", title: "Campaign of hubsend",
        "Says who gets what, on which platforms, and how it is sent; hubsend-campaign(5) explains all of it.",
        root: .campaign)
}

extension MappingShape {
    static let campaign = MappingShape(
        [
            KeyShape(
                "campaign", title: "Name", .text(.campaignName), isRequired: true,
                examples: ["spring-sale"], isCampaignsOwn: true,
                "The campaign's name, 1 to 60 of the characters a-z, 0-9 and -. It is unique in a store, and a campaign under another name is another campaign: what was sent already is known by it."
            ),
            KeyShape(
                "version", title: "Version of the file format", .integer(1...1), standard: "1",
                isCampaignsOwn: true, "The version of the file format. There is only 1 so far."),
            KeyShape(
                "description", .text(.any), examples: ["Spring sale, loyalty members"],
                isCampaignsOwn: true, "A line for people; nobody is sent it."),
            KeyShape(
                "kind", .choice(.all(CampaignKind.self, \.summary)), isRequired: true,
                isCampaignsOwn: true, "What the push is."),
            KeyShape(
                "platforms", .list(of: .choice(platforms), ListBounds(atLeast: 1, isSet: true)),
                isRequired: true, examples: ["[apns, fcm, wns]"],
                bare: { node, _ in PlatformsDecoder.form(node) },
                "The push services. Every recipient gets a push on each of them; who has no such device simply does not see it."
            ),
            KeyShape(
                "audience", .mapping(.audience), isRequired: true,
                examples: ["{ files: [audiences/loyalty.csv] }"],
                "Who gets it. An audience of nobody is an error, never everybody."),
            KeyShape(
                "payload", .mapping(.payload), isRequired: true,
                examples: ["{ message: Back at noon. }"],
                bare: { node, kind in RightForm.text(of: node).map { payload($0, of: kind) } },
                "What they get. Which keys it needs depends on the kind."),
            KeyShape(
                "schedule", .mapping(.schedule),
                examples: ["{ cron: \"0 9 * * mon\", time_zone: Europe/Berlin }"],
                "When it is sent: when it starts, and when within a day people may be sent to. One line of cron that calls `hubsend run --due` starts all campaigns that have a start; a campaign that people start has neither cron nor at, but quiet_hours, or delivery.local_time."
            ),
            KeyShape(
                "delivery", .mapping(.delivery), examples: ["{ rate: 500/s, concurrency: 64 }"],
                bare: { node, _ in
                    RightForm.text(of: node).flatMap {
                        RateText.parse($0) == nil ? nil : "{ rate: \($0) }"
                    }
                },
                "How it is sent. All of it may be left out."),
        ],
        relations: [
            .needsAny(
                "schedule",
                ["schedule.cron", "schedule.at", "schedule.quiet_hours", "delivery.local_time"]),
            .needsAny("delivery.local_time", ["schedule.time_zone"]),
        ])

    /// A bare text, rewritten as the keys of a payload.
    private static func payload(_ text: String, of kind: CampaignKind?) -> DiagnosticMessage {
        let value = RightForm.quoted(text)
        return switch kind {
        case .secure: "{ text: \(value) }"
        case .rich: "{ message: \(value), type: text, text: … }"
        case .alert, nil: "{ message: \(value) }"
        }
    }

    private static let platforms =
        [Choice].all(Platform.self, \.facts.summary)
        + Platform.allCases.compactMap { platform in
            platform.facts.oldName.map {
                Choice($0, "An old spelling of \(platform).", isOld: true)
            }
        }

    static let schedule = MappingShape(
        [
            KeyShape(
                "cron", .text(.cron), examples: ["\"0 9 * * mon\""], isCampaignsOwn: true,
                "Five fields: minute, hour, day of the month, month and weekday."),
            KeyShape(
                "at", title: "One moment", .text(.localTime), examples: ["2026-12-01T09:00"],
                isCampaignsOwn: true, "One moment, in the schedule's time zone."),
            KeyShape(
                "time_zone", .text(.timeZone), isRequired: true, examples: ["Europe/Berlin"],
                "The time zone in which the times of the schedule are meant, and those of people whose own zone no file says."
            ),
            KeyShape(
                "start_deadline", .duration(), standard: "1h",
                "A start that was missed by more than this is skipped, and never made up for late."),
            KeyShape(
                "time_zone_column", .text(.column), examples: ["tz"],
                "The column of the audience files that holds each person's time zone, such as Europe/Berlin. Where it is empty, time_zone counts."
            ),
            KeyShape(
                "quiet_hours", .mapping(.quietHours),
                examples: ["{ from: \"21:00\", to: \"08:00\" }"],
                "When nobody is sent anything, by the clocks of their own zone. Pushes are deferred, not dropped."
            ),
        ], relations: [.atMostOne(["cron", "at"])])

    private static let quietHours = MappingShape([
        KeyShape(
            "from", title: "Begin", .text(.timeOfDay), isRequired: true,
            examples: ["\"21:00\""], "When the quiet hours begin."),
        KeyShape(
            "to", title: "End", .text(.timeOfDay), isRequired: true, examples: ["\"08:00\""],
            "When they end, the next day where that is before they begin."),
        KeyShape(
            "time_zone_column", .text(.column), examples: ["tz"],
            "The same as schedule.time_zone_column."),
    ])
}

extension CampaignKind {
    var summary: String {
        switch self {
        case .secure:
            "Silent; it holds only an id. The device fetches the payload after its user has signed in."
        case .rich:
            "Silent; it holds an id, a type and, unless it is private, the message. The device shows the message and fetches the content."
        case .alert: "Visible; it holds the message, and nothing is fetched."
        }
    }

    /// For somebody who wrote a key that it does not have.
    var help: DiagnosticMessage {
        switch self {
        case .secure: "A secure push holds an id only; the device fetches \"text\" or \"file\"."
        case .rich: "A rich push has \"message\", \"type\" and one of \"file\", \"text\", \"url\"."
        case .alert: "An alert is its \"message\"; nothing is fetched."
        }
    }
}
