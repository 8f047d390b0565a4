package import CampaignCore

/// People that an earlier run did not reach, with the platforms whose deliveries have certain
/// outcomes.
///
/// For a fallback, they are the people with an accepted delivery who fetched nothing.
package struct UnreachedPeople: Sendable {
    package let run: RunID
    package let outcomes: Set<Outcome>
    /// Earlier fallbacks, whose people are left out; nil for a follow-up run.
    private var fallbacks: [RunID]?
    private let ledger: any RunHistory

    package init(of run: RunID, outcomes: Set<Outcome>, in ledger: any RunHistory) {
        self.run = run
        self.outcomes = outcomes
        self.ledger = ledger
    }

    /// The people of a fallback: they were reached, fetched nothing, and are in no earlier fallback
    /// of the run.
    ///
    /// A person gets no more than one fallback per run, on the platforms that have reached them so
    /// far.
    package static func unfetched(
        of parent: RunRecord, in ledger: any RunHistory
    ) async throws -> UnreachedPeople {
        var unreached = UnreachedPeople(of: parent.id, outcomes: [.accepted], in: ledger)
        // A fallback whose staging was interrupted has reached nobody and is staged again.
        unreached.fallbacks = try await ledger.fallbacks(of: parent)
            .filter { $0.state != .staging }.map(\.id)
        return unreached
    }

    package var isFallback: Bool { fallbacks != nil }

    /// The people that a campaign's last finished run did not reach; nil if no run has finished.
    package static func last(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: any RunHistory
    ) async throws -> UnreachedPeople? {
        try await ledger.lastFinished(of: campaign, at: hub).map {
            UnreachedPeople(of: $0.id, outcomes: outcomes, in: ledger)
        }
    }

    func walk() -> PeopleWalk<UnreachedPerson> {
        let (run, outcomes, ledger) = (run, outcomes, ledger)
        guard let fallbacks else {
            return PeopleWalk(\.username) {
                try await ledger.unreached(of: run, with: outcomes, after: $0, recipients: $1)
            }
        }
        var earlier = fallbacks.map { run in
            PeopleWalk<Username>(\.self) {
                try await ledger.people(
                    of: run, with: nil, fetched: nil, after: $0, recipients: $1)
            }
        }
        return PeopleWalk(\.username) { number, limit in
            let page = try await ledger.reportPage(run, after: number, recipients: limit)
            var people: [UnreachedPerson] = []
            for member in Self.unfetched(in: page.rows) {
                var isNew = true
                for index in earlier.indices where isNew {
                    isNew = try await earlier[index].person(named: member.username) == nil
                }
                if isNew { people.append(member) }
            }
            return (people, page.rows.isEmpty ? nil : page.last)
        }
    }

    /// People who were reached and fetched nothing, with the platforms that reached them.
    ///
    /// People whose payload was revoked are left out. `rows` must be sorted and complete for each
    /// person.
    static func unfetched(in rows: [ReportRow]) -> [UnreachedPerson] {
        var people: [UnreachedPerson] = []
        for row in rows
        where row.outcome == .accepted && row.fetchedAt == nil && row.revokedAt == nil
            && row.recipient != .nameless
        {
            var platforms: Set = [row.platform]
            if let last = people.last, last.username == row.recipient {
                platforms.formUnion(last.platforms)
                people.removeLast()
            }
            people.append(UnreachedPerson(username: row.recipient, platforms: platforms))
        }
        return people
    }
}

/// Reads people in name order.
struct PeopleWalk<Person> {
    /// Reads the people after a number; `last` is the number to continue after, nil at the end.
    private let read: (_ number: Int, _ limit: Int) async throws -> (people: [Person], last: Int?)
    private let name: (Person) -> Username
    private var people: ArraySlice<Person> = []
    /// nil at the end.
    private var number: Int? = 0

    init(
        _ name: @escaping (Person) -> Username,
        _ read: @escaping (Int, Int) async throws -> (people: [Person], last: Int?)
    ) {
        self.name = name
        self.read = read
    }

    /// A page, which may be empty; nil at the end.
    mutating func page() async throws -> [Person]? {
        guard let number else { return nil }
        try Task.checkCancellation()
        let page = try await read(number, CampaignPlanner.batch)
        self.number = page.last
        return page.people
    }

    /// Finds a person; call in name order.
    mutating func person(named username: Username) async throws -> Person? {
        while true {
            people = people.drop { name($0) < username }
            if let first = people.first { return name(first) == username ? first : nil }
            guard let page = try await page() else { return nil }
            people = page[...]
        }
    }
}
