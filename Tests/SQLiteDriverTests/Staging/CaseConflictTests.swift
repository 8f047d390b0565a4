import CampaignCore
import TestSupport
import Testing

@testable import SQLiteDriver

/// Tests the search for names that differ only in case, compared with a search over all pairs.
@Suite(.bounded) struct CaseConflictTests {
    struct Pair: Hashable, Comparable {
        var first: String
        var second: String

        static func < (left: Pair, right: Pair) -> Bool {
            (left.first, left.second) < (right.first, right.second)
        }
    }

    @Test("Two usernames conflict only if they differ just in case", arguments: UInt64(1)...20)
    func twoUsernamesConflictOnlyIfTheyDifferJustInCase(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let named = names(60, using: &generator)
        let excluded = names(Int.random(in: 0...30, using: &generator), using: &generator)
        let folder = try TemporaryFolder()
        // Small enough that spellings are sorted in many parts.
        let sorter = try SQLiteSorter(besideStoreAt: folder.file("store.sqlite"), cache: 500)
        try await sorter.add(members(named))
        try await sorter.exclude(members(excluded))
        _ = try await sorter.settle(only: nil)

        let people = Set(named).subtracting(excluded).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        let (neighbours, missed) = conflicts(people, excluded: Set(excluded))
        let found = try await sorter.caseConflicts(limit: 10_000)
            .map { Pair(first: $0.first.username.text, second: $0.second.username.text) }
        #expect(Array(found.prefix(neighbours.count)) == neighbours)
        #expect(found.dropFirst(neighbours.count).sorted() == missed.sorted())
        for limit in [0, 1, 3] {
            let some = try await sorter.caseConflicts(limit: limit)
            #expect(
                some.map { $0.first.username.text } == found.prefix(limit).map(\.first),
                "limit \(limit)")
        }
    }

    /// The pairs of recipients, and the pairs of a recipient and an exclusion, that differ only in
    /// case.
    private func conflicts(
        _ people: [String], excluded: Set<String>
    ) -> (neighbours: [Pair], missed: [Pair]) {
        var neighbours: [Pair] = []
        var missed: [Pair] = []
        for (index, name) in people.enumerated() {
            let spelling = name.lowercased()
            if let next = people[(index + 1)...].first(where: { $0.lowercased() == spelling }) {
                neighbours.append(Pair(first: name, second: next))
            }
            for other in excluded where other != name && other.lowercased() == spelling {
                missed.append(Pair(first: name, second: other))
            }
        }
        return (neighbours, missed)
    }

    /// Short names of few letters, so that many are nearly the same.
    private func names(_ count: Int, using generator: inout SeededGenerator) -> [String] {
        (0..<count).map { _ in
            let length = Int.random(in: 1...3, using: &generator)
            return String((0..<length).map { _ in "abAB_".randomElement(using: &generator) ?? "a" })
        }
    }

    private func members(_ names: [String]) -> [AudienceMember] {
        names.enumerated().map { index, name in
            AudienceMember(
                username: Username(checked: name), origin: AudienceOrigin(file: 1, line: index + 1))
        }
    }
}
