#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What `preview --save` keeps of all that decides what a run sends: digests and counts (contract, section 12).
///
/// It holds no name, no value and no text. All digests are keyed with a salt of the plan's own, so that those of two plans
/// cannot be compared, and no table of digests fits them.
package struct SavedPlan: Hashable, Sendable {
    /// The version of the file format that this program writes; it reads no newer one.
    package static let format = 1
    /// How old a plan may be unless it says otherwise: seven days.
    package static let standardAge = Duration.seconds(7 * 24 * 60 * 60)
    /// How many bytes a salt has.
    package static let saltLength = 16

    /// The version of hubsend that made it.
    package var version: String
    package var made: Date
    /// A run refuses it when it is older than this.
    package var longestAge: Duration
    /// The campaign's name.
    package var campaign: String
    /// Which sending of it.
    package var sending: PlannedSending
    package var hub: HubIdentity
    /// ``saltLength`` random bytes, of which nothing else is made.
    package var salt: [UInt8]
    /// The keys of the campaign file, without the people whom it names itself.
    package var campaignKeys: [DigestedKey]
    /// The keys of the config that bear on a campaign.
    package var configKeys: [DigestedKey]
    /// nil where the payload is no file.
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

/// Which sending of a campaign a plan is for; rehearsals have no plan.
package enum PlannedSending: Hashable, Sendable, CustomStringConvertible {
    case occurrence(Occurrence)
    /// One more.
    case again
    /// One more, to those whom a finished run left with these outcomes.
    case rest(of: RunID, Set<Outcome>)

    /// Whether it is for those only whom a run left.
    var isOfRest: Bool {
        if case .rest = self { true } else { false }
    }

    /// As it stands within a sentence.
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

/// A key of a file with the lines of its value, as they stand in the file.
package struct KeyText: Hashable, Sendable {
    /// Such as `payload.message`.
    package let key: String
    /// A list of words has one of them in each line.
    package let lines: [String]

    package init(key: String, lines: [String]) {
        self.key = key
        self.lines = lines
    }
}

/// A key of a file with the digests of its value's lines.
package struct DigestedKey: Hashable, Sendable {
    /// Such as `payload.message`.
    package let key: String
    /// One for each line, 16 hexadecimal digits.
    package let lines: [String]

    package init(key: String, lines: [String]) {
        self.key = key
        self.lines = lines
    }
}

/// A payload file by its digest.
package struct DigestedFile: Hashable, Sendable {
    /// As the campaign names it.
    package let path: String
    package let mediaType: String
    package let byteCount: Int
    /// Of all bytes, 64 hexadecimal digits.
    package let digest: String
    /// One for each line of a text, 16 hexadecimal digits; empty for what is no text.
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

/// The people whom a campaign reaches, as counts and digests.
///
/// The digests run over the people in name order, so that the order in which files name them does not matter.
package struct AudienceDigest: Hashable, Sendable {
    /// How they came about; only who is left counts for a comparison.
    package var counts: AudienceCounts
    /// How many get a push on each platform.
    package var platforms: [Platform: Int]
    /// How many read each language of the campaign, by its tag, and `default` for the others.
    ///
    /// Empty where the campaign names no language.
    package var languages: [String: Int]
    /// Of their names, 64 hexadecimal digits.
    package var names: String
    /// Of their names, values and languages, 64 hexadecimal digits.
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

/// The id of a plan: the beginning of its file's digest, by which a run tells what it was sent by.
///
/// `[a-z2-7]{12}`, 60 bits: enough to tell the plans of a store apart, and short enough for a list.
package struct PlanID: Hashable, Sendable, CustomStringConvertible {
    /// How many letters an id has.
    package static let length = 12

    package let text: String

    /// Reads an id; nil when the text is not one.
    package init?(_ text: String) {
        guard Base32.isWritten(text, count: Self.length) else { return nil }
        self.text = text
    }

    /// Makes the id of a file.
    ///
    /// - Parameter digest: the SHA-256 of the plan's file.
    package init(digest: some Sequence<UInt8>) {
        text = Base32.text(of: digest, count: Self.length)
    }

    package var description: String { text }
}
