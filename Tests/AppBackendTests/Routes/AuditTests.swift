import CampaignCore
import Foundation
import HTTPTypes
import NIOCore
import SQLiteDriver
import TestServing
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct AuditTests {
    private static func line(
        _ user: String?, _ action: String, _ what: String?, _ outcome: String,
        from address: String? = nil, reason: String? = nil
    ) -> String {
        func json(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        let end = reason.map { ",\"reason\":\(json($0))" } ?? ""
        return """
            {"time":"2026-12-01T08:00:00.250Z","user":\(json(user)),"action":"\(action)",\
            "what":\(json(what)),"from":\(json(address)),"outcome":"\(outcome)"\(end)}
            """
    }

    @Test("Each action is audited without secrets")
    func eachActionIsAuditedWithoutSecrets() async throws {
        let (backend, id) = try await BackendUnderTest.run({ $0.useSocket() }) { backend in
            let id = try await backend.notify([.alice])
            _ = try await backend.request(.post, "/api/register?handle=TOPHANDLE", as: .alice)
            _ = try await backend.request(
                .put, "/api/register/100-1-1", as: .alice,
                body: #"{"Platform":"apns","Handle":"TOPHANDLE","Tags":null}"#)
            _ = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
            _ = try await backend.request(.head, "/api/notifications/\(id)", as: .alice)
            _ = try await backend.request(.get, "/api/notifications/\(id)", as: .bob)
            _ = try await backend.request(.put, "/api/notifications/\(id)/read", as: .alice)
            _ = try await backend.request(.get, "/api/notifications?unread=true", as: .alice)
            _ = try await backend.request(.delete, "/api/register/100-1-1", as: .alice)
            _ = try await backend.request(
                .post, "/api/notifications?pns=apns&to_tag=bob", as: .sam, body: "\"the secret\"")
            _ = try await backend.request(
                .post, "/api/notifications?pns=apns&to_tag=bob", as: .alice, body: "\"the secret\"")
            return (backend, id)
        }
        let lines = try backend.auditLines()
        let from = "127.0.0.1"
        // The line for a payload is written after its response, and other requests do not wait for
        // it. After the server has stopped, all lines have been written, but in any order.
        #expect(
            lines.sorted()
                == [
                    Self.line("alice", "register", "100-1-1", "ok", from: from),
                    Self.line("alice", "register", "100-1-1", "ok", from: from),
                    Self.line("alice", "fetch", id.text, "ok", from: from),
                    Self.line("alice", "list", id.text, "ok", from: from),
                    Self.line("bob", "fetch", id.text, "not_found", from: from),
                    Self.line("alice", "read", id.text, "ok", from: from),
                    Self.line("alice", "list", nil, "ok", from: from),
                    Self.line("alice", "unregister", "100-1-1", "ok", from: from),
                    Self.line("sam", "send", "bob", "ok", from: from),
                    Self.line(
                        "alice", "send", nil, "forbidden", from: from,
                        reason: "the user is not among backend.senders"),
                ].sorted())
    }

    @Test("A refusal is audited with its address and reason")
    func refusalIsAuditedWithItsAddressAndReason() async throws {
        try await BackendUnderTest.run({ $0.useSocket() }) { backend in
            _ = try await backend.request(
                .get, "/api/notifications/\(String(repeating: "x", count: 500))")
            _ = try await backend.request(
                .put, "/api/register/\(String(repeating: "%0A", count: 50))",
                as: Username(checked: "!closed"))
            let lines = try backend.auditLines()
            #expect(
                lines == [
                    Self.line(
                        nil, "fetch", nil, "unauthenticated", from: "127.0.0.1",
                        reason: "the request has no credentials"),
                    Self.line(
                        nil, "register", nil, "unavailable", from: "127.0.0.1",
                        reason: "the password file is broken"),
                ])
        }
    }

    @Test("A request for an unknown route is audited without its path")
    func requestForAnUnknownRouteIsAuditedWithoutItsPath() async throws {
        try await BackendUnderTest.run({
            $0.useSocket()
            $0.limits.bodyBytes = 10
        }) { backend in
            let uris = [
                "/secret-path", "/api/register/", "/%", "/api/notifications?a=%",
                "/\(String(repeating: "a", count: 8_192))",
            ]
            var statuses: [Int] = []
            for uri in uris { statuses.append(try await backend.request(.get, uri).status.code) }
            statuses.append(
                try await backend.request(.put, "/api/register/1", body: "12345678901").status.code)
            #expect(statuses == [404, 405, 400, 400, 414, 413])
            let sentences = [
                "The address is malformed; write a percent-encoded path that begins with /.",
                "The query of the address is malformed; percent-encode it.",
            ]
            let reasons = statuses.map { "answered with \($0)" }
            #expect(
                try backend.auditLines()
                    == (reasons[..<2] + sentences + reasons[4...]).map {
                        Self.line(nil, "request", nil, "malformed", from: "127.0.0.1", reason: $0)
                    })
        }
    }

    @Test("A request refused by a limit is audited")
    func requestRefusedByALimitIsAudited() async throws {
        let backend = try BackendUnderTest { $0.limits.requests = 0 }
        _ = try await backend.request(.get, "/api/notifications", as: .alice)
        #expect(try backend.auditLines() == [Self.line(nil, "list", nil, "unavailable")])
    }

    @Test("Credentials are refused if the proxy does not identify its client")
    func credentialsAreRefusedIfTheProxyDoesNotIdentifyItsClient() async throws {
        try await BackendUnderTest.run({
            $0.useSocket()
            $0.proxies = [try #require(AddressRange("127.0.0.0/8"))]
        }) { backend in
            let answer = try await backend.request(.get, "/api/notifications", as: .alice)
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("does not identify its client"))
            let disagreeing = try await backend.request(
                .get, "/api/notifications", as: .alice,
                headers: [
                    "Forwarded": "for=192.0.2.7;proto=https", "X-Forwarded-For": "192.0.2.7",
                    "X-Forwarded-Proto": "http",
                ])
            #expect(disagreeing.status == .badRequest)
            #expect(disagreeing.text.contains("disagree"))
            let lines = try backend.auditLines()
            #expect(lines.first?.contains("the proxy sent neither") == true)
            #expect(lines.first?.contains(#""from":null"#) == true)
            #expect(
                lines.last?.contains(
                    #"Forwarded is \"for=192.0.2.7;proto=https\", but X-Forwarded-For, -Proto "#
                        + #"and -Host are \"192.0.2.7; http; \""#) == true)
        }
    }

    @Test("A name that was only claimed is not audited as the user")
    func nameThatWasOnlyClaimedIsNotAuditedAsTheUser() async throws {
        let backend = try BackendUnderTest()
        for name in ["bob", "b ob", String(repeating: "b", count: 112)] {
            _ = try await backend.request(
                .get, "/api/notifications",
                authorization: TestPasswords.basic(name, "a password"))
        }
        let lines = try backend.auditLines()
        #expect(lines.map { $0.contains("\"user\":null") } == [true, true, true])
        #expect(lines.map { $0.contains("\"claimed\":\"bob\"") } == [true, false, false])
        #expect(lines.map { $0.contains("claimed") } == [true, false, false])
        #expect(!lines.joined().contains("password\""))
    }

    @Test("A trusted proxy sets the client's address in the audit")
    func trustedProxySetsTheClientsAddressInTheAudit() async throws {
        try await BackendUnderTest.run({
            $0.useSocket()
            $0.proxies = [try #require(AddressRange("127.0.0.0/8"))]
        }) { backend in
            _ = try await backend.request(
                .get, "/api/notifications", as: .alice,
                headers: ["Forwarded": "for=192.0.2.7;proto=https"])
            _ = try await backend.request(
                .get, "/api/notifications", as: .alice,
                headers: ["Forwarded": "for=192.0.2.7;proto=http"])
            let lines = try backend.auditLines()
            #expect(lines.count == 2)
            #expect(lines.first?.contains(#""from":"192.0.2.7","outcome":"ok""#) == true)
            #expect(
                lines.last?.contains(
                    #""outcome":"credentials_in_plain","reason":"Forwarded is \"for="#
                        + #"192.0.2.7;proto=http\", so the client did not use https"#) == true)
        }
    }

    @Test(
        "A refused request is audited with the values that conflict",
        arguments: [
            (["Authorization": "Digest a"], "the credentials use neither Basic nor Bearer"),
            (["Authorization": "Basic YQ=="], "the credentials have no colon"),
            (["X-Forwarded-For": "a b"], #"X-Forwarded-For is \"a b\""#),
            (
                ["X-Forwarded-Proto": "http, ftp", "Authorization": "Basic YTpi"],
                #"X-Forwarded-Proto is \"http, ftp\", so the client"#
            ),
            (["X-Forwarded-Proto": "", "Authorization": "Basic YTpi"], "no X-Forwarded-Proto"),
            (["Origin": "null"], #"origin is \"null\" and is not listed in backend.origins; "#),
        ])
    func refusedRequestIsAuditedWithTheValuesThatConflict(fields: [String: String], words: String)
        async throws
    {
        let identity = try TestIdentity()
        let signIn = try await identity.authenticator()
        try await BackendUnderTest.run({
            $0.useSocket()
            $0.signIn = signIn
            $0.proxies = [try #require(AddressRange("127.0.0.0/8"))]
        }) { backend in
            let usual = [
                "X-Forwarded-For": "::ffff:203.0.113.7", "X-Forwarded-Proto": "https, HTTPS",
            ]
            let answer = try await backend.request(
                .post, "/api/register", headers: usual.merging(fields) { $1 })
            #expect([400, 401, 403].contains(answer.status.code))
            let line = try backend.auditLines().joined()
            #expect(line.contains(words), "\(line)")
            #expect(fields["X-Forwarded-For"] != nil || line.contains(#""from":"203.0.113.7""#))
        }
    }

    @Test("A flood of anonymous requests does not fill the disk")
    func floodOfAnonymousRequestsDoesNotFillTheDisk() async throws {
        // The tally's minute ends only when the server stops.
        let bench = try await BackendUnderTest.listen({ $0.auditClock = SteppedClock() }) {
            backend, server in
            let id = try await backend.notify([.alice])
            let flood = String(
                repeating: "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /api/notifications HTTP/1.1\r\nHost: a\r\n\r\n", count: 150)
            let known = String(
                repeating: RawConnection.get("/api/notifications/\(id)", as: .bob), count: 20)
            let end = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let answer = try await RawConnection.exchange(port: server.port, flood + known + end)
            #expect(answer.components(separatedBy: "HTTP/1.1 40").count == 321)
            await server.stop()
            await server.hasStopped()
            return backend
        }
        let lines = try String(contentsOfFile: bench.folder.file("audit.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        #expect(lines.count == 31)
        #expect(lines.filter { $0.contains("\"user\":\"bob\"") }.count == 20)
        #expect(lines.last?.contains("\"from\":\"127.0.0.1\"") == true)
        #expect(
            lines.last?.contains("\"count\":290,\"reason\":\"145 malformed, 145 unauth") == true)
    }
}
