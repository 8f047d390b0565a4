import CampaignCore
import Foundation
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct SQLiteSorterTests {
    let folder: TemporaryFolder
    let sorter: SQLiteSorter

    init() throws {
        folder = try TemporaryFolder()
        sorter = try SQLiteSorter(besideStoreAt: folder.file("store.sqlite"))
    }

    private func recipients() async throws -> [String] {
        try await sorter.page(after: 0, limit: 1_000).map(\.username.text)
    }

    @Test("People are sorted by bytes and counted once")
    func peopleAreSortedByBytesAndCountedOnce() async throws {
        try await sorter.add(Samples.members("bob", "alice", "bob", "_x", "Zoe", "bob"))
        let counts = try await sorter.settle(only: nil)
        #expect(counts == AudienceCounts(named: 6, duplicate: 2, excluded: 0, final: 4))
        #expect(try await recipients() == ["Zoe", "_x", "alice", "bob"])
    }

    @Test("Excluded people are removed, and unknown exclusions are accepted")
    func excludedPeopleAreRemovedAndUnknownExclusionsAreAccepted() async throws {
        try await sorter.add(Samples.members("dan", "alice", "bob", "carol", "bob"))
        try await sorter.exclude(Samples.members("bob", "erin", "bob"))
        try await sorter.exclude(Samples.members("alice", "ALICE"))
        let counts = try await sorter.settle(only: nil)
        #expect(counts == AudienceCounts(named: 5, duplicate: 1, excluded: 2, final: 2))
        #expect(try await recipients() == ["carol", "dan"])
    }

    @Test("An exclusion that matches nobody is reported with its number of people")
    func exclusionThatMatchesNobodyIsReportedWithItsNumberOfPeople() async throws {
        func members(_ names: String..., file: Int) -> [AudienceMember] {
            names.map {
                AudienceMember(
                    username: Username(checked: $0), origin: AudienceOrigin(file: file, line: 1))
            }
        }
        try await sorter.add(members("alice", "bob", "alice", file: 1))
        try await sorter.exclude(members("bob", "dan", file: 2))
        try await sorter.exclude(members("dan", "erin", "dan", "Alice", file: 3))
        try await sorter.exclude(members("bob", file: 4))
        _ = try await sorter.settle(only: nil)
        #expect(await sorter.unmatchedExclusions() == [3: 3])
        try await sorter.clear()
        #expect(await sorter.unmatchedExclusions().isEmpty)
    }

    @Test("A rehearsal reaches only people in the audience")
    func rehearsalReachesOnlyPeopleInTheAudience() async throws {
        try await sorter.add(Samples.members("alice", "bob", "carol", "dan"))
        try await sorter.exclude(Samples.members("carol"))
        let only = ["dan", "carol", "stranger", "bob", "dan"].map { Username(checked: $0) }
        let counts = try await sorter.settle(only: only)
        #expect(counts == AudienceCounts(named: 4, duplicate: 0, excluded: 1, final: 2))
        #expect(try await recipients() == ["bob", "dan"])
    }

    @Test("If only some people are kept, only they are counted")
    func ifOnlySomePeopleAreKeptOnlyTheyAreCounted() async throws {
        try await sorter.keep(["dan", "bob"].map { Username(checked: $0) })
        try await sorter.add(Samples.members("carol", "bob", "alice", "bob", "dan", "erin"))
        try await sorter.exclude(Samples.members("dan", "alice"))
        try await sorter.keep(["stranger", "erin", "bob"].map { Username(checked: $0) })
        let counts = try await sorter.settle(only: nil)
        #expect(counts == AudienceCounts(named: 6, duplicate: 1, excluded: 1, final: 2))
        #expect(try await recipients() == ["bob", "erin"])
    }

    @Test("Emptied tables work like new tables") func emptiedTablesWorkLikeNewTables() async throws
    {
        try await sorter.keep(["dan"].map { Username(checked: $0) })
        try await sorter.add(Samples.members("dan", "Dan", "bob"))
        try await sorter.exclude(Samples.members("carol", "BOB"))
        _ = try await sorter.settle(only: nil)
        try await sorter.clear()
        #expect(try await recipients().isEmpty)
        try await sorter.add(Samples.members("carol", "bob", "bob"))
        let counts = try await sorter.settle(only: nil)
        #expect(counts == AudienceCounts(named: 3, duplicate: 1, excluded: 0, final: 2))
        #expect(try await recipients() == ["bob", "carol"])
        #expect(try await sorter.caseConflicts(limit: 10).isEmpty)
    }

    @Test("If nobody is kept, nobody is left") func ifNobodyIsKeptNobodyIsLeft() async throws {
        try await sorter.keep([])
        try await sorter.add(Samples.members("carol", "bob"))
        #expect(try await sorter.settle(only: nil).final == 0)
        #expect(try await recipients().isEmpty)
    }

    @Test("The first row of a repeated name is used, with its values")
    func firstRowOfARepeatedNameIsUsedWithItsValues() async throws {
        let name = Username(checked: "alice")
        let first = AudienceMember(
            username: name, values: ["Al", nil, "", "ü\u{0}\n"],
            origin: AudienceOrigin(file: 4095, line: 9_000_000))
        let second = AudienceMember(
            username: name, values: ["B"], origin: AudienceOrigin(file: 0, line: 1))
        try await sorter.add([first])
        try await sorter.add([second])
        _ = try await sorter.settle(only: nil)
        #expect(try await sorter.page(after: 0, limit: 5) == [first])
    }

    private func member(_ name: String, _ value: String?, line: Int) -> AudienceMember {
        AudienceMember(
            username: Username(checked: name), values: [value],
            origin: AudienceOrigin(file: 1, line: line))
    }

    /// Such as `alice 1 3`: her values are in line 1, and the first different values in line 3.
    private func conflicts() async -> [String] {
        await sorter.valueConflicts().examples.map { example in
            let name = example.first.username.text
            return "\(name) \(example.first.origin.line) \(example.other.origin.line)"
        }
    }

    @Test("A repeated name with different values is reported with both positions")
    func repeatedNameWithDifferentValuesIsReportedWithBothPositions() async throws {
        try await sorter.add([
            member("zoe", "Z", line: 1), member("alice", "A", line: 2), member("bob", "B", line: 3),
            member("alice", "A", line: 4), member("bob", "B", line: 5), member("zoe", nil, line: 6),
            member("alice", "", line: 7), member("alice", "C", line: 8),
        ])
        let counts = try await sorter.settle(only: nil)
        #expect(counts == AudienceCounts(named: 8, duplicate: 5, excluded: 0, final: 3))
        #expect(await conflicts() == ["alice 2 7", "zoe 1 6"])
        #expect(await sorter.valueConflicts().count == 2)
        #expect(try await sorter.page(after: 0, limit: 5).map(\.values) == [["A"], ["B"], ["Z"]])
    }

    @Test("Excluded people cause no value conflict")
    func excludedPeopleCauseNoValueConflict() async throws {
        try await sorter.add(
            ["alice", "bob", "carol"].flatMap { name in
                (1...2).map { member(name, "\($0)", line: $0) }
            })
        try await sorter.exclude(Samples.members("bob"))
        _ = try await sorter.settle(only: [Username(checked: "alice"), Username(checked: "bob")])
        #expect(await conflicts() == ["alice 1 2"])
        #expect(await sorter.valueConflicts().count == 1)
    }

    @Test("All value conflicts are counted, and a few are listed")
    func allValueConflictsAreCountedAndAFewAreListed() async throws {
        let sorter = try SQLiteSorter(besideStoreAt: folder.file("store.sqlite"), cache: 65_536)
        for round in 1...2 {
            try await sorter.add(
                (0..<10_000).map { member("user\($0 + 10_000)", "\(round)", line: round) })
        }
        _ = try await sorter.settle(only: nil)
        let conflicts = await sorter.valueConflicts()
        #expect(conflicts.count == 10_000)
        #expect(
            conflicts.examples.map(\.first.username.text)
                == (10_000..<10_005).map { "user\($0)" })
    }

    @Test("A record can be longer than the read buffer")
    func recordCanBeLongerThanTheReadBuffer() async throws {
        let sorter = try SQLiteSorter(besideStoreAt: folder.file("small.sqlite"), cache: 65_536)
        let people = Samples.names(12).enumerated().map { index, name in
            AudienceMember(
                username: name, values: [String(repeating: "v", count: 30_000 * index)],
                origin: AudienceOrigin(file: 0, line: index + 1))
        }
        try await sorter.add(people.reversed())
        #expect(try await sorter.settle(only: nil).final == 12)
        #expect(try await sorter.page(after: 0, limit: 20) == people)
    }

    @Test(
        "A person's values are kept unchanged",
        arguments: [[], [nil], ["", "x"], [String(repeating: "é", count: 70_000), nil]],
        [nil, LanguageTag("pt-BR")])
    func personsValuesAreKeptUnchanged(values: [String?], language: LanguageTag?) {
        for zone in [nil, "Asia/Kathmandu"] {
            let packed = PackedValues.pack(language, zone: zone, values)
            let unpacked = PackedValues.unpack(packed)
            #expect(unpacked.language == language)
            #expect(unpacked.zone == zone)
            #expect(unpacked.values == values)
            #expect(PackedValues.zone(in: packed ?? []) == zone)
        }
    }

    @Test("A language is kept, and a different language counts as a conflict")
    func languageIsKeptAndADifferentLanguageCountsAsAConflict() async throws {
        let people = ["de", nil, "fr", "pt-BR"].enumerated().map { index, tag in
            AudienceMember(
                username: Samples.names(4)[index], values: index == 2 ? ["x"] : [],
                language: tag.flatMap(LanguageTag.init),
                origin: AudienceOrigin(file: 1, line: index + 1))
        }
        let again = AudienceMember(
            username: people[0].username, language: LanguageTag("en"),
            origin: AudienceOrigin(file: 1, line: 9))
        try await sorter.add(people + [again])
        _ = try await sorter.settle(only: nil)
        #expect(try await sorter.page(after: 0, limit: 9) == people)
        #expect(await sorter.valueConflicts().examples.map(\.other.origin.line) == [9])
    }

    @Test("An empty audience has no recipients") func emptyAudienceHasNoRecipients() async throws {
        try await sorter.exclude(Samples.members("bob"))
        #expect(try await sorter.settle(only: nil) == AudienceCounts())
        #expect(try await recipients() == [])
        #expect(try await sorter.caseConflicts(limit: 5).isEmpty)
    }

    @Test("Pages of recipients are full and numbered from 1")
    func pagesOfRecipientsAreFullAndNumberedFrom1() async throws {
        let names = Samples.names(2_500)
        let members = names.map {
            AudienceMember(username: $0, origin: AudienceOrigin(file: 1, line: 1))
        }
        try await sorter.add(members.shuffled())
        try await sorter.exclude([members[0], members[1_000]])
        let counts = try await sorter.settle(only: nil)
        var read: [Username] = []
        while true {
            let page = try await sorter.page(after: read.count, limit: 1_000)
            if page.isEmpty { break }
            #expect(page.count == min(1_000, counts.final - read.count))
            read += page.map(\.username)
        }
        #expect(read == names.filter { $0 != names[0] && $0 != names[1_000] })
    }

    @Test("Names that differ only in case are found")
    func namesThatDifferOnlyInCaseAreFound() async throws {
        try await sorter.add(
            Samples.members("bob", "Alice", "ALICE", "zoe", "alice", "BOB", "Carol", "x_Y"))
        _ = try await sorter.settle(only: nil)
        let conflicts = try await sorter.caseConflicts(limit: 10)
        #expect(
            conflicts.map { [$0.first.username.text, $0.second.username.text] }
                == [
                    ["ALICE", "Alice"], ["Alice", "alice"], ["BOB", "bob"],
                ].sorted { $0[0] < $1[0] })
        #expect(conflicts.first?.first.origin == AudienceOrigin(file: 1, line: 3))
        #expect(try await sorter.caseConflicts(limit: 1).count == 1)
    }

    @Test("Excluded people do not conflict with each other")
    func excludedPeopleDoNotConflictWithEachOther() async throws {
        try await sorter.add(Samples.members("bob", "Bob", "carol"))
        try await sorter.exclude(Samples.members("Bob", "bob"))
        _ = try await sorter.settle(only: nil)
        #expect(try await sorter.caseConflicts(limit: 10).isEmpty)
    }

    /// Many names, some equal in their first eight bytes, in several sorted chunks.
    @Test("Several sorted chunks are merged into one order")
    func severalSortedChunksAreMergedIntoOneOrder() async throws {
        var generator = SeededGenerator(seed: 7)
        let letters = Array("AZabc_09.")
        var people: [AudienceMember] = []
        for line in 1...4_000 {
            let length = Int.random(in: 0...12, using: &generator)
            let end = String(
                (0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" })
            people.append(
                AudienceMember(
                    username: Username(checked: "name-" + end), values: ["\(line)"],
                    origin: AudienceOrigin(file: 1, line: line)))
        }
        let sorter = try SQLiteSorter(besideStoreAt: folder.file("store.sqlite"), cache: 10_000)
        for first in stride(from: 0, to: people.count, by: 300) {
            try await sorter.add(Array(people[first..<min(first + 300, people.count)]))
        }
        let left = Array(people.filter { $0.origin.line.isMultiple(of: 5) })
        try await sorter.exclude(left)
        let names = Set(left.map(\.username))
        var firsts: [Username: AudienceMember] = [:]
        for person in people where firsts[person.username] == nil {
            firsts[person.username] = person
        }
        let expected = firsts.values.filter { !names.contains($0.username) }
            .sorted { $0.username < $1.username }
        let counts = try await sorter.settle(only: nil)
        #expect(
            counts
                == AudienceCounts(
                    named: 4_000, duplicate: 4_000 - firsts.count,
                    excluded: firsts.count - expected.count, final: expected.count))
        #expect(try await sorter.page(after: 0, limit: 4_000) == expected)
        // Any page can be requested more than once.
        for start in [1_500, 0, 1_024, expected.count - 1, expected.count] {
            #expect(
                try await sorter.page(after: start, limit: 7)
                    == Array(expected.dropFirst(start).prefix(7)))
        }
    }

    @Test("A cancelled task stops sorting") func cancelledTaskStopsSorting() async throws {
        try await sorter.add(Samples.members("bob"))
        let task = Task { [sorter] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await sorter.settle(only: nil)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Sorting a small audience writes nothing to disk")
    func sortingASmallAudienceWritesNothingToDisk() async throws {
        let missing = folder.file("not/there/yet/store.sqlite")
        let sorter = try SQLiteSorter(besideStoreAt: missing)
        try await sorter.add(Samples.members("bob"))
        #expect(try await sorter.settle(only: nil).final == 1)
        #expect(sorter.place == .scratch(folder: folder.path))
        #expect(try folder.contents() == [])
    }

    @Test(
        "An exclusion that differs only in case is reported as a conflict",
        arguments: [("alice", "Alice"), ("Alice", "alice"), ("ALICE", "Alice")])
    func exclusionThatDiffersOnlyInCaseIsReportedAsAConflict(named: String, excluded: String)
        async throws
    {
        let person = AudienceMember(
            username: try Username(named), origin: AudienceOrigin(file: 1, line: 2))
        let other = AudienceMember(
            username: try Username("bob"), origin: AudienceOrigin(file: 1, line: 3))
        let exclusion = AudienceMember(
            username: try Username(excluded), origin: AudienceOrigin(file: 2, line: 7))
        try await sorter.add([person, other])
        try await sorter.exclude([exclusion, other])
        let counts = try await sorter.settle(only: nil)
        #expect(counts.final == 1)
        let conflicts = try await sorter.caseConflicts(limit: 5)
        #expect(conflicts.map(\.first) == [person])
        #expect(conflicts.map(\.second.username.text) == [excluded])
        #expect(conflicts.first?.second.origin == exclusion.origin)
    }
}
