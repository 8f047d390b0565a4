package import CampaignCore

/// A message as a person gets it, rendered as a run renders it.
package struct SampleMessage: Sendable {
    package let notification: NewNotification
    /// What the push says on each of the campaign's platforms, in their order.
    package let pushes: [(platform: Platform, content: PushContent)]
    /// Variables without a value, which use their default.
    package let unset: [String]
}

/// Renders the messages of a campaign for chosen people.
package struct SampleRenderer: Sendable {
    private let campaign: Campaign
    private var renderer: PayloadRenderer

    package init(_ campaign: Campaign) {
        self.campaign = campaign
        renderer = PayloadRenderer(campaign.payload)
    }

    package mutating func message(
        for member: AudienceMember
    ) throws(MissingVariable) -> SampleMessage {
        sample(
            try renderer.notification(.placeholder, for: member), renderer.unset(for: member))
    }

    /// For nobody in particular: variables stay as they are written.
    package func message(in language: LanguageTag?) throws(MissingVariable) -> SampleMessage {
        sample(try renderer.notification(.placeholder, asWrittenIn: language), [])
    }

    private func sample(_ notification: NewNotification, _ unset: [String]) -> SampleMessage {
        let options = campaign.payload.pushOptions
        let pushes = campaign.platforms.map { platform in
            (platform, PushContent(notification, of: campaign, options: options, on: platform))
        }
        return SampleMessage(notification: notification, pushes: pushes, unset: unset)
    }
}

extension PushContent {
    /// What the push of a notification says before it is stored.
    init(
        _ notification: NewNotification, of campaign: Campaign, options: PushOptions,
        on platform: Platform
    ) {
        self.init(
            kind: campaign.kind, isMessagePrivate: campaign.payload.isMessagePrivate,
            options: options, notification: notification.id, type: notification.type,
            texts: notification.texts(on: platform), link: notification.link,
            data: notification.data)
    }
}
