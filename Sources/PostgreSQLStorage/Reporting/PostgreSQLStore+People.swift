package import CampaignCore

extension PostgreSQLStore {
    package func rest(
        of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int
    ) async throws -> (people: [RestMember], last: Int?) {
        // Accepted people are not part of the rest.
        let outcomes = outcomes.subtracting([.accepted])
        return try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientPage(of: stored, after: number, limit: recipients, db)
            var members: [(person: Int, platforms: Set<Platform>)] = []
            for delivery in try page.deliveries(of: stored, db)
            where outcomes.contains(delivery.outcome) {
                if members.last?.person != delivery.person {
                    members.append((delivery.person, []))
                }
                members[members.count - 1].platforms.insert(delivery.platform)
            }
            return (
                members.map {
                    RestMember(username: page.people[$0.person].name, platforms: $0.platforms)
                }, page.last
            )
        }
    }

    package func people(
        of run: RunID, with outcomes: Set<Outcome>?, fetched: Bool?, after number: Int,
        recipients: Int
    ) async throws -> (people: [Username], last: Int?) {
        try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientPage(of: stored, after: number, limit: recipients, db)
            var matching = Set(page.people.indices)
            if let outcomes {
                let found = try page.deliveries(of: stored, db)
                    .filter { outcomes.contains($0.outcome) }
                matching = Set(found.map(\.person))
            }
            if let fetched {
                let numbers = try page.fetched(of: stored, db)
                matching = matching.filter {
                    numbers.contains(page.people[$0].number) == fetched
                }
            }
            let names = page.people.indices.filter(matching.contains).map { page.people[$0].name }
            return (names.filter { $0 != .nameless }, page.last)
        }
    }
}
