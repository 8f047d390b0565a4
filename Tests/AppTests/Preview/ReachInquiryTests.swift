import CampaignCore
import LocalHub
import Logging
import NotificationHubs
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import Delivery

@Suite(.bounded) struct ReachInquiryTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// An audience without a file.
    private struct Crowd: AudiencePages {
        let names: [String]

        func page(after number: Int, limit: Int) async throws -> [AudienceMember] {
            names.dropFirst(number).prefix(limit).map {
                AudienceMember(
                    username: Username(checked: $0), origin: AudienceOrigin(file: 0, line: 1))
            }
        }
    }

    private static func planned(_ names: [String]) -> PlannedAudience {
        let counts = AudienceCounts(named: names.count, final: names.count)
        return PlannedAudience(
            plan: CampaignPlan(counts: counts, problems: [], platforms: [], rate: nil),
            people: Crowd(names: names.sorted()))
    }

    private static func campaign(
        _ platforms: [Platform] = [.apns, .fcm], rate: Double? = nil
    ) throws -> Campaign {
        Campaign(
            name: "spring", description: nil, kind: .alert, platforms: platforms,
            audience: AudienceRule(),
            payload: Payload(
                type: nil, content: nil, isMessagePrivate: false, expiresAfter: .seconds(3_600)),
            delivery: DeliveryPolicy(rate: rate), fingerprints: [:])
    }

    private static func names(_ count: Int) -> [String] {
        (1...count).map { "user" + String(10_000 + $0) }
    }

    /// A directory that uses a rule to determine who has a device, and counts the calls.
    private final class Directory: DeviceDirectory {
        let rule: @Sendable (Username) -> Set<Platform>
        let asked = Mutex<[Username]>([])

        init(_ rule: @escaping @Sendable (Username) -> Set<Platform>) {
            self.rule = rule
        }

        func platforms(
            of user: Username, among platforms: Set<Platform>
        ) async throws(HubInquiryFailure) -> Set<Platform> {
            asked.withLock { $0.append(user) }
            return rule(user).intersection(platforms)
        }
    }

    @Test("The hub is asked about everybody in a small audience")
    func hubIsAskedAboutEverybodyInASmallAudience() async throws {
        var configuration = LocalHubConfiguration()
        configuration.devices = [
            LocalHubDevice(user: "alice", platform: .apns),
            LocalHubDevice(user: "alice", platform: .fcm),
            LocalHubDevice(user: "bob", platform: .fcm),
            LocalHubDevice(user: "carol", platform: .wns),
        ]
        try await withLocalHub(configuration: configuration, logger: Self.quiet) { address, _ in
            let connection = try HubConnection(
                address.connectionString(.developmentFull), named: address.hubName)
            let reach = try await ReachInquiry(extent: .sample).estimate(
                Self.planned(["alice", "bob", "carol", "dave"]), of: Self.campaign(),
                at: connection, logger: Self.quiet)
            #expect(!reach.isSample)
            #expect(reach.people(on: .apns).count == 1)
            #expect(reach.people(on: .fcm).count == 2)
            #expect(reach.peopleWithoutDevice.count == 2)
        }
    }

    @Test("A key without the Listen right is refused with a remedy")
    func keyWithoutTheListenRightIsRefusedWithARemedy() async throws {
        try await withLocalHub(configuration: LocalHubConfiguration(), logger: Self.quiet) {
            address, _ in
            let connection = try HubConnection(
                address.connectionString(.developmentListen), named: address.hubName)
            do {
                _ = try await ReachInquiry(extent: .all).estimate(
                    Self.planned(["alice"]), of: Self.campaign(), at: connection,
                    logger: Self.quiet)
                Issue.record("the hub said who has a device")
            } catch let fault as ReachError {
                guard case .credentials = fault.failure else {
                    Issue.record("\(fault)")
                    return
                }
                #expect(fault.description.contains("the Manage right"))
            }
        }
    }

    @Test("A sample has 200 different people and is always the same")
    func sampleHas200DifferentPeopleAndIsAlwaysTheSame() async throws {
        let directory = Directory { $0.text.hasSuffix("7") ? [.apns] : [] }
        let inquiry = ReachInquiry(extent: .sample, seed: 7)
        let planned = Self.planned(Self.names(5_000))
        let reach = try await inquiry.estimate(planned, of: Self.campaign(), in: directory)
        let first = directory.asked.withLock { $0 }
        #expect(Set(first).count == 200)
        #expect(reach.isSample)
        #expect(reach.people(on: .apns).bounds.contains(500))
        #expect(reach.peopleWithoutDevice.bounds.contains(4_500))
        directory.asked.withLock { $0 = [] }
        _ = try await inquiry.estimate(planned, of: Self.campaign(), in: directory)
        #expect(Set(directory.asked.withLock { $0 }) == Set(first))
    }

    @Test("The hub is asked about each person once, and progress is reported")
    func hubIsAskedAboutEachPersonOnceAndProgressIsReported() async throws {
        let directory = Directory { _ in [.apns, .fcm] }
        let told = Mutex<[AudienceProgress]>([])
        let reach = try await ReachInquiry(
            extent: .all, observe: { step in told.withLock { $0.append(step) } }
        )
        .estimate(Self.planned(Self.names(2_500)), of: Self.campaign(), in: directory)
        let asked = directory.asked.withLock { $0 }
        #expect(asked.count == 2_500)
        #expect(Set(asked).count == 2_500)
        #expect(!reach.isSample)
        #expect(reach.people(on: .fcm).count == 2_500)
        #expect(told.withLock { $0.first } == .asking(0, of: 2_500))
    }

    @Test("A failure ends the inquiry about reach") func failureEndsTheInquiryAboutReach()
        async throws
    {
        struct Broken: DeviceDirectory {
            func platforms(
                of user: Username, among platforms: Set<Platform>
            ) async throws(HubInquiryFailure) -> Set<Platform> {
                throw .passing("It is away.")
            }
        }
        await #expect(throws: ReachError(failure: .passing("It is away."))) {
            try await ReachInquiry(extent: .all).estimate(
                Self.planned(Self.names(50)), of: try Self.campaign(), in: Broken())
        }
    }

    @Test(
        "The numbers in a sample are distinct and within bounds",
        arguments: [(1, 1), (200, 200), (200, 201), (200, 1_000_000), (5, 3), (5, 0)])
    func numbersInASampleAreDistinctAndWithinBounds(count: Int, all: Int) {
        let numbers = SampleChoice(count, of: all, seed: 42).numbers
        #expect(numbers.count == min(count, all))
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers == numbers.sorted())
        #expect(numbers.allSatisfy { (1...max(1, all)).contains($0) })
    }
}
