import CampaignCore

extension FileShape {
    package static let campaign = FileShape(
        "campaign", title: "hubsend campaign",
        "Specifies who gets what, on which platforms, and how it is sent; hubsend-campaign(5) explains all of it.",
        root: .campaign)
}

extension MappingShape {
    static let campaign = MappingShape(
        [
            KeyShape(
                "campaign", title: "Name", .text(.campaignName), isRequired: true,
                examples: ["spring-sale"], isCampaignsOwn: true,
                "The campaign's name, 1 to 60 of the characters a-z, 0-9 and -. It must be unique in a store. hubsend uses it to know what was sent, so a campaign with a new name is a new campaign."
            ),
            KeyShape(
                "version", title: "Version of the file format", .integer(1...1), standard: "1",
                isCampaignsOwn: true,
                "The version of the file format. The only version so far is 1."),
            KeyShape(
                "description", .text(.any), examples: ["Spring sale, loyalty members"],
                isCampaignsOwn: true, "A note for people who read the file; it is not sent."),
            KeyShape(
                "kind", .choice(.all(CampaignKind.self, \.summary)), isRequired: true,
                isCampaignsOwn: true, "The kind of push."),
            KeyShape(
                "platforms", .list(of: .choice(platforms), ListBounds(atLeast: 1, isSet: true)),
                isRequired: true, examples: ["[apns, fcm, wns]"],
                bare: { node, _ in PlatformsDecoder.form(node) },
                "The push services. Every recipient gets a push on each platform; people without a device on a platform do not see that push."
            ),
            KeyShape(
                "audience", .mapping(.audience), isRequired: true,
                examples: ["{ files: [audiences/loyalty.csv] }"],
                "The people who get the push. An empty audience is an error; it never means everybody."
            ),
            KeyShape(
                "payload", .mapping(.payload), isRequired: true,
                examples: ["{ message: Back at noon. }"],
                bare: { node, kind in RightForm.text(of: node).map { payload($0, of: kind) } },
                "The content of the push. The required keys depend on the kind."),
            KeyShape(
                "schedule", .mapping(.schedule),
                examples: ["{ cron: \"0 9 * * mon\", time_zone: Europe/Berlin }"],
                "When the campaign starts, and at what times of day people can get pushes. One cron job that calls `hubsend run --due` starts all campaigns that have a start. A campaign that is started by hand has neither cron nor at, only quiet_hours or delivery.local_time."
            ),
            KeyShape(
                "delivery", .mapping(.delivery), examples: ["{ rate: 500/s, concurrency: 64 }"],
                bare: { node, _ in
                    RightForm.text(of: node).flatMap {
                        RateText.parse($0) == nil ? nil : "{ rate: \($0) }"
                    }
                },
                "How the campaign is sent. All keys are optional."),
        ],
        relations: [
            .needsAny(
                "schedule",
                ["schedule.cron", "schedule.at", "schedule.quiet_hours", "delivery.local_time"]),
            .needsAny("delivery.local_time", ["schedule.time_zone"]),
        ])

    /// Rewrites text that was written in place of the payload's keys.
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
                isCampaignsOwn: true, "A single start, in the schedule's time zone."),
            KeyShape(
                "time_zone", .text(.timeZone), isRequired: true, examples: ["Europe/Berlin"],
                "The time zone of the schedule's times, and of people whose own time zone is not known."
            ),
            KeyShape(
                "start_deadline", .duration(), standard: "1h",
                "A start that is late by more than this is skipped."),
            KeyShape(
                "time_zone_column", .text(.column), examples: ["tz"],
                "The column of the audience files that contains each person's time zone, such as Europe/Berlin. If a cell is empty, time_zone applies."
            ),
            KeyShape(
                "quiet_hours", .mapping(.quietHours),
                examples: ["{ from: \"21:00\", to: \"08:00\" }"],
                "The hours in which nobody gets a push, in each person's own time zone. Pushes are deferred, not dropped."
            ),
        ], relations: [.atMostOne(["cron", "at"])])

    private static let quietHours = MappingShape([
        KeyShape(
            "from", title: "Begin", .text(.timeOfDay), isRequired: true,
            examples: ["\"21:00\""], "When the quiet hours begin."),
        KeyShape(
            "to", title: "End", .text(.timeOfDay), isRequired: true, examples: ["\"08:00\""],
            "When the quiet hours end; on the next day if this is earlier than from."),
        KeyShape(
            "time_zone_column", .text(.column), examples: ["tz"],
            "The same as schedule.time_zone_column."),
    ])
}

extension CampaignKind {
    var summary: String {
        switch self {
        case .secure:
            "Silent; it contains only an id. The device fetches the payload after its user has signed in."
        case .rich:
            "Silent; it contains an id, a type and, unless it is private, the message. The device shows the message and fetches the content."
        case .alert: "Visible; it contains the message, and the device fetches nothing."
        }
    }

    /// The help for somebody who wrote a key that the kind does not have.
    func help(for key: String) -> DiagnosticMessage {
        switch self {
        case .alert where key == "url":
            "An alert contains its \"message\"; the device fetches nothing. For the address that a tap opens, write \"link\"."
        case .secure: "A secure push contains only an id; the device fetches \"text\" or \"file\"."
        case .rich: "A rich push has \"message\", \"type\" and one of \"file\", \"text\", \"url\"."
        case .alert: "An alert contains its \"message\"; the device fetches nothing."
        }
    }
}
