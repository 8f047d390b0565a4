/// How many people a campaign may reach; who they are comes from ``AudienceSource``, and from earlier runs.
package struct AudienceRule: Hashable, Sendable {
    /// Fewer final recipients than this refuse the run as a truncated export; at least 1.
    package let minimum: Int
    /// More final recipients than this refuse the run as a mistake; nil for no bound.
    package var maximum: Int?
    /// The earlier runs whose people it names besides those of its files.
    package let runs: [RunSelection]
    /// The earlier runs whose people it leaves out.
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

/// How a campaign's audience came about, in people.
package struct AudienceCounts: Hashable, Sendable, Codable {
    /// Names read, repeats included.
    package var named: Int
    /// Repeats of a name.
    package var duplicate: Int
    /// Different people taken out because they are excluded.
    package var excluded: Int
    /// Who is left: the recipients.
    package var final: Int

    package init(named: Int = 0, duplicate: Int = 0, excluded: Int = 0, final: Int = 0) {
        self.named = named
        self.duplicate = duplicate
        self.excluded = excluded
        self.final = final
    }
}

/// Why a campaign cannot be sent to its audience, found while the audience was sorted and the bodies were measured.
package indirect enum AudienceFault: Hashable, Sendable {
    /// Nobody is left to send to. `excluded` people were taken out.
    case empty(excluded: Int)
    case tooFew(final: Int, minimum: Int)
    case tooMany(final: Int, maximum: Int)
    case caseConflict(CaseConflict)
    /// A recipient has no value for a variable that has no default.
    case missingVariable(name: String, member: AudienceMember)
    /// A body is over the platform's limit; `member` is the recipient with the largest, where it differs, and `language` the one in which
    /// it is; nil: the texts for everybody whose language has none of its own.
    case bodyTooLarge(
        platform: Platform, bytes: Int, limit: Int, language: LanguageTag? = nil,
        member: AudienceMember?)
    /// A value has a character that the platform's XML cannot hold.
    case unwritable(Unicode.Scalar, platform: Platform, member: AudienceMember?)
    /// What is wrong with the push of `delivery.fallback`.
    case inFallback(AudienceFault)

    /// Whether it says how many people there are.
    package var isAboutSize: Bool {
        switch self {
        case .empty, .tooFew, .tooMany: true
        case .caseConflict, .missingVariable, .bodyTooLarge, .unwritable, .inFallback: false
        }
    }
}

/// Two names that differ only in case: one of them is a mistake, and a hub may take them for one.
package struct CaseConflict: Hashable, Sendable {
    package let first: AudienceMember
    package let second: AudienceMember

    package init(first: AudienceMember, second: AudienceMember) {
        self.first = first
        self.second = second
    }
}

/// People of a campaign's last finished run whom another audience names, or leaves out.
package struct RunSelection: Hashable, Sendable {
    /// The campaign's name.
    package let campaign: String
    /// Only people with a delivery that ended in one of these ways; nil: all whom the run was for.
    package let outcomes: Set<Outcome>?
    /// Only people who fetched the payload, or only those who did not; nil: both.
    package let fetched: Bool?
    /// Whether the campaign may have no finished run yet, so that this leaves nobody out.
    package let allowsNone: Bool
    /// Where the campaign file names them, which is where a fault about one of them stands.
    package let origin: AudienceOrigin

    package init(
        campaign: String, outcomes: Set<Outcome>? = nil, fetched: Bool? = nil,
        allowsNone: Bool = false, origin: AudienceOrigin
    ) {
        self.campaign = campaign
        self.outcomes = outcomes
        self.fetched = fetched
        self.allowsNone = allowsNone
        self.origin = origin
    }
}
