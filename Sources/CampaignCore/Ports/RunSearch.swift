#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A search for runs, of one campaign or of all.
///
/// The store applies it before the limit, so that other runs hide none.
package struct RunSearch: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case sending
        case fallback(of: RunID)
        /// Rehearsals too.
        case any
    }

    package var campaign: String?
    package var hub: HubIdentity?
    package var kind = Kind.sending
    package var occurrence: Occurrence?
    package var states = Set(RunState.allCases)
    /// nil: any plan, or none.
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

    /// A pattern for `LIKE`, and whether occurrences must match it; nil: any may be found.
    package var occurrences: (pattern: String, isMatched: Bool)? {
        switch kind {
        case .sending:
            // A person's own key may begin with the same word.
            let anyRun = String(repeating: "_", count: RunID.length)
            return ("\(Occurrence.fallbackPrefix)\(anyRun)-%", false)
        case .fallback(let run): return ("\(Occurrence.fallbackPrefix)\(run)-%", true)
        case .any: return nil
        }
    }
}
