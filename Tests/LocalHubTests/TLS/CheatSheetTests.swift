import AsyncHTTPClient
import Foundation
import NIOHTTP1
import SwiftASN1
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded, .serialized)
struct CheatSheetTests {
    @Test("Every operation works over TLS", arguments: SecureHub.HTTPVersion.allCases)
    func everyOperationWorksOverTLS(version: SecureHub.HTTPVersion) async throws {
        try await SecureHub.run(version) { hub in
            let sheet = try await CheatSheet(preparing: hub)
            for row in sheet.rows {
                let request = try hub.request(
                    row.method, row.path, headers: row.headers, body: row.body)
                let response = try await hub.client.execute(request, timeout: SecureHub.patience)
                let text = try await response.text()
                #expect(Int(response.status.code) == row.status, "\(row.name): \(text)")
                #expect(response.version == (version == .http1 ? .http1_1 : .http2))
            }
            #expect(hub.server.counts.sends == 7)
        }
    }

    @Test(
        "Every operation works with curl", .enabled(if: InstalledTool.areThere("curl")),
        arguments: SecureHub.HTTPVersion.allCases)
    func everyOperationWorksWithCurl(version: SecureHub.HTTPVersion) async throws {
        try await SecureHub.run(version) { hub in
            let sheet = try await CheatSheet(preparing: hub)
            let curl = try Curl(
                version, to: "https://127.0.0.1:\(try #require(hub.address.tlsPort))",
                trusting: try #require(hub.address.authorityPEM))
            let answers = try await curl.answers(to: sheet.rows)
            let http = version == .http1 ? "1.1" : "2"
            #expect(answers == sheet.rows.map { "\($0.name): \($0.status) HTTP/\(http)" })
            #expect(hub.server.counts.sends == 7)
        }
    }

    @Test("curl refuses a hub that it does not trust", .enabled(if: InstalledTool.areThere("curl")))
    func curlRefusesAHubThatItDoesNotTrust() async throws {
        try await SecureHub.run { hub in
            let sheet = try await CheatSheet(preparing: hub)
            let url = try #require(hub.address.httpsURL)
            let other = try LocalAuthority(host: "127.0.0.1", at: Date()).certificate
            let curl = try Curl(.http2, to: url, trusting: try other.serializeAsPEM().pemString)
            let failed = await #expect(throws: Curl.Failed.self) {
                _ = try await curl.answers(to: [sheet.rows[0]])
            }
            // "The peer's SSL certificate … was not OK."
            #expect(failed?.status == 60)
            #expect(hub.server.counts.sends == 1)
        }
    }
}
