import HTTPTypes
import HummingbirdCore
import TestSupport
import Testing

@testable import LocalHub

/// Tests foreign pages whose host name resolves to this machine, and other foreign hosts.
@Suite(.bounded)
struct RebindingTests {
    @Test("A foreign host is refused on every path of the inbox")
    func foreignHostIsRefusedOnEveryPathOfTheInbox() async throws {
        try await HubUnderAttack.run { hub in
            for path in HubUnderAttack.paths {
                let answer = try await hub.ask("GET \(path)", host: "evil.example:\(hub.port)")
                hub.expectRefusal(answer, path)
                #expect(answer.body.contains("evil.example"), "\(path)")
                #expect(answer.body.contains("--allow-host"), "\(path)")
                #expect(answer["cache-control"] == "no-store", "\(path)")
                #expect(answer["x-content-type-options"] == "nosniff", "\(path)")
                #expect(answer["cross-origin-resource-policy"] == "same-origin", "\(path)")
                #expect(answer["referrer-policy"] == "no-referrer", "\(path)")
                let isPage = path == "/"
                #expect(
                    answer["content-type"]
                        == (isPage
                            ? "text/plain; charset=utf-8" : "application/json; charset=utf-8"),
                    "\(path)")
                #expect(answer.body.hasPrefix("{\"error\":\"") != isPage, "\(path)")
            }
        }
    }

    @Test("A host that only resembles this machine is refused")
    func hostThatOnlyResemblesThisMachineIsRefused() async throws {
        try await HubUnderAttack.run { hub in
            for host in [
                "localhost.evil.example", "127.0.0.1.evil.example", "evil.localhost", "localhost.",
                "LOCALHOST.", "127.0.0.1.", "localhost.:80", "127.1", "127.0.0.2", "2130706433",
                "0x7f.0.0.1", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
                "localhost:80:80", "localhost:evil.example", "localhost:", "[::1]evil.example",
                "[::1", "192.168.1.7", "hubsend", "xn--lcalhost-54a", "-",
            ] {
                for path in ["/", "/.hubsend/token", "/.hubsend/devices/alice/events"] {
                    hub.expectRefusal(
                        try await hub.ask("GET \(path)", host: host), "\(host) \(path)")
                }
            }
        }
    }

    @Test("An invalid host is refused") func invalidHostIsRefused() async throws {
        try await HubUnderAttack.run { hub in
            for host in [
                "", "localhost:80@evil.example", "evil.example@localhost", "localhost/", ":80",
                "localhost, evil.example", "local host", "localhost#", "lo%63alhost",
                "localhost\r\nHost: evil.example",
            ] {
                for path in ["/", "/.hubsend/token"] {
                    let answer = try await hub.ask("GET \(path)", host: host)
                    hub.expectRefusal(answer, "\(host) \(path)", statuses: [400])
                }
            }
        }
    }

    @Test("The inbox can be opened under every name of this machine")
    func inboxCanBeOpenedUnderEveryNameOfThisMachine() async throws {
        try await HubUnderAttack.run { hub in
            for host in ["localhost", "LocalHost:1", "127.0.0.1:\(hub.port)", "[::1]:8080"] {
                let answer = try await hub.ask("GET /.hubsend/token", host: host)
                #expect(answer.status == 200, "\(host)")
                #expect(answer.body == hub.token + "\n")
                #expect(try await hub.ask("GET /", host: host).status == 200, "\(host)")
            }
        }
    }

    @Test("The Host header overrides the host of the target")
    func hostHeaderOverridesTheHostOfTheTarget() async throws {
        try await HubUnderAttack.run { hub in
            let target = "http://127.0.0.1:\(hub.port)/.hubsend/token"
            hub.expectRefusal(try await hub.ask("GET \(target)", host: "evil.example"), target)
            let own = try await hub.ask("GET \(target)")
            #expect(own.status == 200)
        }
    }

    @Test("The inbox can be opened under an allowed host name")
    func inboxCanBeOpenedUnderAnAllowedHostName() async throws {
        try await HubUnderAttack.run {
            $0.allowedHosts = ["Hub.Example", "fd00:0::1"]
        } _: { hub in
            for host in ["hub.example", "HUB.example:99", "[fd00::1]:1", "localhost"] {
                #expect(
                    try await hub.ask("GET /.hubsend/token", host: host).status == 200, "\(host)")
            }
            for host in ["hub.example.", "x.hub.example", "hub.example.evil", "[fd00::2]"] {
                hub.expectRefusal(try await hub.ask("GET /.hubsend/token", host: host), host)
            }
        }
    }

    /// Asks a hub for its token without a socket, so that the test can choose the peer.
    private func status(
        _ host: String, isPeerLocal: Bool, _ change: (inout LocalHubConfiguration) -> Void
    ) throws -> Int? {
        var configuration = LocalHubConfiguration()
        change(&configuration)
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: host, path: "/.hubsend/token")
        guard
            case .response(let response) = try Hub(configuration).answer(
                head, body: [], isPeerLocal: isPeerLocal)
        else { return nil }
        return response.status.code
    }

    @Test("Another machine can open the inbox only through an allowed host")
    func anotherMachineCanOpenTheInboxOnlyThroughAnAllowedHost() throws {
        let allow: (inout LocalHubConfiguration) -> Void = { $0.allowedHosts = ["hub"] }
        #expect(try status("hub:8080", isPeerLocal: false, allow) == 200)
        #expect(try status("localhost", isPeerLocal: false, allow) == 403)
        #expect(try status("127.0.0.1", isPeerLocal: false) { _ in } == 403)
    }

    @Test("The inbox can be opened at the hub's loopback address")
    func inboxCanBeOpenedAtTheHubsLoopbackAddress() throws {
        #expect(try status("127.0.0.5:1", isPeerLocal: true) { $0.host = "127.0.0.5" } == 200)
        #expect(try status("127.0.0.5:1", isPeerLocal: false) { $0.host = "127.0.0.5" } == 403)
        #expect(try status("127.0.0.5:1", isPeerLocal: true) { _ in } == 403)
    }
}
