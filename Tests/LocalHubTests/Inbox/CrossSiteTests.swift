import Foundation
import InMemoryLogging
import Logging
import TestSupport
import Testing

@testable import LocalHub

/// Tests pages of other sites that know the hub's address and use its correct name.
@Suite(.bounded)
struct CrossSiteTests {
    private static let changes = [
        "DELETE /.hubsend/messages", "DELETE /.hubsend/faults", "DELETE /.hubsend/faults/1",
        "POST /.hubsend/messages/1/payloads/x", "POST /.hubsend/faults", "PUT /.hubsend/faults",
        "PUT /.hubsend/faults/switch",
    ]

    private func faults(_ hub: HubUnderAttack) async throws -> String {
        try await hub.ask("GET /.hubsend/faults").body
    }

    @Test("A change from another origin is refused even with the token")
    func changeFromAnotherOriginIsRefusedEvenWithTheToken() async throws {
        try await HubUnderAttack.run { hub in
            let before = try await faults(hub)
            let own = "http://127.0.0.1:\(hub.port)"
            for headers in [
                ["Origin: http://evil.example"], ["Origin: null"], ["Origin:"],
                ["Origin: \(own)", "Origin: \(own)"], ["Origin: \(own), http://evil.example"],
                ["Origin: http://127.0.0.1:\(hub.port + 1)"], ["Origin: http://127.0.0.1"],
                ["Origin: \(own).evil.example"], ["Origin: \(own)@evil.example"],
                ["Origin: http://localhost:\(hub.port)"], ["Origin: file://"],
                ["Origin: \(own)", "Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
                ["Sec-Fetch-Site: none"], ["Sec-Fetch-Site: same-origin, cross-site"],
            ] {
                for change in Self.changes {
                    let answer = try await hub.ask(
                        change, ["Hubsend-Token: \(hub.token)"] + headers, body: "off")
                    hub.expectRefusal(answer, "\(change) \(headers)")
                }
            }
            #expect(try await faults(hub) == before)
        }
    }

    @Test("A form on another site cannot change anything")
    func formOnAnotherSiteCannotChangeAnything() async throws {
        try await HubUnderAttack.run { hub in
            let before = try await faults(hub)
            for type in ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"] {
                for change in Self.changes {
                    // Old browsers send the header like this, without the origin.
                    let answer = try await hub.ask(change, ["Content-Type: \(type)"], body: "off")
                    hub.expectRefusal(answer, "\(change) \(type)")
                }
            }
            #expect(try await faults(hub) == before)
        }
    }

    @Test("A change requires the token of the running hub")
    func changeRequiresTheTokenOfTheRunningHub() async throws {
        let old = try await HubUnderAttack.run { $0.token }
        try await HubUnderAttack.run { hub in
            #expect(hub.token.count == 64)
            #expect(hub.token != old)
            let before = try await faults(hub)
            for headers in [
                [], ["Hubsend-Token:"], ["Hubsend-Token: \(old)"],
                ["Hubsend-Token: \(hub.token.dropLast())"], ["Hubsend-Token: \(hub.token)0"],
                ["Hubsend-Token: \(hub.token.uppercased())"],
                ["Hubsend-Token: \(hub.token)", "Hubsend-Token: \(hub.token)"],
                ["Authorization: \(hub.token)"], ["Cookie: Hubsend-Token=\(hub.token)"],
            ] {
                for change in Self.changes {
                    let answer = try await hub.ask(change, headers, body: "off")
                    hub.expectRefusal(answer, "\(change) \(headers)")
                    #expect(answer.body.contains("http://127.0.0.1:\(hub.port)/.hubsend/token"))
                }
            }
            #expect(try await faults(hub) == before)
        }
    }

    @Test("The page and programs can make changes")
    func pageAndProgramsCanMakeChanges() async throws {
        try await HubUnderAttack.run { hub in
            for headers in [
                [], ["Origin: http://127.0.0.1:\(hub.port)"],
                ["Origin: http://127.0.0.1:\(hub.port)", "Sec-Fetch-Site: same-origin"],
            ] {
                for word in ["off", "on"] {
                    let answer = try await hub.ask(
                        "PUT /.hubsend/faults/switch", ["Hubsend-Token: \(hub.token)"] + headers,
                        body: word)
                    #expect(answer.status == 200)
                    #expect(answer.body.hasPrefix("{\"on\":\(word == "on"),"))
                }
            }
        }
    }

    @Test("Preflight requests are refused") func preflightRequestsAreRefused() async throws {
        try await HubUnderAttack.run { hub in
            for path in HubUnderAttack.paths {
                let answer = try await hub.ask(
                    "OPTIONS \(path)",
                    [
                        "Origin: http://evil.example", "Access-Control-Request-Method: PUT",
                        "Access-Control-Request-Headers: hubsend-token",
                        "Access-Control-Request-Private-Network: true",
                    ])
                hub.expectRefusal(answer, path, statuses: [403, 405])
            }
        }
    }

    @Test("A read request that the browser marks as cross-site is refused")
    func readRequestThatTheBrowserMarksAsCrossSiteIsRefused() async throws {
        try await HubUnderAttack.run { hub in
            for path in HubUnderAttack.paths {
                for headers in [
                    ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
                    ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
                    [
                        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                        "Sec-Fetch-Dest: iframe",
                    ],
                    ["Origin: http://evil.example"], ["Origin: null"],
                ] {
                    let answer = try await hub.ask("GET \(path)", headers)
                    hub.expectRefusal(answer, "\(path) \(headers)")
                }
            }
        }
    }

    @Test("Links from other sites can open only the page")
    func linksFromOtherSitesCanOpenOnlyThePage() async throws {
        try await HubUnderAttack.run { hub in
            let link = [
                "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-Dest: document",
            ]
            #expect(try await hub.ask("GET /", link).status == 200)
            for path in HubUnderAttack.paths.dropFirst() {
                hub.expectRefusal(try await hub.ask("GET \(path)", link), path)
            }
        }
    }

    @Test("Addresses typed by the user and requests from the page are answered")
    func addressesTypedByTheUserAndRequestsFromThePageAreAnswered() async throws {
        try await HubUnderAttack.run { hub in
            for site in ["none", "same-origin"] {
                for path in ["/", "/.hubsend/token", "/.hubsend/devices/alice"] {
                    let answer = try await hub.ask("GET \(path)", ["Sec-Fetch-Site: \(site)"])
                    #expect(answer.status == 200, "\(site) \(path)")
                    #expect(!answer.headers.contains { $0.name.hasPrefix("access-control") })
                }
            }
        }
    }

    @Test("The token is never logged") func tokenIsNeverLogged() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .trace
        try await withLocalHub(configuration: LocalHubConfiguration(), logger: logger) {
            address, _ in
            let port = address.port
            let token = try await RawAnswer.to("GET /.hubsend/token", port: port).body
                .trimmingCharacters(in: .newlines)
            _ = try await RawAnswer.to(
                "PUT /.hubsend/faults/switch", port: port, ["Hubsend-Token: \(token)"], body: "on")
            let lines = handler.entries.map { "\($0.message) \($0.metadata)" }
            #expect(lines.contains { $0.contains("/.hubsend/faults/switch") })
            #expect(!lines.contains { $0.contains(token) })
        }
        var shown = ""
        let token = ChangeToken()
        dump(token, to: &shown)
        #expect(!(shown + "\(token)" + String(reflecting: token)).contains(token.text))
    }
}
