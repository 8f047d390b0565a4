#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A plan that `preview --save` writes; it describes everything that determines what a run sends.
///
/// It contains checksums and counts, but no names, values or texts. Each plan has its own salt, so
/// its checksums cannot be compared with those of other plans or looked up in a table.
package struct SavedPlan: Hashable, Sendable {
    package static let format = 1
    package static let standardAge = Duration.seconds(7 * 24 * 60 * 60)
    /// The length of the salt, in bytes.
    package static let saltLength = 16

    package var version: String
    package var made: Date
    package var longestAge: Duration
    package var campaign: String
    package var sending: PlannedSending
    package var hub: HubIdentity
    /// ``saltLength`` random bytes, used only for this plan.
    package var salt: [UInt8]
    /// The keys of the campaign file, without the usernames in it.
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
    /// A follow-up to people who have these outcomes in a finished run.
    case followUp(of: RunID, Set<Outcome>)

    var isFollowUp: Bool {
        if case .followUp = self { true } else { false }
    }

    /// A phrase for use within a sentence.
    package var description: String {
        switch self {
        case .occurrence(.once): "its only sending"
        case .occurrence(let occurrence): "the occurrence \(occurrence)"
        case .again: "another sending to everybody"
        case .followUp(let run, let outcomes):
            "a follow-up to run \(run) for the outcomes "
                + Outcome.allCases.filter(outcomes.contains).map(\.rawValue).joined(separator: ",")
        }
    }
}

/// A key of a file with the lines of its value.
package struct KeyText: Hashable, Sendable {
    package let key: String
    /// A list of words has one word per line.
    package let lines: [String]

    package init(key: String, lines: [String]) {
        self.key = key
        self.lines = lines
    }
}

/// A key of a file with checksums of the lines of its value.
package struct DigestedKey: Hashable, Sendable, Encodable {
    package let key: String
    /// The checksums, 16 hexadecimal digits each.
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
    /// The checksum, 64 hexadecimal digits.
    package let digest: String
    /// The checksums of lines, 16 hexadecimal digits each; empty if the file is not text.
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

/// A campaign's audience as counts and checksums.
///
/// The checksums are computed in name order, so the order in files does not matter.
package struct AudienceDigest: Hashable, Sendable {
    /// The counts; only `final` is compared.
    package var counts: AudienceCounts
    package var platforms: [Platform: Int]
    /// The number of people by language tag, `default` for the others; empty if the campaign has no
    /// languages.
    package var languages: [String: Int]
    /// The checksum of all names, 64 hexadecimal digits.
    package var names: String
    /// The checksum of all names, values and languages, 64 hexadecimal digits.
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

/// The ID of a plan: `[a-z2-7]{12}`, the first 60 bits of the checksum of its file.
package struct PlanID: Hashable, Sendable, CustomStringConvertible {
    package static let length = 12

    package let text: String

    package init?(_ text: String) {
        guard Base32.isWritten(text, count: Self.length) else { return nil }
        self.text = text
    }

    /// Makes an ID from the SHA-256 of the plan's file.
    package init(digest: some Sequence<UInt8>) {
        text = Base32.text(of: digest, count: Self.length)
    }

    package var description: String { text }
}
