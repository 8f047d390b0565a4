package import CampaignCore

package struct ForgettingSorter: AudienceSorter {
    private let sorter: any AudienceSorter
    private let ledger: any RunLedger

    package init(_ sorter: any AudienceSorter, besides ledger: any RunLedger) {
        self.sorter = sorter
        self.ledger = ledger
    }

    package func add(_ members: [AudienceMember]) async throws {
        try await sorter.add(members)
        let gone = try await ledger.forgotten(among: members.map(\.username))
        guard !gone.isEmpty else { return }
        try await sorter.exclude(members.filter { gone.contains($0.username) })
    }

    package func exclude(_ members: [AudienceMember]) async throws {
        try await sorter.exclude(members)
    }

    package func keep(_ people: [Username]) async throws {
        try await sorter.keep(people)
    }

    package func settle(only: [Username]?) async throws -> AudienceCounts {
        try await sorter.settle(only: only)
    }

    package func valueConflicts() async -> ValueConflicts {
        await sorter.valueConflicts()
    }

    package func unmatchedExclusions() async -> [Int: Int] {
        await sorter.unmatchedExclusions()
    }

    package func caseConflicts(limit: Int) async throws -> [CaseConflict] {
        try await sorter.caseConflicts(limit: limit)
    }

    package func zones() async throws -> [ZoneCount] {
        try await sorter.zones()
    }

    package func arrange(_ waves: [[String?]]) async throws {
        try await sorter.arrange(waves)
    }

    package func page(after number: Int, limit: Int) async throws -> [AudienceMember] {
        try await sorter.page(after: number, limit: limit)
    }
}

extension PeopleChoice {
    /// Removes forgotten testers; ``ForgettingSorter`` removes members of the audience.
    package func withoutForgotten(in ledger: any RunLedger) async throws -> PeopleChoice {
        guard case .rehearsal(let rehearsal) = self else { return self }
        let gone = try await ledger.forgotten(among: rehearsal.people)
        return .rehearsal(
            Rehearsal(
                people: rehearsal.people, testers: rehearsal.testers.subtracting(gone),
                model: rehearsal.model))
    }
}
