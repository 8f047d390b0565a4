package import CampaignCore

/// Finds people in the sorted audience without reading all of it.
extension PlannedAudience {
    /// An evenly spread sample, in name order, which is always the same for the same audience.
    package func spread(_ wanted: Int) async throws -> [AudienceMember] {
        let count = plan.counts.final
        guard count > wanted else { return try await people.page(after: 0, limit: count) }
        var members: [AudienceMember] = []
        for index in 0..<wanted {
            let before = (2 * index + 1) * count / (2 * wanted)
            members += try await people.page(after: before, limit: 1)
        }
        return members
    }

    package func member(named name: Username) async throws -> AudienceMember? {
        let member = try await people.page(after: place(of: name), limit: 1).first
        return member?.username == name ? member : nil
    }

    /// The people before and after a name, in name order.
    package func neighbors(of name: Username, limit: Int) async throws -> [AudienceMember] {
        let first = max(0, try await place(of: name) - limit / 2)
        return try await people.page(after: first, limit: limit)
    }

    private func place(of name: Username) async throws -> Int {
        var (low, high) = (0, plan.counts.final)
        while low < high {
            let middle = (low + high) / 2
            guard let member = try await people.page(after: middle, limit: 1).first else {
                high = middle
                continue
            }
            if member.username < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
