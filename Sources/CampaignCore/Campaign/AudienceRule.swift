/// How many people a campaign may reach, and which earlier runs it includes or excludes.
package struct AudienceRule: Hashable, Sendable {
    /// The minimum number of recipients, at least 1.
    ///
    /// If there are fewer, the run is refused, because the export is probably truncated.
    package let minimum: Int
    /// The maximum number of recipients.
    ///
    /// If there are more, the run is refused, because that is probably a mistake.
    package var maximum: Int?
    /// Earlier runs whose people are added to those in the files.
    package let runs: [RunSelection]
    package let excludedRuns: [RunSelection]

    package init(
        minimum: Int = 1, maximum: Int? = nil, runs: [RunSelection] = [],
        excludedRuns: [RunSelection] = []
    ) {
        self.minimum = max(1, minimum)
        self.maximum = maximum
        self.runs = runs
        self.excludedRuns = excludedRuns
    }
}

/// The numbers of people in an audience.
package struct AudienceCounts: Hashable, Sendable, Codable {
    /// All names in the files, including duplicates.
    package var named: Int
    package var duplicate: Int
    /// The number of people who were excluded.
    package var excluded: Int
    /// People who remain as recipients.
    package var final: Int

    package init(named: Int = 0, duplicate: Int = 0, excluded: Int = 0, final: Int = 0) {
        self.named = named
        self.duplicate = duplicate
        self.excluded = excluded
        self.final = final
    }
}

/// Why a campaign cannot be sent to its audience.
package indirect enum AudienceProblem: Hashable, Sendable {
    /// Nobody is left; `excluded` is the number of people who were removed.
    case empty(excluded: Int)
    case tooFew(final: Int, minimum: Int)
    case tooMany(final: Int, maximum: Int)
    case caseConflict(CaseConflict)
    case missingVariable(name: String, member: AudienceMember)
    /// A body is too large; `member` has the largest one if bodies differ.
    ///
    /// A nil `language` stands for everybody whose language has no text of its own.
    case bodyTooLarge(
        platform: Platform, bytes: Int, limit: Int, language: LanguageTag? = nil,
        member: AudienceMember?)
    /// A value contains a character that the platform's XML cannot represent.
    case unwritable(Unicode.Scalar, platform: Platform, member: AudienceMember?)
    case inFallback(AudienceProblem)

    package var isAboutSize: Bool {
        switch self {
        case .empty, .tooFew, .tooMany: true
        case .caseConflict, .missingVariable, .bodyTooLarge, .unwritable, .inFallback: false
        }
    }
}

/// Names that differ only in case: probably a mistake, and the hub may confuse them.
package struct CaseConflict: Hashable, Sendable {
    package let first: AudienceMember
    package let second: AudienceMember

    package init(first: AudienceMember, second: AudienceMember) {
        self.first = first
        self.second = second
    }
}

package enum Exclusion: Hashable, Sendable {
    case file(String)
    case usernames
    case run(of: String)
}

/// People of a finished run that another audience includes or excludes.
package struct RunSelection: Hashable, Sendable {
    package let campaign: String
    /// nil means everybody in the run.
    package let outcomes: Set<Outcome>?
    /// Whether people must have fetched the payload; nil means that it does not matter.
    package let fetched: Bool?
    /// Whether the campaign may have no finished run; in that case, nobody is excluded.
    package let isOptional: Bool
    package var origin: AudienceOrigin

    package init(
        campaign: String, outcomes: Set<Outcome>? = nil, fetched: Bool? = nil,
        isOptional: Bool = false, origin: AudienceOrigin
    ) {
        self.campaign = campaign
        self.outcomes = outcomes
        self.fetched = fetched
        self.isOptional = isOptional
        self.origin = origin
    }
}
