import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import LocalHub

/// A hub with TLS, and a client that trusts only its authority.
///
/// It uses the system clock, because certificates do.
struct SecureHub {
    enum HTTPVersion: CaseIterable {
        case http1
        case http2
    }

    /// How long a client waits, which is long enough for a busy machine.
    static let patience = TimeAmount.seconds(50)

    let address: LocalHubAddress
    let server: LocalHubServer
    let client: HTTPClient

    static func run<Value>(
        _ version: HTTPVersion = .http2,
        _ change: (inout LocalHubConfiguration) -> Void = { _ in },
        _ test: (SecureHub) async throws -> Value
    ) async throws -> Value {
        var configuration = LocalHubConfiguration()
        configuration.tls = LocalHubTLS()
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
        change(&configuration)
        return try await withLocalHub(configuration) { address, server in
            try await withClient(version, trusting: address.authorityPEM) { client in
                try await test(SecureHub(address: address, server: server, client: client))
            }
        }
    }

    /// If the authority is nil, the system's authorities are trusted.
    static func withClient<Value>(
        _ version: HTTPVersion, trusting authority: String?,
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority {
            tls.trustRoots = .certificates(
                try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.timeout.connect = patience
        configuration.httpVersion = version == .http1 ? .http1Only : .automatic
        let client = HTTPClient(configuration: configuration)
        let result: Value
        do {
            result = try await body(client)
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        return result
    }

    /// The token is valid for years.
    static func token(for host: String) -> String {
        TestToken.make(.developmentFull, audience: "https://\(host)/", expiry: 4_102_444_800)
    }

    /// Uses the host name, which a client with BoringSSL can verify.
    func request(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: String? = nil
    ) throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: try url(path))
        request.method = .init(rawValue: method)
        request.headers.add(name: "Authorization", value: Self.token(for: "localhost"))
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        return request
    }

    func sendRequest(body: String = HubUnderTest.silent) throws -> HTTPClientRequest {
        try request(
            "POST", "/hubsend/messages?api-version=2020-06",
            headers: [
                ("ServiceBusNotification-Format", "apple"),
                ("ServiceBusNotification-Tags", "username:alice"),
            ], body: body)
    }

    func send() async throws -> HTTPClientResponse {
        try await client.execute(try sendRequest(), timeout: SecureHub.patience)
    }

    func expectSent(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let status = try await send().status
        #expect(status == .created, sourceLocation: sourceLocation)
    }

    private struct NoTLS: Error {}

    private func url(_ path: String) throws -> String {
        guard let port = address.tlsPort else { throw NoTLS() }
        return "https://localhost:\(port)\(path)"
    }
}

extension HTTPClientResponse {
    func text() async throws -> String {
        String(buffer: try await body.collect(upTo: 1_048_576))
    }

    /// The last segment of `Location`.
    var locationID: String? {
        headers.first(name: "Location")?.prefix { $0 != "?" }.split(separator: "/").last.map(
            String.init)
    }
}
