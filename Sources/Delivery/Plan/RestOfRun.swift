package import CampaignCore

/// The people whom an earlier run did not reach: those whose deliveries ended in certain ways, on the platforms where they did.
package struct RestOfRun: Sendable {
    private static let batch = 5_000

    /// The earlier run, which is finished.
    package let run: RunID
    /// The ways.
    package let outcomes: Set<Outcome>
    private let ledger: any RunLedger

    /// - Parameters:
    ///   - run: the earlier run, which is finished.
    ///   - outcomes: the ways in which its deliveries ended.
    ///   - ledger: where it is kept.
    package init(of run: RunID, outcomes: Set<Outcome>, in ledger: any RunLedger) {
        self.run = run
        self.outcomes = outcomes
        self.ledger = ledger
    }

    /// The rest of the last finished run of a campaign.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - outcomes: the ways in which its deliveries ended.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept.
    /// - Returns: the rest, which may be nobody; nil when no run is finished.
    /// - Throws: what the ledger throws.
    package static func last(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: any RunLedger
    ) async throws -> RestOfRun? {
        let sendings = try await Sendings(of: campaign, at: hub, in: ledger)
        return sendings.lastFinished.map { RestOfRun(of: $0.id, outcomes: outcomes, in: ledger) }
    }

    /// Goes through the people in name order, a page at a time.
    func walk() -> Walk { Walk(rest: self) }

    /// A walk through the people, forwards only.
    struct Walk {
        private let rest: RestOfRun
        private var people: ArraySlice<RestMember> = []
        /// Where the next page begins; nil: there is none.
        private var number: Int? = 0

        fileprivate init(rest: RestOfRun) {
            self.rest = rest
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
            let page = try await rest.ledger.rest(
                of: rest.run, with: rest.outcomes, after: number, recipients: RestOfRun.batch)
            people = page.people[...]
            self.number = page.last
            return page.last != nil
        }
    }
}
