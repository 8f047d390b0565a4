package import CampaignCore

extension RelationalStore {
    package func unreached(
        of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int
    ) async throws -> (people: [UnreachedPerson], last: Int?) {
        // People with an accepted push are not part of a follow-up run.
        let outcomes = outcomes.subtracting([.accepted])
        return try await query { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientPage(of: stored, after: number, limit: recipients, db)
            let platforms = try page.platforms(with: outcomes, of: stored, db)
            let members = zip(page.people, platforms).compactMap { person, platforms in
                person.name == .nameless || platforms.isEmpty
                    ? nil : UnreachedPerson(username: person.name, platforms: platforms)
            }
            return (members, page.last)
        }
    }

    package func people(
        of run: RunID, with outcomes: Set<Outcome>?, fetched: Bool?, after number: Int,
        recipients: Int
    ) async throws -> (people: [Username], last: Int?) {
        try await query { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientPage(of: stored, after: number, limit: recipients, db)
            var isMeant = page.people.map { $0.name != .nameless }
            if let outcomes {
                let platforms = try page.platforms(with: outcomes, of: stored, db)
                for (person, platforms) in platforms.enumerated() where platforms.isEmpty {
                    isMeant[person] = false
                }
            }
            if let fetched {
                var hasFetched = page.people.map { _ in false }
                try page.rows("fetched", from: "receipts", of: stored, db) { person, row in
                    hasFetched[person] = !row.isNull(1)
                }
                for (person, found) in hasFetched.enumerated() where found != fetched {
                    isMeant[person] = false
                }
            }
            return (zip(page.people, isMeant).filter { $0.1 }.map { $0.0.name }, page.last)
        }
    }
}

extension RecipientPage {
    /// The platforms on which each person has one of these outcomes, excluding deliveries that were
    /// not requested.
    fileprivate func platforms(
        with outcomes: Set<Outcome>, of run: StoredRun, _ db: any SQLConnection
    ) throws -> [Set<Platform>] {
        var found: [Set<Platform>] = people.map { _ in [] }
        for platform in try RunPlatform.all(of: run, db) {
            var isFound = people.map { _ in outcomes.contains(.notAttempted) }
            try rows(
                "state, skip_reason", from: "deliveries", on: platform, of: run, db
            ) { person, row in
                let outcome = try row.state(1).outcome
                let isAskedFor = try row.optionalInt(2) != SkipReason.notAskedFor.number
                isFound[person] = isAskedFor && outcomes.contains(outcome)
            }
            for (person, isFound) in isFound.enumerated() where isFound {
                found[person].insert(platform.platform)
            }
        }
        return found
    }
}
