package import CampaignCore

/// The people whom an earlier run did not reach: those whose deliveries had certain outcomes, on the platforms of these deliveries.
///
/// The rest for a fallback are the people whose deliveries were accepted and who have fetched nothing.
package struct RestOfRun: Sendable {
    private static let batch = 5_000

    /// The earlier run, which is finished.
    package let run: RunID
    /// The outcomes of the deliveries that belong to the rest.
    package let outcomes: Set<Outcome>
    /// The fallbacks that the run has had already; nil: this is not the rest for a fallback.
    private let fallbacks: [RunID]?
    private let ledger: any RunLedger

    /// - Parameters:
    ///   - run: the earlier run, which is finished.
    ///   - outcomes: the outcomes of its deliveries that belong to the rest.
    ///   - ledger: where it is kept.
    package init(of run: RunID, outcomes: Set<Outcome>, in ledger: any RunLedger) {
        self.run = run
        self.outcomes = outcomes
        self.fallbacks = nil
        self.ledger = ledger
    }

    private init(fallingBackFrom run: RunID, besides fallbacks: [RunID], in ledger: any RunLedger) {
        self.run = run
        self.outcomes = [.accepted]
        self.fallbacks = fallbacks
        self.ledger = ledger
    }

    /// The people for whom a fallback of a run is.
    ///
    /// A person gets at most one fallback of a run, on the platforms on which the run had reached them by then.
    ///
    /// - Parameters:
    ///   - parent: the run.
    ///   - ledger: where runs are kept.
    /// - Returns: the people who were reached, have fetched on no platform, and were in no fallback of the run; may be nobody.
    /// - Throws: what the ledger throws.
    package static func unfetched(
        of parent: RunRecord, in ledger: any RunLedger
    ) async throws -> RestOfRun {
        // A fallback whose staging was interrupted has reached nobody: it is staged anew.
        let begun = try await Sendings(of: parent.campaign, at: parent.hub, in: ledger)
            .fallbacks(of: parent.id).filter { $0.state != .staging }
        return RestOfRun(fallingBackFrom: parent.id, besides: begun.map(\.id), in: ledger)
    }

    /// Whether it is for a fallback.
    package var isFallback: Bool { fallbacks != nil }

    /// The rest of the last finished run of a campaign.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - outcomes: the outcomes of its deliveries that belong to the rest.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept.
    /// - Returns: the rest, which may be nobody; nil when no run is finished.
    /// - Throws: what the ledger throws.
    package static func last(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: any RunLedger
    ) async throws -> RestOfRun? {
        try await Sendings(of: campaign, at: hub, in: ledger).lastFinished.map {
            RestOfRun(of: $0.id, outcomes: outcomes, in: ledger)
        }
    }

    /// Goes through the people in name order, a page at a time.
    func walk() -> Walk { Walk(rest: self) }

    /// A walk through the people, forwards only.
    struct Walk {
        private let rest: RestOfRun
        private var people: ArraySlice<RestMember> = []
        /// Where the next page begins; nil: no page is left.
        private var number: Int? = 0
        /// The people of earlier fallbacks.
        private var earlier: [PeopleWalk]

        fileprivate init(rest: RestOfRun) {
            self.rest = rest
            earlier = (rest.fallbacks ?? []).map { PeopleWalk(of: $0, in: rest.ledger) }
        }

        /// The next people; empty at the end.
        ///
        /// - Throws: what the ledger throws.
        mutating func page() async throws -> [RestMember] {
            while people.isEmpty, try await readOn() {}
            defer { people = [] }
            return Array(people)
        }

        /// The platforms of a person, who must come after all who were asked for before; empty when the person is not part of the rest.
        ///
        /// - Throws: what the ledger throws.
        mutating func platforms(of username: Username) async throws -> Set<Platform> {
            while true {
                while let first = people.first, first.username < username { people.removeFirst() }
                if let first = people.first {
                    return first.username == username ? first.platforms : []
                }
                guard try await readOn() else { return [] }
            }
        }

        /// Reads a page, which may hold nobody; false at the end.
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

        /// Reads a page of people who have fetched nothing, for a fallback; it may hold nobody, and is false at the end.
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

    /// The people who were reached and have fetched nothing, with the platforms on which they were reached.
    ///
    /// People whose payload was taken back have nothing to fetch, and are left out.
    ///
    /// - Parameter rows: rows of a report in order, with all rows of each person.
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

/// A walk through the people of a run in name order, forwards only.
private struct PeopleWalk {
    private static let batch = 5_000

    private let run: RunID
    private let ledger: any RunLedger
    private var people: ArraySlice<Username> = []
    /// Where the next page begins; nil: no page is left.
    private var number: Int? = 0

    init(of run: RunID, in ledger: any RunLedger) {
        self.run = run
        self.ledger = ledger
    }

    /// Takes the run's people out of others; across calls, these come in name order.
    ///
    /// - Throws: what the ledger throws.
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
