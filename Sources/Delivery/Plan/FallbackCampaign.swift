package import CampaignCore
package import FoundationEssentials

extension Campaign {
    /// What a request sends: the whole campaign, or only its fallback.
    ///
    /// Nil if the file no longer has a fallback, or any platform of the earlier run.
    package func sent(as mode: RunRequest.Mode, at now: Date) -> Campaign? {
        guard case .fallback(let parent) = mode else { return self }
        let platforms = platforms.filter(parent.platforms.contains)
        // After the payload's expiry, the fallback would lead to nothing.
        let left = Duration.seconds(max(0, parent.expires.timeIntervalSince(now)))
        return platforms.isEmpty ? nil : ofFallback(on: platforms, expiringAfter: left)
    }

    /// The campaign's fallback as a campaign; nil if it has none.
    func ofFallback(on platforms: [Platform], expiringAfter time: Duration) -> Campaign? {
        guard let fallback else { return nil }
        // It goes out when due, not at the campaign's local time.
        let turns = turns.flatMap { rule in
            rule.quietHours.map { TurnRule(quietHours: $0, localTime: nil, zone: rule.zone) }
        }
        return Campaign(
            name: name, description: description, kind: .alert, platforms: platforms,
            audience: audience,
            payload: Payload(
                texts: Texts(message: LocalizedTemplate(fallback.message)), type: nil, content: nil,
                isMessagePrivate: false, expiresAfter: time),
            turns: turns, delivery: delivery.ofFallback,
            fingerprints: fingerprints)
    }
}

extension DeliveryPolicy {
    /// A visible push with a lost answer is never sent again, even if a silent one is.
    var ofFallback: DeliveryPolicy {
        var policy = self
        policy.onUnknown = .hold
        return policy
    }
}

/// An audience with only the values that the fallback needs.
package struct FallbackAudience: AudienceSource {
    private let audience: any AudienceSource
    /// Each fallback variable's index among a member's values; nil: not in the campaign.
    private let places: [Int?]

    /// - Parameter campaign: the audience is read with its variables.
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
