import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TestServing

@testable import LocalHub

/// A hub behind a test client, with a fixed time.
struct HubUnderTest {
    enum Setup {
        case router
        case live
    }

    /// The time is an hour before the expiry of the test vectors.
    static let now = Date(timeIntervalSince1970: 1_767_222_000)
    /// Long enough for a clean shutdown on a busy machine.
    static let grace = Duration.seconds(120)
    static let silent = #"{"aps":{"content-available":1},"secureId":"abc"}"#
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let server: LocalHubServer
    let client: any TestClient

    /// Runs a test against a hub that also processes scheduled sends and jobs.
    static func run<Value: Sendable>(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in },
        setup: Setup = .router,
        _ test: @escaping @Sendable (HubUnderTest) async throws -> Value
    ) async throws -> Value {
        switch setup {
        case .router:
            let hub = try HubUnderTest(change)
            return try await withServices(hub.server.application.services, logger: quiet) {
                try await test(hub)
            }
        case .live:
            return try await withLocalHub(configuration(change)) { address, server in
                try await test(
                    HubUnderTest(server: server, client: SocketClient(port: address.port)))
            }
        }
    }

    /// Makes a request; if the token is nil, the request has none.
    func request(
        _ method: HTTPRequest.Method, _ uri: String,
        token: String? = TestToken.make(.developmentFull),
        headers: [String: String] = [:], body: String? = nil
    ) async throws -> TestResponse {
        var fields: HTTPFields = [:]
        if let token { fields.add("Authorization", token) }
        for (name, value) in headers { fields.add(name, value) }
        return try await client.execute(
            uri: uri, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
    }

    /// Makes a change below `/.hubsend` with the hub's token.
    func change(
        _ method: HTTPRequest.Method, _ uri: String, headers: [String: String] = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        var headers = headers
        headers["Hubsend-Token"] = try await changeToken()
        return try await request(method, uri, token: nil, headers: headers, body: body)
    }

    func changeToken() async throws -> String {
        let text = try await request(.get, "/.hubsend/token", token: nil).text
        return String(text.prefix { !$0.isNewline })
    }

    /// Sends a push; the header of a nil format or tag expression is omitted.
    func send(
        _ body: String = silent, format: String? = "apple", tags: String? = "username:alice",
        headers: [String: String] = [:], token: String? = TestToken.make(.developmentFull),
        uri: String = "/hubsend/messages?api-version=2020-06"
    ) async throws -> TestResponse {
        var headers = headers
        headers["ServiceBusNotification-Format"] = format
        headers["ServiceBusNotification-Tags"] = tags
        return try await request(.post, uri, token: token, headers: headers, body: body)
    }

    func install(
        _ id: String, platform: String = "apns", tags: [String] = [], userID: String? = nil
    ) async throws -> TestResponse {
        let body = InstallationBody(
            installationId: id, platform: platform, pushChannel: "AB12", tags: tags, userId: userID)
        return try await request(
            .put, "/hubsend/installations/\(id)?api-version=2020-06",
            headers: ["Content-Type": "application/json"],
            body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
    }

    private struct InstallationBody: Encodable {
        let installationId: String
        let platform: String
        let pushChannel: String
        let tags: [String]
        let userId: String?
    }
}

extension HubUnderTest {
    /// A hub without a socket and background work.
    init(_ change: (inout LocalHubConfiguration) -> Void = { _ in }) throws {
        server = try LocalHubServer(configuration: Self.configuration(change), logger: Self.quiet)
        client = RouterClient(server.application.responder, logger: Self.quiet)
    }

    static func configuration(
        _ change: (inout LocalHubConfiguration) -> Void
    ) -> LocalHubConfiguration {
        var configuration = LocalHubConfiguration()
        configuration.limits.shutdownGrace = grace
        configuration.now = { now }
        change(&configuration)
        return configuration
    }
}

/// Runs a test against a hub with sockets and without logging.
func withLocalHub<Value>(
    _ configuration: LocalHubConfiguration,
    _ test: (LocalHubAddress, LocalHubServer) async throws -> Value
) async throws -> Value {
    try await withLocalHub(configuration: configuration, logger: HubUnderTest.quiet, body: test)
}
