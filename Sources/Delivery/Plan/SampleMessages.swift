package import CampaignCore
package import FoundationEssentials

/// A message as a person gets it, rendered as in a run.
package struct SampleMessage: Sendable {
    package let notification: NewNotification
    /// The content of the push on each platform of the campaign, in order.
    package let pushes: [(platform: Platform, content: PushContent)]
    /// Variables that have no value, so that their default is used.
    package let unset: [String]
}

extension Campaign {
    /// The message that a person gets; without a person, the texts of a language as written.
    package func sample(
        for member: AudienceMember?, in language: LanguageTag?
    ) throws(MissingVariable) -> SampleMessage {
        var renderer = PayloadRenderer(payload)
        let notification =
            if let member {
                try renderer.notification(.placeholder, for: member)
            } else {
                try renderer.notification(.placeholder, in: language, value: nil)
            }
        let options = payload.pushOptions
        let pushes = platforms.map { platform in
            (platform, PushContent(notification, of: self, options: options, on: platform))
        }
        return SampleMessage(
            notification: notification, pushes: pushes,
            unset: member.map { renderer.unset(for: $0) } ?? [])
    }

    /// The pushes that some people would get, by platform, rendered as in a run.
    ///
    /// Their ID is ``CampaignCore/NotificationID/placeholder``. The result is empty if a value is
    /// missing.
    ///
    /// - Parameter members: the people, in name order. If the payload is the same for all, they
    ///   share the first request; otherwise, only the first person is used.
    package func samplePushes(
        to members: [AudienceMember], now: Date
    ) throws(MissingVariable) -> [Platform: PushPage] {
        var renderer = PayloadRenderer(payload)
        guard let first = members.first, renderer.missing(for: first).isEmpty else { return [:] }
        let notification =
            payload.isPersonal
            ? try renderer.notification(.placeholder, for: first, hasContent: false)
            : try renderer.notification(.placeholder, in: nil)
        let usernames = payload.isPersonal ? [first.username] : members.map(\.username)
        let options = payload.pushOptions
        let expires = now.addingTimeInterval(payload.expiresAfter / .seconds(1))
        return platforms.reduce(into: [:]) { pages, platform in
            let rules = body(on: platform)
            let content = PushContent(notification, of: self, options: options, on: platform)
            pages[platform] = PushPage(
                platform: platform, contentType: rules.contentType,
                headers: rules.headers(expires: expires, now: now),
                pushes: [
                    Push(
                        number: 1, usernames: usernames,
                        body: rules.bytes(content, expires: expires, now: now))
                ],
                interval: RateLimiter(rate: delivery.rate).interval)
        }
    }

    func body(on platform: Platform) -> PushBody {
        PushBody(
            kind: kind, platform: platform,
            hasPlaceholder: payload.texts(on: platform).placeholder != nil)
    }
}

extension PushContent {
    /// The content of a notification's push, before the notification is stored.
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
