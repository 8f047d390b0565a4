#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Which runs of one campaign are looked for; rehearsals are never among them.
///
/// The store applies all of it before the limit, so that other runs, however many, hide none.
package struct RunSearch: Hashable, Sendable {
    /// What kind of run it is.
    package enum Kind: Hashable, Sendable {
        /// A sending of the campaign itself.
        case sending
        /// A fallback that follows this run.
        case fallback(of: RunID)
    }

    package var campaign: String
    /// nil: through any hub.
    package var hub: HubIdentity?
    package var kind = Kind.sending
    /// nil: of any occurrence.
    package var occurrence: Occurrence?
    package var states = Set(RunState.allCases)
    /// nil: by any plan, or none.
    package var plan: PlanID?
    /// Leaves out runs that ended by this time.
    package var endedAfter: Date?
    /// Leaves out runs that started before this time.
    package var startedFrom: Date?
    package var limit: Int?

    package init(of campaign: String, at hub: HubIdentity?) {
        self.campaign = campaign
        self.hub = hub
    }

    /// What the occurrences of its runs match, as `LIKE` has it, or do not match.
    package var occurrences: (pattern: String, isMatched: Bool) {
        switch kind {
        case .sending:
            // A key that a person gave may begin with the same word.
            let anyRun = String(repeating: "_", count: RunID.length)
            return ("\(Occurrence.fallbackPrefix)\(anyRun)-%", false)
        case .fallback(let run): return ("\(Occurrence.fallbackPrefix)\(run)-%", true)
        }
    }
}
