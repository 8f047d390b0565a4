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

    private func state(
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
        Installation(id: id, platform: platform, handle: handle ?? id, tags: tags)
    }

    private func kept(_ state: HubState, _ user: String) -> [String] {
        state.pushes(to: .user(user)).map(\.kept.push.notificationID)
    }

    private func deliver(_ state: inout HubState, _ id: String, to user: String) throws {
        try deliver(&state, id, to: .matching(.term(.tag("username:\(user)"))))
    }

    private func deliver(
        _ state: inout HubState, _ id: String, format: String = "apple",
        to audience: SendAudience
    ) throws {
        let send = try SendRequest(
            ["servicebusnotification-format": format],
            payload: Array(#"{"message":{}}"#.utf8), to: audience)
        state.deliver(
            send, id: id, enqueued: HubUnderTest.now, now: HubUnderTest.now, fault: { _ in nil })
    }

    @Test("A device keeps its newest pushes and counts all of them")
    func deviceKeepsItsNewestPushesAndCountsAllOfThem() throws {
        var state = try state(users: ["a"]) { $0.pushesPerDevice = 3 }
        for number in 1...100 { try deliver(&state, "\(number)", to: "a") }
        #expect(kept(state, "a") == ["98", "99", "100"])
        #expect(state.devices(.user("a")).map(\.device.count) == [100])
        #expect(state.counts.arrived == 100)
    }

    @Test("The hub keeps the newest pushes of all devices")
    func hubKeepsTheNewestPushesOfAllDevices() throws {
        var state = try state(users: ["a", "b"]) { $0.pushesInAll = 4 }
        for number in 1...3 { try deliver(&state, "\(number)", to: "a") }
        for number in 4...6 { try deliver(&state, "\(number)", to: "b") }
        #expect(kept(state, "a") == ["3"])
        #expect(kept(state, "b") == ["4", "5", "6"])
        for number in 7...9 { try deliver(&state, "\(number)", to: "a") }
        #expect(kept(state, "a") == ["7", "8", "9"])
        #expect(kept(state, "b") == ["6"])
    }

    @Test("Under both limits, the oldest push is dropped first")
    func underBothLimitsTheOldestPushIsDroppedFirst() throws {
        var state = try state(users: ["a", "b"]) {
            $0.pushesPerDevice = 2
            $0.pushesInAll = 5
        }
        try deliver(&state, "first", to: "b")
        for number in 1...4 { try deliver(&state, "\(number)", to: "a") }
        #expect(kept(state, "b") == ["first"])
        try deliver(&state, "5", to: "a")
        #expect(kept(state, "b").isEmpty)
        #expect(kept(state, "a") == ["4", "5"])
    }

    @Test("A broadcast reaches every device of the platform")
    func broadcastReachesEveryDeviceOfThePlatform() throws {
        var state = try state(users: ["a", "b"])
        try deliver(&state, "1", to: .everyone)
        try deliver(&state, "2", format: "fcmv1", to: .everyone)
        #expect(kept(state, "a") == ["1"])
        #expect(kept(state, "b") == ["1"])
        let counts = state.counts
        #expect(counts.sends == 2)
        #expect(counts.arrived == 2)
        #expect(counts.withoutTarget == 1)
        #expect(counts.devices == 2)
    }

    @Test("A replaced installation is found by its new tags")
    func replacedInstallationIsFoundByItsNewTags() throws {
        var state = try state(users: ["a"])
        try deliver(&state, "1", to: "a")
        try state.put(installation("a", tags: ["username:c"]), at: HubUnderTest.now) {
            .random(in: .min ... .max)
        }
        #expect(kept(state, "a").isEmpty)
        #expect(kept(state, "c") == ["1"])
        #expect(state.counts.devices == 1)
        #expect(state.registrations.count == 1)
    }

    @Test("A device with several registrations gets a push once")
    func deviceWithSeveralRegistrationsGetsAPushOnce() throws {
        var state = try state(users: ["a"])
        try state.put(installation("b", handle: "A", tags: ["username:a"]), at: HubUnderTest.now) {
            .random(in: .min ... .max)
        }
        try deliver(&state, "1", to: "a")
        #expect(kept(state, "a") == ["1"])
        #expect(state.counts.arrived == 1)
        #expect(state.counts.devices == 1)
    }

    @Test("At the limit of devices, known devices can still be changed")
    func atTheLimitOfDevicesKnownDevicesCanStillBeChanged() throws {
        var state = try state(users: ["a"]) { $0.devices = 1 }
        #expect(throws: Never.self) {
            try state.put(installation("a", tags: ["t"]), at: HubUnderTest.now) {
                .random(in: .min ... .max)
            }
        }
        #expect(throws: HubFailure.tooManyDevices(state.limits)) {
            try state.put(installation("b", tags: []), at: HubUnderTest.now) {
                .random(in: .min ... .max)
            }
        }
    }

    @Test("Descriptions hide payloads and handles") func descriptionsHidePayloadsAndHandles() {
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
