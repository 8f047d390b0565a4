import AsyncHTTPClient
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOHTTP1
import TestSupport
import Testing

@testable import LocalHub

/// Tests foreign pages whose host name resolves to this machine and that sign requests with the
/// published keys.
@Suite(.bounded)
struct ForeignHostTests {
    private static let foreign = "evil.example"
    private static let token = TestToken.make(
        .developmentFull, audience: "http://\(foreign)/", expiry: 4_102_444_800)

    /// Every operation of the protocol, every path that needs no key, and unknown paths.
    private static func rows(_ sheet: CheatSheet) -> [CheatSheet.Row] {
        let others =
            HubUnderAttack.paths
            + [
                "/nobody/messages", "/hubsend/unknown", "/hubsend//messages", "/HUBSEND",
                "/$Resources/NotificationHubs",
            ]
        return sheet.rows
            + others.map { CheatSheet.Row(name: $0, method: "GET", path: $0, status: 403) }
    }

    private func expectRefusal(_ status: Int, _ body: String, _ what: String) {
        #expect(status == 403, "\(what): \(body)")
        #expect(body.contains(Self.foreign) && body.contains("--allow-host"), "\(what): \(body)")
        #expect(!body.contains("alice") && !body.contains("AB12"), "\(what)")
    }

    @Test("Requests for a foreign host are refused on every path")
    func requestsForAForeignHostAreRefusedOnEveryPath() async throws {
        try await SecureHub.run { hub in
            let sheet = try await CheatSheet(preparing: hub)
            let before = (hub.server.counts, hub.server.saved)
            for row in Self.rows(sheet) {
                let headers = row.headers.map { "\($0): \($1)" }
                let answer = try await RawAnswer.to(
                    "\(row.method) \(row.path)", port: hub.address.port,
                    host: "\(Self.foreign):\(hub.address.port)",
                    headers + ["Authorization: \(Self.token)"], body: row.body)
                expectRefusal(answer.status, answer.body, row.name)
            }
            #expect(hub.server.counts == before.0)
            #expect(hub.server.saved == before.1)
        }
    }

    @Test(
        "Requests for a foreign host are refused on every path over TLS",
        arguments: SecureHub.HTTPVersion.allCases)
    func requestsForAForeignHostAreRefusedOnEveryPathOverTLS(version: SecureHub.HTTPVersion)
        async throws
    {
        try await SecureHub.run(version) { hub in
            let sheet = try await CheatSheet(preparing: hub)
            let before = (hub.server.counts, hub.server.saved)
            for row in Self.rows(sheet) {
                var request = try hub.request(
                    row.method, row.path, headers: row.headers, body: row.body)
                request.headers.replaceOrAdd(name: "Authorization", value: Self.token)
                request.headers.replaceOrAdd(name: "Host", value: Self.foreign)
                let answer = try await hub.client.execute(request, timeout: SecureHub.patience)
                expectRefusal(Int(answer.status.code), try await answer.text(), row.name)
            }
            #expect(hub.server.counts == before.0)
            #expect(hub.server.saved == before.1)
        }
    }

    /// Asks a hub for its registrations with a rule's key.
    private func status(
        _ host: String, _ rule: LocalHubRule, isPeerLocal: Bool = true,
        _ change: (inout LocalHubConfiguration) -> Void = { _ in }
    ) throws -> Int? {
        var configuration = LocalHubConfiguration()
        change(&configuration)
        var fields: HTTPFields = [:]
        fields[.authorization] = TestToken.make(
            rule, audience: "http://\(host)/", expiry: 4_102_444_800)
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: host, path: "/hubsend/registrations",
            headerFields: fields)
        guard
            case .response(let response) = try Hub(configuration).answer(
                head, body: [], isPeerLocal: isPeerLocal)
        else { return nil }
        return response.status.code
    }

    @Test(
        "Requests for the names of this machine are answered",
        arguments: ["localhost", "127.0.0.1", "[::1]", "LocalHost"])
    func requestsForTheNamesOfThisMachineAreAnswered(host: String) throws {
        #expect(try status(host, .developmentFull) == 200)
        // A connection that has just been closed has no peer, but its request is still answered.
        #expect(try status(host, .developmentFull, isPeerLocal: false) == 200)
    }

    @Test("Requests for allowed hosts are answered")
    func requestsForAllowedHostsAreAnswered() throws {
        #expect(try status("hub.test", .developmentFull) == 403)
        #expect(try status("hub.test", .developmentFull) { $0.allowedHosts = ["hub.test"] } == 200)
        #expect(try status("127.0.0.5", .developmentFull) == 403)
        #expect(try status("127.0.0.5", .developmentFull) { $0.host = "127.0.0.5" } == 200)
    }

    @Test("If all keys are secret, signed requests may use any host")
    func ifAllKeysAreSecretSignedRequestsMayUseAnyHost() throws {
        let own = LocalHubRule(name: "own", key: "nobody else has it", claims: [.manage])
        #expect(try status("hub.test", own, isPeerLocal: false) { $0.rules = [own] } == 200)
        // With one additional published key, every page could sign requests.
        #expect(try status("hub.test", own) { $0.rules = [own, .developmentListen] } == 403)
    }
}
