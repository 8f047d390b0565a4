import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOEmbedded
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct InspectionTests {
    private struct Report: Decodable {
        struct Device: Decodable {
            struct Push: Decodable {
                let sequence: Int
                let notification: String
                let time: String
                let outcome: String
                let headers: [String: String]
                let body: String?
                let body_base64: String?
            }
            let registration: String
            let installation: String?
            let platform: String
            let handle: String
            let tags: [String]
            let count: Int
            let pushes: [Push]
        }
        let user: String?
        let installation: String?
        let registration: String?
        let devices: [Device]
    }

    @Test("The pushes to a user's devices are listed")
    func pushesToAUsersDevicesAreListed() async throws {
        let devices = [
            LocalHubDevice(user: "alice", platform: .apns, handle: "AB12"),
            LocalHubDevice(user: "alice", platform: .wns),
            LocalHubDevice(user: "bob", platform: .apns),
        ]
        let hub = try HubUnderTest { $0.devices = devices }
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

    @Test("A binary payload is shown in Base64") func binaryPayloadIsShownInBase64() throws {
        let registration = Registration(id: "i", platform: .wns, channel: .handle("h"), tags: [])
        let push = KeptPush(
            sequence: 1, device: registration.device,
            push: ReceivedPush(
                notificationID: "1", platform: .wns, headers: [:], body: [0xFF, 0x00],
                time: HubUnderTest.now, outcome: .success))
        let report = DeviceReport(registration, count: 1, pushes: [push])
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(json.contains(#""body_base64":"\/wA=""#), "\(json)")
        #expect(!json.contains(#""body":"#))
    }

    @Test("An unknown user has no devices") func unknownUserHasNoDevices() async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, "/.hubsend/devices/nobody", token: nil)
        let report = try JSONDecoder().decode(Report.self, from: Data(response.text.utf8))
        #expect(report.devices.isEmpty)
    }

    private func report(_ hub: HubUnderTest, _ path: String) async throws -> Report {
        let response = try await hub.request(.get, "/.hubsend/" + path, token: nil)
        #expect(response.status == .ok, "\(response.text)")
        return try JSONDecoder().decode(Report.self, from: Data(response.text.utf8))
    }

    @Test("A program can request only new pushes") func programCanRequestOnlyNewPushes()
        async throws
    {
        let devices = [
            LocalHubDevice(user: "alice", platform: .apns),
            LocalHubDevice(user: "alice", platform: .fcm),
        ]
        let hub = try HubUnderTest { $0.devices = devices }
        for number in 1...130 {
            let format = number.isMultiple(of: 2) ? "fcmv1" : "apple"
            let body = number.isMultiple(of: 2) ? #"{"message":{}}"# : HubUnderTest.silent
            _ = try await hub.send(body, format: format)
        }
        var known = 0
        var pages: [[Int]] = []
        repeat {
            let page = try await report(hub, "devices/alice?after=\(known)").devices
                .flatMap(\.pushes).map(\.sequence).sorted()
            pages.append(page)
            known = page.last ?? 0
        } while known > 0
        #expect(pages == [Array(1...100), Array(101...130), []])
        let newest = try await report(hub, "devices/alice").devices.map(\.pushes.first?.sequence)
        #expect(newest == [129, 130])
    }

    @Test("A device without a user is found by installation or registration")
    func deviceWithoutAUserIsFoundByInstallationOrRegistration() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.install("phone", tags: ["red"])
        _ = try await hub.send(tags: "red")
        let byInstallation = try await report(hub, "installations/phone")
        #expect(byInstallation.installation == "phone")
        #expect(byInstallation.user == nil)
        #expect(byInstallation.devices.map(\.count) == [1])
        let id = try #require(byInstallation.devices.first?.registration)
        let byRegistration = try await report(hub, "registrations/\(id)")
        #expect(byRegistration.registration == id)
        #expect(byRegistration.devices.flatMap(\.pushes).map(\.sequence) == [1])
        #expect(try await report(hub, "registrations/none").devices.isEmpty)
    }

    @Test("Every hub of the namespace is found by its name")
    func everyHubOfTheNamespaceIsFoundByItsName() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.request(.put, "/second?api-version=2020-06")
        let body = #"{"installationId":"i","platform":"apns","pushChannel":"AB","userId":"alice"}"#
        let put = try await hub.request(
            .put, "/second/installations/i?api-version=2020-06",
            headers: ["Content-Type": "application/json"], body: body)
        #expect(put.status == .ok)
        #expect(try await report(hub, "devices/alice").devices.isEmpty)
        #expect(try await report(hub, "devices/alice?hub=SECOND").devices.count == 1)
        for path in ["devices/alice?hub=third", "devices/alice/events?hub=third"] {
            let unknown = try await hub.request(.get, "/.hubsend/" + path, token: nil)
            #expect(unknown.status == .notFound)
        }
    }

    private static let wrongValues: [String: [String]] = [
        "devices/alice": ["after=-1", "after=x", "after=", "after=99999999999999999999"],
        "devices/alice/events": ["after=-1", "after=x", "after=", "after=99999999999999999999"],
        "devices": ["limit=0", "limit=101", "from=-1", "from=x", "from="],
        "sends": [
            "limit=0", "find=\(String(repeating: "x", count: 121))", "outcome=lost", "user=",
            "registration=", "platform=phone",
        ],
        "sends/x": ["from=-1", "limit=0"],
        "messages/next": [
            "timeout=0s", "timeout=11m", "timeout=601s", "timeout=30", "timeout=s", "timeout=",
            "timeout=1h", "timeout=-1s", "timeout=1.5s", "timeout=9999999999999999999s", "after=x",
            "user=",
        ],
    ]

    @Test("An invalid query value is refused") func invalidQueryValueIsRefused() async throws {
        let hub = try HubUnderTest()
        for (path, queries) in Self.wrongValues {
            for query in queries {
                let uri = "/.hubsend/\(path)?\(query)"
                let response = try await hub.request(.get, uri, token: nil)
                #expect(response.status == .badRequest, "\(uri)")
            }
        }
    }

    @Test(
        "Read-only paths accept only GET",
        arguments: [
            "devices/alice", "installations/i", "registrations/r", "devices/alice/events",
        ])
    func readOnlyPathsAcceptOnlyGET(path: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.change(.post, "/.hubsend/" + path)
        #expect(response.status == .methodNotAllowed)
        #expect(response.header("Allow") == "GET")
    }

    @Test(
        "A foreign host cannot inspect the hub",
        arguments: ["evil.example", "localhost.evil.example:80", "192.168.1.7"])
    func foreignHostCannotInspectTheHub(host: String) throws {
        var configuration = LocalHubConfiguration()
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: host, path: "/.hubsend/devices/alice")
        guard
            case .response(let response) = try Hub(configuration).answer(
                head, body: [], isPeerLocal: true)
        else {
            Issue.record("there was no response")
            return
        }
        #expect(response.status == .forbidden)
    }

    @Test(
        "Devices are shown only to this machine",
        arguments: [
            ("127.0.0.1", "localhost", true), ("::1", "[::1]:80", true),
            ("::ffff:127.0.0.1", "127.0.0.1", true), ("10.0.0.7", "localhost", false),
            ("192.168.1.2", "127.0.0.1", false), ("127.0.0.1", "example.com", false),
        ])
    func devicesAreShownOnlyToThisMachine(peer: String, host: String, isShown: Bool) async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: peer, port: 1_234))
        let context = HubRequestContext(
            source: ApplicationRequestContextSource(channel: channel, logger: HubUnderTest.quiet))
        let hub = try Hub(LocalHubConfiguration())
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: host, path: "/.hubsend/devices/alice")
        guard
            case .response(let response) = hub.answer(
                head, body: [], isPeerLocal: context.isPeerLocal)
        else {
            Issue.record("There is no response.")
            return
        }
        #expect(response.status == (isShown ? .ok : .forbidden))
        _ = try await channel.finish()
    }

    @Test("With after=now, a list starts with the next push")
    func withAfterNowAListStartsWithTheNextPush() async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        _ = try await hub.send()
        let old = try await hub.request(.get, "/.hubsend/devices/alice?after=now", token: nil)
        #expect(old.status == .ok)
        #expect(!old.text.contains("secureId"))
        let all = try await hub.request(.get, "/.hubsend/devices/alice?after=0", token: nil)
        #expect(all.text.contains("secureId"))
    }

    @Test(
        "The response for an unknown path lists the known paths",
        arguments: [
            "/.hubsend/message", "/.hubsend/device/alice", "/.hubsend/devices/alice/event",
        ])
    func responseForAnUnknownPathListsTheKnownPaths(path: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, path, token: nil)
        #expect(response.status == .notFound)
        #expect(response.text.contains("/.hubsend/devices/USER"))
    }
}
