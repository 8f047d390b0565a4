package import CampaignCore
package import FoundationEssentials

extension Campaign {
    /// What a request sends of the campaign: all of it, or its fallback alone.
    ///
    /// - Parameters:
    ///   - mode: which sending is asked for.
    ///   - now: the current time.
    /// - Returns: nil when a fallback is asked for and the file has none any more, or none of the earlier run's platforms.
    package func sent(as mode: RunRequest.Mode, at now: Date) -> Campaign? {
        guard case .fallback(let parent) = mode else { return self }
        let platforms = platforms.filter(parent.platforms.contains)
        guard let fallback, !platforms.isEmpty else { return nil }
        return Campaign(
            name: name, description: description, kind: .alert, platforms: platforms,
            audience: audience,
            payload: Payload(
                message: LocalizedTemplate(fallback.message), type: nil, content: nil,
                isMessagePrivate: false,
                // There is nothing to open any more when the payload has expired.
                expiresAfter: .seconds(max(0, parent.expires.timeIntervalSince(now)))),
            turns: turns?.withoutLocalTime, delivery: delivery.ofFallback,
            fingerprints: fingerprints)
    }
}

extension TurnRule {
    /// The quiet hours alone: a fallback comes when it is time for it, and not at the hour of the campaign itself.
    fileprivate var withoutLocalTime: TurnRule? {
        quietHours.map { TurnRule(quietHours: $0, localTime: nil, zone: zone) }
    }
}

extension DeliveryPolicy {
    /// The same for a fallback: a visible push whose answer was lost is not sent again, whatever holds for the silent one.
    var ofFallback: DeliveryPolicy {
        var policy = self
        policy.onUnknown = .hold
        return policy
    }
}

/// An audience with the values that a fallback needs, which are some of those that its campaign has.
package struct FallbackAudience: AudienceSource {
    private let audience: any AudienceSource
    /// Where the value of each of the fallback's variables stands among those of a member.
    private let places: [Int?]

    /// - Parameters:
    ///   - audience: the campaign's.
    ///   - campaign: the campaign, by whose variables the audience is read.
    ///   - fallback: what is sent of it.
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
