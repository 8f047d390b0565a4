package import CampaignCore

/// The people an earlier run did not reach: deliveries with certain outcomes, by platform.
///
/// For a fallback: people with an accepted delivery who fetched nothing.
package struct RestOfRun: Sendable {
    private static let batch = 5_000

    package let run: RunID
    package let outcomes: Set<Outcome>
    /// nil: not for a fallback.
    private let fallbacks: [RunID]?
    private let ledger: any RunHistory

    package init(of run: RunID, outcomes: Set<Outcome>, in ledger: any RunHistory) {
        self.run = run
        self.outcomes = outcomes
        self.fallbacks = nil
        self.ledger = ledger
    }

    private init(fallingBackFrom run: RunID, besides fallbacks: [RunID], in ledger: any RunHistory)
    {
        self.run = run
        self.outcomes = [.accepted]
        self.fallbacks = fallbacks
        self.ledger = ledger
    }

    /// The people for a fallback: reached, nothing fetched, in no earlier fallback of the run.
    ///
    /// A person gets at most one fallback of a run, on the platforms that reached them by then.
    package static func unfetched(
        of parent: RunRecord, in ledger: any RunHistory
    ) async throws -> RestOfRun {
        // A fallback whose staging was interrupted has reached nobody and is staged again.
        let begun = try await Sendings(of: parent.campaign, at: parent.hub, in: ledger)
            .fallbacks(of: parent.id).filter { $0.state != .staging }
        return RestOfRun(fallingBackFrom: parent.id, besides: begun.map(\.id), in: ledger)
    }

    package var isFallback: Bool { fallbacks != nil }

    /// The rest of a campaign's last finished run; nil if no run is finished.
    package static func last(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: any RunHistory
    ) async throws -> RestOfRun? {
        try await Sendings(of: campaign, at: hub, in: ledger).lastFinished.map {
            RestOfRun(of: $0.id, outcomes: outcomes, in: ledger)
        }
    }

    func walk() -> Walk { Walk(rest: self) }

    /// Forwards only.
    struct Walk {
        private let rest: RestOfRun
        private var people: ArraySlice<RestMember> = []
        /// nil at the end.
        private var number: Int? = 0
        private var earlier: [PeopleWalk]

        fileprivate init(rest: RestOfRun) {
            self.rest = rest
            earlier = (rest.fallbacks ?? []).map { PeopleWalk(of: $0, in: rest.ledger) }
        }

        /// Empty at the end.
        mutating func page() async throws -> [RestMember] {
            while people.isEmpty, try await readOn() {}
            defer { people = [] }
            return Array(people)
        }

        /// Ask in name order; empty if the person is not in the rest.
        mutating func platforms(of username: Username) async throws -> Set<Platform> {
            while true {
                while let first = people.first, first.username < username { people.removeFirst() }
                if let first = people.first {
                    return first.username == username ? first.platforms : []
                }
                guard try await readOn() else { return [] }
            }
        }

        /// Reads a page, which may be empty; false at the end.
        private mutating func readOn() async throws -> Bool {
            guard let number else { return false }
            try Task.checkCancellation()
            guard !rest.isFallback else { return try await readUnfetched(after: number) }
            let page = try await rest.ledger.rest(
                of: rest.run, with: rest.outcomes, after: number, recipients: RestOfRun.batch)
            people = page.people[...]
            self.number = page.last
            return page.last != nil
        }

        /// Like ``readOn()``, for a fallback.
        private mutating func readUnfetched(after number: Int) async throws -> Bool {
            let page = try await rest.ledger.reportPage(
                rest.run, after: number, recipients: RestOfRun.batch)
            var found = RestOfRun.unfetched(in: page.rows)
            for index in earlier.indices { found = try await earlier[index].removed(from: found) }
            people = found[...]
            self.number = page.rows.isEmpty ? nil : page.last
            return self.number != nil
        }
    }

    /// People who were reached and fetched nothing, with the platforms that reached them.
    ///
    /// Leaves out people whose payload was revoked. `rows` are ordered, and complete for each
    /// person.
    static func unfetched(in rows: [ReportRow]) -> [RestMember] {
        var people: [RestMember] = []
        for row in rows
        where row.outcome == .accepted && row.fetchedAt == nil && row.revokedAt == nil
            && row.recipient != .nameless
        {
            var platforms: Set = [row.platform]
            if let last = people.last, last.username == row.recipient {
                platforms.formUnion(last.platforms)
                people.removeLast()
            }
            people.append(RestMember(username: row.recipient, platforms: platforms))
        }
        return people
    }
}

/// A walk through a run's people by name, forwards only.
private struct PeopleWalk {
    private static let batch = 5_000

    private let run: RunID
    private let ledger: any RunHistory
    private var people: ArraySlice<Username> = []
    /// nil at the end.
    private var number: Int? = 0

    init(of run: RunID, in ledger: any RunHistory) {
        self.run = run
        self.ledger = ledger
    }

    /// Removes the run's people from others, which come in name order across calls.
    mutating func removed(from members: [RestMember]) async throws -> [RestMember] {
        var left: [RestMember] = []
        for member in members {
            while let first = people.first, first < member.username { people.removeFirst() }
            while people.isEmpty, let number {
                let page = try await ledger.people(
                    of: run, with: nil, fetched: nil, after: number, recipients: Self.batch)
                people = page.people.drop { $0 < member.username }
                self.number = page.last
            }
            if people.first != member.username { left.append(member) }
        }
        return left
    }
}
