#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What `preview --save` keeps of everything that decides what a run sends.
///
/// It holds digests and counts, but no name, value or text. The digests are keyed with the plan's
/// own salt, so they cannot be compared between plans or looked up in a table.
package struct SavedPlan: Hashable, Sendable {
    package static let format = 1
    package static let standardAge = Duration.seconds(7 * 24 * 60 * 60)
    /// In bytes.
    package static let saltLength = 16

    package var version: String
    package var made: Date
    package var longestAge: Duration
    package var campaign: String
    package var sending: PlannedSending
    package var hub: HubIdentity
    /// ``saltLength`` random bytes, used for nothing else.
    package var salt: [UInt8]
    /// The keys of the campaign file, without people it names itself.
    package var campaignKeys: [DigestedKey]
    /// The config keys that affect a campaign.
    package var configKeys: [DigestedKey]
    /// nil if the payload is not a file.
    package var payloadFile: DigestedFile?
    package var audience: AudienceDigest

    package init(
        version: String, made: Date, longestAge: Duration = standardAge, campaign: String,
        sending: PlannedSending, hub: HubIdentity, salt: [UInt8], campaignKeys: [DigestedKey],
        configKeys: [DigestedKey], payloadFile: DigestedFile?, audience: AudienceDigest
    ) {
        self.version = version
        self.made = made
        self.longestAge = longestAge
        self.campaign = campaign
        self.sending = sending
        self.hub = hub
        self.salt = salt
        self.campaignKeys = campaignKeys
        self.configKeys = configKeys
        self.payloadFile = payloadFile
        self.audience = audience
    }
}

package enum PlannedSending: Hashable, Sendable, CustomStringConvertible {
    case occurrence(Occurrence)
    case again
    /// Sends to people a finished run left with these outcomes.
    case rest(of: RunID, Set<Outcome>)

    var isOfRest: Bool {
        if case .rest = self { true } else { false }
    }

    /// Fits inside a sentence.
    package var description: String {
        switch self {
        case .occurrence(.once): "its one sending"
        case .occurrence(let occurrence): "the occurrence \(occurrence)"
        case .again: "one more sending to all"
        case .rest(let run, let outcomes):
            "one more sending to those whom run \(run) left as "
                + Outcome.allCases.filter(outcomes.contains).map(\.rawValue).joined(separator: ",")
        }
    }
}

/// A key of a file with the lines of its value.
package struct KeyText: Hashable, Sendable {
    package let key: String
    /// A list of words has one word a line.
    package let lines: [String]

    package init(key: String, lines: [String]) {
        self.key = key
        self.lines = lines
    }
}

/// A key of a file with digests of its value's lines.
package struct DigestedKey: Hashable, Sendable, Encodable {
    package let key: String
    /// 16 hexadecimal digits each.
    package let lines: [String]

    package init(key: String, lines: [String]) {
        self.key = key
        self.lines = lines
    }
}

package struct DigestedFile: Hashable, Sendable, Encodable {
    private enum CodingKeys: String, CodingKey {
        case path, digest, lines
        case mediaType = "media_type"
        case byteCount = "bytes"
    }

    package let path: String
    package let mediaType: String
    package let byteCount: Int
    /// 64 hexadecimal digits.
    package let digest: String
    /// 16 hexadecimal digits a line; empty if the file is not text.
    package let lines: [String]

    package init(
        path: String, mediaType: String, byteCount: Int, digest: String, lines: [String]
    ) {
        self.path = path
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.digest = digest
        self.lines = lines
    }
}

/// The people a campaign reaches, as counts and digests.
///
/// The digests take people in name order, so the order in files does not matter.
package struct AudienceDigest: Hashable, Sendable {
    /// Only `final` counts for a comparison.
    package var counts: AudienceCounts
    package var platforms: [Platform: Int]
    /// People by language tag, `default` for the others; empty if the campaign has no languages.
    package var languages: [String: Int]
    /// Digest of names, 64 hexadecimal digits.
    package var names: String
    /// Digest of names, values and languages, 64 hexadecimal digits.
    package var values: String

    package init(
        counts: AudienceCounts, platforms: [Platform: Int], languages: [String: Int] = [:],
        names: String, values: String
    ) {
        self.counts = counts
        self.platforms = platforms
        self.languages = languages
        self.names = names
        self.values = values
    }
}

/// The id of a plan: `[a-z2-7]{12}`, the first 60 bits of its file's digest.
package struct PlanID: Hashable, Sendable, CustomStringConvertible {
    package static let length = 12

    package let text: String

    package init?(_ text: String) {
        guard Base32.isWritten(text, count: Self.length) else { return nil }
        self.text = text
    }

    /// Makes an id from the SHA-256 of the plan's file.
    package init(digest: some Sequence<UInt8>) {
        text = Base32.text(of: digest, count: Self.length)
    }

    package var description: String { text }
}
