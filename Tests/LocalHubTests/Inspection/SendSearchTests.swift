import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct SendSearchTests {
    private static let two = [
        LocalHubDevice(user: "alice", platform: .apns, handle: "77777777"),
        LocalHubDevice(user: "bob", platform: .fcm, handle: "CD"),
    ]

    @Test(
        "Sends are found by user, text and outcome",
        arguments: [
            ("", [1, 2, 3, 4, 5]), ("?find=ALICE", [1]), ("?find=nobody", [3]),
            ("?find=fcm", [2]), ("?find=template", [4]), ("?find=direct", [5]),
            ("?find=777777", [5]),
            ("?find=spring", [2]), ("?find=zz", []), ("?outcome=arrived", [1, 2, 5]),
            ("?outcome=refused", []), ("?user=alice", [1, 5]), ("?user=nobody", [3]),
            ("?user=nobod", []),
            ("?user=bob", [2]), ("?user=alice&find=direct", [5]), ("?find=zz&outcome=", []),
            ("?platform=apns", [1, 3, 5]), ("?platform=FCM", [2]), ("?platform=adm", []),
            ("?platform=", [1, 2, 3, 4, 5]),
        ])
    func sendsAreFoundByUserTextAndOutcome(query: String, expected: [Int]) async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        let ids = [
            try await hub.send(),
            try await hub.send(
                #"{"message":{"notification":{"body":"Spring"}}}"#, format: "fcmv1", tags: nil),
            try await hub.send("{}", tags: "username:nobody && x"),
            try await hub.send(#"{"a":"b"}"#, format: "template", tags: "x"),
            try await hub.direct("77777777"),
        ].map(\.locationID)
        let page: InboxAnswers.Sends = try await hub.inspect("/sends" + query)
        #expect(page.sends.map(\.notification) == expected.reversed().map { ids[$0 - 1] })
    }

    @Test("Sends are found by registration") func sendsAreFoundByRegistration() async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        for _ in 1...2 { _ = try await hub.send() }
        _ = try await hub.send(tags: "username:nobody")
        let devices: InboxAnswers.Devices = try await hub.inspect("/devices?search=alice")
        let id = try #require(devices.devices.first?.registration)
        let page: InboxAnswers.Sends = try await hub.inspect("/sends?registration=\(id)")
        #expect(page.sends.count == 2)
    }

    @Test("A search for sends also covers older sends") func searchForSendsAlsoCoversOlderSends()
        async throws
    {
        let hub = try HubUnderTest { $0.devices = Self.two }
        _ = try await hub.send(tags: "needle")
        for _ in 1...60 { _ = try await hub.send() }
        let page: InboxAnswers.Sends = try await hub.inspect("/sends?find=needle&limit=5")
        #expect(page.sends.map(\.tags) == ["needle"])
    }
}
