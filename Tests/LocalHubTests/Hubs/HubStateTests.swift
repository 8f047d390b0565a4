import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct HubStateTests {
    private func push(
        _ id: String, _ platform: LocalHubPlatform = .apns, outcome: PushOutcome = .success
    ) -> ReceivedPush {
        ReceivedPush(
            notificationID: id, platform: platform, headers: [:], body: Array("body".utf8),
            time: HubUnderTest.now, outcome: outcome)
    }

    private func mailboxes(
        users: [String], _ change: (inout LocalHubLimits) -> Void = { _ in }
    ) throws -> HubState {
        var limits = LocalHubLimits()
        change(&limits)
        var state = HubState(description: HubDescription(created: HubUnderTest.now), limits: limits)
        for user in users {
            try state.put(installation(user, tags: ["username:\(user)"]), at: HubUnderTest.now) {
                .random(in: .min ... .max)
            }
        }
        return state
    }

    private func installation(
        _ id: String, _ platform: LocalHubPlatform = .apns, handle: String? = nil, tags: [String]
    ) -> Installation {
        Installation(
            id: id, platform: platform, handle: handle ?? id, tags: tags)
    }

    private func kept(_ mailboxes: HubState, _ user: String) -> [String] {
        mailboxes.devices(of: user).flatMap(\.mailbox.entries).map(\.push.notificationID)
    }

    private func deliver(_ mailboxes: inout HubState, _ id: String, to user: String) throws {
        try deliver(&mailboxes, id, to: .matching(.term(.tag("username:\(user)"))))
    }

    private func deliver(
        _ mailboxes: inout HubState, _ id: String, format: String = "apple",
        to audience: SendAudience
    ) throws {
        let send = try SendRequest(
            ["servicebusnotification-format": format],
            payload: Array(#"{"message":{}}"#.utf8), to: audience)
        mailboxes.deliver(
            send, id: id, enqueued: HubUnderTest.now, now: HubUnderTest.now, fault: { _ in nil })
    }

    @Test func aMailboxKeepsTheNewestAndCountsAll() throws {
        var mailboxes = try mailboxes(users: ["a"]) { $0.pushesPerDevice = 3 }
        for number in 1...100 { try deliver(&mailboxes, "\(number)", to: "a") }
        #expect(kept(mailboxes, "a") == ["98", "99", "100"])
        #expect(mailboxes.devices(of: "a").map(\.mailbox.count) == [100])
        #expect(mailboxes.counts.arrived == 100)
    }

    @Test func theHubKeepsTheNewestOverAllDevices() throws {
        var mailboxes = try mailboxes(users: ["a", "b"]) { $0.pushesInAll = 4 }
        for number in 1...3 { try deliver(&mailboxes, "\(number)", to: "a") }
        for number in 4...6 { try deliver(&mailboxes, "\(number)", to: "b") }
        #expect(kept(mailboxes, "a") == ["3"])
        #expect(kept(mailboxes, "b") == ["4", "5", "6"])
        for number in 7...9 { try deliver(&mailboxes, "\(number)", to: "a") }
        #expect(kept(mailboxes, "a") == ["7", "8", "9"])
        #expect(kept(mailboxes, "b") == ["6"])
    }

    @Test func bothLimitsTogetherNeverLetANewerPushGoFirst() throws {
        var mailboxes = try mailboxes(users: ["a", "b"]) {
            $0.pushesPerDevice = 2
            $0.pushesInAll = 5
        }
        try deliver(&mailboxes, "first", to: "b")
        for number in 1...4 { try deliver(&mailboxes, "\(number)", to: "a") }
        #expect(kept(mailboxes, "b") == ["first"])
        try deliver(&mailboxes, "5", to: "a")
        #expect(kept(mailboxes, "b").isEmpty)
        #expect(kept(mailboxes, "a") == ["4", "5"])
    }

    @Test func aBroadcastReachesEveryDeviceOfThePlatform() throws {
        var mailboxes = try mailboxes(users: ["a", "b"])
        try deliver(&mailboxes, "1", to: .everyone)
        try deliver(&mailboxes, "2", format: "fcmv1", to: .everyone)
        #expect(kept(mailboxes, "a") == ["1"])
        #expect(kept(mailboxes, "b") == ["1"])
        let counts = mailboxes.counts
        #expect(counts.sends == 2)
        #expect(counts.arrived == 2)
        #expect(counts.withoutTarget == 1)
        #expect(counts.devices == 2)
    }

    @Test func aReplacedInstallationIsFoundByItsNewTags() throws {
        var mailboxes = try mailboxes(users: ["a"])
        try deliver(&mailboxes, "1", to: "a")
        try mailboxes.put(installation("a", tags: ["username:c"]), at: HubUnderTest.now) {
            .random(in: .min ... .max)
        }
        #expect(kept(mailboxes, "a").isEmpty)
        #expect(kept(mailboxes, "c") == ["1"])
        #expect(mailboxes.counts.devices == 1)
        #expect(mailboxes.registrations.count == 1)
    }

    @Test func aDeviceWithSeveralRegistrationsGetsAPushOnce() throws {
        var mailboxes = try mailboxes(users: ["a"])
        try mailboxes.put(
            installation("b", handle: "A", tags: ["username:a"]), at: HubUnderTest.now
        ) {
            .random(in: .min ... .max)
        }
        try deliver(&mailboxes, "1", to: "a")
        #expect(kept(mailboxes, "a") == ["1"])
        #expect(mailboxes.counts.arrived == 1)
        #expect(mailboxes.counts.devices == 1)
    }

    @Test func oneDeviceTooManyIsRefusedButAKnownOneMayChange() throws {
        var mailboxes = try mailboxes(users: ["a"]) { $0.devices = 1 }
        #expect(throws: Never.self) {
            try mailboxes.put(installation("a", tags: ["t"]), at: HubUnderTest.now) {
                .random(in: .min ... .max)
            }
        }
        #expect(throws: HubFailure.tooManyDevices) {
            try mailboxes.put(installation("b", tags: []), at: HubUnderTest.now) {
                .random(in: .min ... .max)
            }
        }
    }

    @Test func noDescriptionShowsPayloadOrHandle() {
        var dumped = ""
        dump(push("1"), to: &dumped)
        dump(LocalHubDevice(user: "a", platform: .apns, handle: "SECRET"), to: &dumped)
        let texts = [
            dumped, "\(push("1"))",
            "\(LocalHubDevice(user: "a", platform: .apns, handle: "SECRET"))",
        ]
        for text in texts {
            #expect(!text.contains("SECRET"))
            #expect(!text.contains("98, 111"))
        }
        #expect(dumped.contains("username:a"))
    }
}
