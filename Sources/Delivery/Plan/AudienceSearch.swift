package import CampaignCore

/// Finds single people in an audience by the order of their names, without reading all of it.
package struct AudienceSearch: Sendable {
    private let people: any AudiencePages
    private let count: Int

    /// - Parameters:
    ///   - people: the audience.
    ///   - count: how many people it has.
    package init(_ people: any AudiencePages, count: Int) {
        self.people = people
        self.count = count
    }

    /// People spread evenly over the audience, in name order; the same for the same audience.
    ///
    /// - Parameter wanted: how many, at least 1.
    /// - Returns: as many, or all where there are fewer.
    /// - Throws: what the audience throws.
    package func spread(_ wanted: Int) async throws -> [AudienceMember] {
        guard count > wanted else { return try await people.page(after: 0, limit: count) }
        var members: [AudienceMember] = []
        for index in 0..<wanted {
            let before = (2 * index + 1) * count / (2 * wanted)
            members += try await people.page(after: before, limit: 1)
        }
        return members
    }

    /// A person of the audience; nil when nobody has this name.
    ///
    /// - Throws: what the audience throws.
    package func member(named name: Username) async throws -> AudienceMember? {
        let member = try await people.page(after: place(of: name), limit: 1).first
        return member?.username == name ? member : nil
    }

    /// The people around the place where a name would stand, in name order.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - limit: how many.
    /// - Throws: what the audience throws.
    package func neighbors(of name: Username, limit: Int) async throws -> [AudienceMember] {
        let first = max(0, try await place(of: name) - limit / 2)
        return try await people.page(after: first, limit: limit)
    }

    /// How many people come before a name.
    private func place(of name: Username) async throws -> Int {
        var (low, high) = (0, count)
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
