import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import Testing

@testable import LocalHub

struct InspectionTests {
    private struct Report: Decodable {
        struct Device: Decodable {
            struct Push: Decodable {
                let notification: String
                let time: String
                let outcome: String
                let headers: [String: String]
                let body: String?
                let body_base64: String?
            }
            let platform: String
            let handle: String
            let tags: [String]
            let count: Int
            let pushes: [Push]
        }
        let user: String
        let devices: [Device]
    }

    @Test func aPersonSeesWhatAUsersDevicesReceived() async throws {
        let devices = [
            LocalHubDevice(user: "alice", platform: .apns, handle: "AB12"),
            LocalHubDevice(user: "alice", platform: .wns),
            LocalHubDevice(user: "bob", platform: .apns),
        ]
        try await HubUnderTest.run({ $0.devices = devices }) { hub in
            _ = try await hub.send(headers: ["apns-priority": "5"])
            _ = try await hub.send(#"{"second":"</script>\u0000"}"#)
            let response = try await hub.request(.get, "/.hubsend/devices/alice", token: nil)
            #expect(response.status == .ok)
            #expect(response.header("Content-Type") == "application/json; charset=utf-8")
            let report = try JSONDecoder().decode(Report.self, from: Data(response.text.utf8))
            #expect(report.user == "alice")
            #expect(report.devices.map(\.platform) == ["apns", "wns"])
            #expect(report.devices.map(\.count) == [2, 0])
            let phone = try #require(report.devices.first)
            #expect(phone.handle == "AB12")
            #expect(phone.tags.last == "username:alice")
            #expect(
                phone.pushes.map(\.body) == [#"{"second":"</script>\u0000"}"#, HubUnderTest.silent])
            #expect(phone.pushes.last?.headers["apns-priority"] == "5")
            #expect(phone.pushes.map(\.outcome) == ["Success", "Success"])
            #expect(phone.pushes.map(\.time) == ["2025-12-31T23:00:00Z", "2025-12-31T23:00:00Z"])
        }
    }

    @Test func aPayloadThatIsNoTextIsShownInBase64() throws {
        var mailbox = Mailbox()
        mailbox.add(
            ReceivedPush(
                notificationID: "1", platform: .wns, headers: [:], body: [0xFF, 0x00],
                time: HubUnderTest.now, outcome: .success), sequence: 0, limit: 1)
        let report = DeviceReport(
            Registration(id: "i", platform: .wns, channel: .handle("h"), tags: []), mailbox)
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(json.contains(#""body_base64":"\/wA=""#), "\(json)")
        #expect(!json.contains(#""body":"#))
    }

    @Test func anUnknownUserHasNoDevices() async throws {
        try await HubUnderTest.run { hub in
            let response = try await hub.request(.get, "/.hubsend/devices/nobody", token: nil)
            let report = try JSONDecoder().decode(Report.self, from: Data(response.text.utf8))
            #expect(report.devices.isEmpty)
        }
    }

    @Test(arguments: ["evil.example", "localhost.evil.example:80", "192.168.1.7"])
    func aForeignHostSeesNothing(host: String) throws {
        var configuration = LocalHubConfiguration()
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: host, path: "/.hubsend/devices/alice")
        guard case .response(let response) = try Hub(configuration).answer(head, body: []) else {
            Issue.record("there was no response")
            return
        }
        #expect(response.status == .forbidden)
    }
}
