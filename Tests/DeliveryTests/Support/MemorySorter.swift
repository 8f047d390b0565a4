import CampaignCore

/// Sorts an audience in memory by the rules of the port.
actor MemorySorter: AudienceSorter {
    private var named: [AudienceMember] = []
    private var left: Set<Username> = []
    private var kept: Set<Username>?
    private var final: [AudienceMember] = []
    private(set) var largestBatch = 0
    private var conflicts = ValueConflicts()

    func add(_ members: [AudienceMember]) {
        largestBatch = max(largestBatch, members.count)
        named += members
    }

    func exclude(_ members: [AudienceMember]) {
        left.formUnion(members.map(\.username))
    }

    func keep(_ people: [Username]) {
        kept = (kept ?? []).union(people)
    }

    func settle(only: [Username]?) -> AudienceCounts {
        var first: [Username: AudienceMember] = [:]
        for member in named where first[member.username] == nil { first[member.username] = member }
        let different = first.count
        if let kept { first = first.filter { kept.contains($0.key) } }
        let excluded = first.keys.filter(left.contains).count
        let wanted = only.map(Set.init)
        final = first.values
            .filter { !left.contains($0.username) && wanted?.contains($0.username) != false }
            .sorted { $0.username < $1.username }
        var others: [Username: AudienceMember] = [:]
        for member in named where others[member.username] == nil {
            if member.values != first[member.username]?.values { others[member.username] = member }
        }
        for member in final {
            guard let other = others[member.username] else { continue }
            conflicts.add(ValueConflicts.Example(first: member, other: other))
        }
        return AudienceCounts(
            named: named.count, duplicate: named.count - different, excluded: excluded,
            final: final.count)
    }

    func valueConflicts() -> ValueConflicts { conflicts }

    func caseConflicts(limit: Int) -> [CaseConflict] {
        let groups = Dictionary(grouping: final) { $0.username.text.lowercased() }
        let pairs = groups.values.filter { $0.count > 1 }.map { group in
            CaseConflict(first: group[0], second: group[1])
        }
        return Array(pairs.sorted { $0.first.username < $1.first.username }.prefix(limit))
    }

    func page(after number: Int, limit: Int) -> [AudienceMember] {
        Array(final.dropFirst(number).prefix(limit))
    }
}
