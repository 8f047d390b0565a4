import Foundation
import HTTPServing
import TestSupport
import Testing

@testable import LocalHub

/// Tests paths in spellings that a check might miss, and responses that a browser might render as a
/// page.
@Suite(.bounded)
struct HiddenPathTests {
    private static let paths = [
        "/%2ehubsend/token", "/%2Ehubsend/%74oken", "/.HUBSEND/TOKEN", "/.hubsend/token/",
        "/.hubsend/token?x=/../..", "/.hubsend/devices/alice?hub=hubsend",
        "//.hubsend/token", "/./.hubsend/token", "/hubsend/../.hubsend/token",
        "/hubsend/%2e%2e/.hubsend/token", "/%252ehubsend/token", "/.hubsend%2ftoken",
        "/.hubsend%252ftoken", "/.hubsend%00/token", "/.hubsend;x/token", "/.hubsend%5ctoken",
        "/.hubsend/./token", "/.hubsend/x/../token", "/.hubsend/%2e%2e/token",
        "/.hubsend/..%2ftoken", "/.hubsend//token", "/.hubsend/devices/..%2f..%2ftoken",
        "/.hubsend/%zz", "/.hubsend/devices/%ff", "/?x", "/?/.hubsend/token",
    ]

    @Test("No spelling of a path admits a foreign host")
    func noSpellingOfAPathAdmitsAForeignHost() async throws {
        try await HubUnderAttack.run { hub in
            for path in Self.paths {
                let answer = try await hub.ask("GET \(path)", host: "evil.example")
                // 401, because the protocol reads this path as the name of a hub, which needs a
                // key.
                hub.expectRefusal(answer, path, statuses: [400, 401, 403, 404])
            }
        }
    }

    @Test("No spelling of a path allows changes without a token")
    func noSpellingOfAPathAllowsChangesWithoutAToken() async throws {
        try await HubUnderAttack.run { hub in
            let before = try await hub.ask("GET /.hubsend/faults").body
            for path in [
                "/.hubsend/faults", "/%2ehubsend/faults", "/.HUBSEND/FAULTS", "/.hubsend/faults/",
                "/.hubsend/%66aults/1", "//.hubsend/faults", "/hubsend/../.hubsend/faults",
                "/.hubsend/x/../faults", "/%252ehubsend/faults",
            ] {
                let answer = try await hub.ask("DELETE \(path)")
                hub.expectRefusal(answer, path, statuses: [401, 403, 404])
            }
            #expect(try await hub.ask("GET /.hubsend/faults").body == before)
        }
    }

    @Test("Paths cannot escape their folder") func pathsCannotEscapeTheirFolder() async throws {
        try await HubUnderAttack.run { hub in
            for path in [
                "/.hubsend/./token", "/.hubsend/x/../token", "/.hubsend/%2e%2e/token",
                "/.hubsend/..%2ftoken", "/.hubsend//token", "/.hubsend/%252e%252e/token",
                "/.hubsend/devices/..%2f..%2ftoken", "/.hubsend/%zz", "/.hubsend/faults/..",
                "/.hubsend/faults/%2e%2e/token", "/.hubsend/faults/-1", "/.hubsend/faults/0x1",
                "/.hubsend/faults/99999999999999999999", "/.hubsend/feedback/..",
            ] {
                let answer = try await hub.ask("GET \(path)")
                hub.expectRefusal(answer, path, statuses: [400, 404])
                #expect(answer["content-type"] == "application/json; charset=utf-8", "\(path)")
                #expect(answer["x-content-type-options"] == "nosniff", "\(path)")
            }
        }
    }

    @Test("HTML in a request is returned as a JSON string")
    func htmlInARequestIsReturnedAsAJSONString() async throws {
        let script = #"<script>alert(1)</script>"><img src=x onerror=alert(2)>"#
        var device = LocalHubDevice(user: "alice", platform: .fcm)
        device.handle = script
        let devices = [device]
        try await HubUnderAttack.run {
            $0.devices = devices
            $0.readFaults = { text throws(UnreadableFaults) in
                throw UnreadableFaults(explanation: "\(text) is no fault.")
            }
        } _: { hub in
            let token = "Hubsend-Token: \(hub.token)"
            let encoded = PercentEncoding.encode("<script>alert(1)<")
            for (line, body) in [
                ("GET /.hubsend/devices/alice", nil), ("GET /.hubsend/devices/\(encoded)", nil),
                ("GET /.hubsend/devices/alice?hub=\(encoded)", nil),
                ("GET /.hubsend/devices/alice?after=\(encoded)", nil),
                ("GET /.hubsend/\(encoded)", nil), ("PUT /.hubsend/faults", script),
                ("DELETE /.hubsend/faults/\(encoded)", nil),
                ("PUT /.hubsend/faults/switch", script),
            ] as [(String, String?)] {
                let answer = try await hub.ask(line, [token], body: body)
                #expect(answer["content-type"] == "application/json; charset=utf-8", "\(line)")
                #expect(answer["x-content-type-options"] == "nosniff", "\(line)")
                #expect(
                    try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) is [String: Any],
                    "\(line): \(answer.body)")
            }
            let shown = try await hub.ask("GET /.hubsend/devices/alice")
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(shown.body.utf8)) as? [String: Any])
            let found = try #require(document["devices"] as? [[String: Any]])
            #expect(found.first?["handle"] as? String == script)
        }
    }

    @Test("The refusal of a large body has the format that belongs to the path")
    func refusalOfALargeBodyHasTheFormatThatBelongsToThePath() async throws {
        try await HubUnderAttack.run { hub in
            let body = String(repeating: "x", count: 70_000)
            let below = try await hub.ask("PUT /.hubsend/faults", body: body)
            #expect(below.status == 413)
            #expect(below.body.hasPrefix("{\"error\":\"The request body is larger than"))
            let hubs = try await hub.ask("PUT /hubsend", body: body)
            #expect(hubs.status == 413)
            #expect(hubs.body.hasPrefix("<Error>"))
        }
    }
}
