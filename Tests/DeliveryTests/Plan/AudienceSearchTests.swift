import CampaignCore
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct AudienceSearchTests {
    /// Counts how many people were read.
    private final class Pages: AudiencePages {
        let members: [AudienceMember]
        let read = Mutex(0)

        init(_ members: [AudienceMember]) {
            self.members = members
        }

        func page(after number: Int, limit: Int) async -> [AudienceMember] {
            let page = Array(members.dropFirst(number).prefix(limit))
            read.withLock { $0 += page.count }
            return page
        }
    }

    private func search(_ count: Int) -> (PlannedAudience, Pages) {
        let pages = Pages(ListedAudience.people(count: count))
        let plan = CampaignPlan(
            counts: AudienceCounts(final: count), problems: [], platforms: [], rate: nil)
        return (PlannedAudience(plan: plan, people: pages), pages)
    }

    @Test("A sample is spread evenly and is always the same")
    func sampleIsSpreadEvenlyAndIsAlwaysTheSame() async throws {
        let (search, pages) = search(90_000)
        let names = try await search.spread(3).map(\.username.text)
        #expect(names == ["u15001", "u45001", "u75001"])
        #expect(try await search.spread(3).map(\.username.text) == names)
        #expect(pages.read.withLock { $0 } == 6)
    }

    @Test("A sample larger than the audience is the whole audience")
    func sampleLargerThanTheAudienceIsTheWholeAudience() async throws {
        let (search, _) = search(3)
        #expect(try await search.spread(5).count == 3)
        #expect(try await search.spread(3).count == 3)
    }

    @Test("A person is found by name") func personIsFoundByName() async throws {
        let (search, pages) = search(50_000)
        for name in ["u00001", "u31415", "u50000"] {
            let member = try await search.member(named: Username(checked: name))
            #expect(member?.username.text == name)
        }
        #expect(pages.read.withLock { $0 } < 100)
    }

    @Test("For a missing name, similar names are suggested")
    func forAMissingNameSimilarNamesAreSuggested() async throws {
        let (search, _) = search(100)
        let name = Username(checked: "u0005")
        #expect(try await search.member(named: name) == nil)
        let near = try await search.neighbors(of: name, limit: 4).map(\.username.text)
        #expect(near == ["u00048", "u00049", "u00050", "u00051"])
        #expect(try await search.member(named: Username(checked: "zzz")) == nil)
    }
}
