package import CampaignCore
package import FoundationEssentials

extension Campaign {
    /// What a request sends of the campaign: all of it, or its fallback alone.
    ///
    /// - Parameters:
    ///   - mode: which sending is asked for.
    ///   - now: the current time.
    /// - Returns: nil when a fallback is asked for, and the file no longer has a fallback or any platform of the earlier run.
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
                // Once the payload has expired, the fallback would lead to nothing.
                expiresAfter: .seconds(max(0, parent.expires.timeIntervalSince(now)))),
            turns: turns?.withoutLocalTime, delivery: delivery.ofFallback,
            fingerprints: fingerprints)
    }
}

extension TurnRule {
    /// The quiet hours alone: a fallback goes out when it is due, and not at the campaign's local time.
    fileprivate var withoutLocalTime: TurnRule? {
        quietHours.map { TurnRule(quietHours: $0, localTime: nil, zone: zone) }
    }
}

extension DeliveryPolicy {
    /// The policy of a fallback: a visible push whose answer was lost is never sent again, even where the silent one is.
    var ofFallback: DeliveryPolicy {
        var policy = self
        policy.onUnknown = .hold
        return policy
    }
}

/// An audience with only those values of its campaign that the fallback needs.
package struct FallbackAudience: AudienceSource {
    private let audience: any AudienceSource
    /// The index of each of the fallback's variables among the values of a member; nil: the campaign does not have the variable.
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
