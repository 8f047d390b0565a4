#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A search for runs, of one campaign or of all.
///
/// The store filters before it applies the limit, so other runs cannot hide a match.
package struct RunSearch: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case sending
        case fallback(of: RunID)
        /// Matches any run, including rehearsals.
        case any
    }

    package var campaign: String?
    package var hub: HubIdentity?
    package var kind = Kind.sending
    package var occurrence: Occurrence?
    package var states = Set(RunState.allCases)
    /// nil means runs with any plan or without one.
    package var plan: PlanID?
    package var endedAfter: Date?
    package var startedFrom: Date?
    package var limit: Int?

    package init(of campaign: String?, at hub: HubIdentity?) {
        self.campaign = campaign
        self.hub = hub
    }

    /// Runs of any kind that are not finished.
    package static func unfinished(of campaign: String?) -> RunSearch {
        var search = RunSearch(of: campaign, at: nil)
        search.kind = .any
        search.states.remove(.finished)
        return search
    }

    /// A `LIKE` pattern, and whether occurrences must or must not match it; nil means any
    /// occurrence.
    package var occurrences: (pattern: String, isMatched: Bool)? {
        switch kind {
        case .sending:
            // The whole form is matched, because a key chosen by a person may begin with the same
            // word.
            let anyRun = String(repeating: "_", count: RunID.length)
            return ("\(Occurrence.fallbackPrefix)\(anyRun)-%", false)
        case .fallback(let run): return ("\(Occurrence.fallbackPrefix)\(run)-%", true)
        case .any: return nil
        }
    }
}
