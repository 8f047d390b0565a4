package import CampaignCore
package import FoundationEssentials

extension Campaign {
    /// The campaign that a request sends: this campaign, or only its fallback.
    ///
    /// Returns nil if the file no longer has a fallback, or if the fallback has none of the earlier
    /// run's platforms.
    package func sent(as mode: RunRequest.Mode, at now: Date) -> Campaign? {
        guard case .fallback(let parent) = mode else { return self }
        let platforms = platforms.filter(parent.platforms.contains)
        // Once the payload has expired, tapping a fallback would open nothing.
        let left = Duration.seconds(max(0, parent.expires.timeIntervalSince(now)))
        return platforms.isEmpty ? nil : ofFallback(on: platforms, expiringAfter: left)
    }

    /// The campaign's fallback as a campaign; nil if it has none.
    func ofFallback(on platforms: [Platform], expiringAfter time: Duration) -> Campaign? {
        guard let fallback else { return nil }
        // A fallback is sent when it is due, not at the campaign's local time.
        let sendTimes = sendTimes.flatMap { rule in
            rule.quietHours.map { SendTimeRule(quietHours: $0, localTime: nil, zone: rule.zone) }
        }
        return Campaign(
            name: name, description: description, kind: .alert, platforms: platforms,
            audience: audience,
            payload: Payload(
                texts: Texts(message: LocalizedTemplate(fallback.message)), type: nil, content: nil,
                isMessagePrivate: false, expiresAfter: time),
            sendTimes: sendTimes, delivery: delivery.ofFallback,
            fingerprints: fingerprints)
    }
}

extension DeliveryPolicy {
    /// The policy of a fallback: a visible push with a lost answer is never sent again, even if
    /// silent pushes are.
    var ofFallback: DeliveryPolicy {
        var policy = self
        policy.onUnknown = .hold
        return policy
    }
}

/// An audience reduced to the values that a fallback needs.
package struct FallbackAudience: AudienceSource {
    private let audience: any AudienceSource
    /// The index of each fallback variable among a member's values; nil if the campaign lacks it.
    private let places: [Int?]

    /// - Parameter campaign: the campaign whose variables the audience has.
    package init(
        _ audience: any AudienceSource, of campaign: Campaign, for fallback: Campaign
    ) {
        self.audience = audience
        places = fallback.payload.variables.map { campaign.variables.firstIndex(of: $0) }
    }

    package func reader(of part: AudiencePart) throws -> any AudienceReader {
        Reader(reader: try audience.reader(of: part), places: places)
    }

    private struct Reader: AudienceReader {
        var reader: any AudienceReader
        let places: [Int?]

        mutating func next(_ limit: Int) throws -> [AudienceMember] {
            try reader.next(limit).map { member in
                AudienceMember(
                    username: member.username,
                    values: places.map { place in
                        place.flatMap {
                            member.values.indices.contains($0) ? member.values[$0] : nil
                        }
                    },
                    language: member.language, zone: member.zone, origin: member.origin)
            }
        }
    }
}
