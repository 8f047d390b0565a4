import AsyncHTTPClient
import CampaignCore
import DeviceSimulation
import Foundation
import LocalHub
import NIOCore
import NIOHTTP1
import NIOSSL
import NotificationHubs
import Settings

/// Asks a local hub for its name, so that its connection string is all that has to be known.
struct LocalHubInquiry: Sendable {
    /// The longest answer that is read, in bytes; a hundred hubs with the longest names fit.
    private static let longest = 1 << 17

    /// The hub's address; a loopback host.
    let endpoint: HubEndpoint
    /// Which setting named it.
    let setting: String
    /// Certificate authorities to trust beside the system's, in PEM.
    var trustRoots: [String] = []
    /// How long the answer may take in all.
    var deadline: Duration = .seconds(5)

    /// Asks.
    ///
    /// - Returns: the name of the one hub there; of several, that of the usual name.
    /// - Throws: `HubConfigurationError` when an authority cannot be read; ``CommandEnd`` when
    ///   nothing answers, it is no local hub, or which one is meant is not clear.
    func name() async throws -> HubName {
        let answer: (status: HTTPResponseStatus, body: ByteBuffer)
        let tls = try TLSConfiguration.hub(trusting: trustRoots)
        do {
            answer = try await ask(tls)
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw failure(error)
        }
        guard answer.status == .ok else { throw noLocalHub }
        let names: [HubName]
        do {
            let report = try JSONDecoder().decode(
                Report.self, from: Data(answer.body.readableBytesView))
            names = try report.hubs.map { try HubName($0) }
        } catch {
            throw noLocalHub
        }
        return try choice(of: names)
    }

    /// What is read of the answer to `GET /.hubsend`.
    private struct Report: Decodable {
        let hubs: [String]
    }

    /// The answer did not come in time.
    private struct TooLate: Error {}

    private func ask(_ tls: TLSConfiguration) async throws -> (HTTPResponseStatus, ByteBuffer) {
        var request = HTTPClientRequest(url: "\(endpoint)/.hubsend")
        request.headers.add(name: "User-Agent", value: Hubsend.userAgent)
        request.headers.add(name: "Accept", value: "application/json")
        request.tlsConfiguration = tls
        let asked = request
        return try await HTTPClientTransport.withClient { client in
            try await withThrowingTaskGroup(of: (HTTPResponseStatus, ByteBuffer).self) { tasks in
                tasks.addTask {
                    let response = try await client.execute(
                        asked, timeout: TimeAmount(deadline))
                    return (response.status, try await response.body.collect(upTo: Self.longest))
                }
                // The client's own deadline ends with the answer's head.
                tasks.addTask {
                    try await Task.sleep(for: deadline)
                    throw TooLate()
                }
                defer { tasks.cancelAll() }
                guard let answer = try await tasks.next() else { throw CancellationError() }
                return answer
            }
        }
    }

    private func choice(of names: [HubName]) throws -> HubName {
        if names.count == 1 { return names[0] }
        let usual = LocalHubConfiguration().hubName
        if let name = names.first(where: { $0.rawValue == usual }) { return name }
        guard !names.isEmpty else {
            throw CommandEnd(
                .configuration,
                """
                The local hub \(endpoint), which \(setting) names, has no hub any more. Start \
                `hubsend hub` again, or create one.
                """)
        }
        let list = names.map(\.rawValue).sorted().joined(separator: ", ")
        throw CommandEnd(
            .configuration,
            """
            The local hub \(endpoint), which \(setting) names, has several hubs: \(list). Set \
            HUBSEND_HUB_NAME to the one that is meant.
            """)
    }

    private var noLocalHub: CommandEnd {
        CommandEnd(
            .configuration,
            """
            The hub has no name, and what answers at \(endpoint), which \(setting) names, is no \
            local hub that could be asked. Set HUBSEND_HUB_NAME, or hub.name in the config file.
            """)
    }

    private func failure(_ error: any Error) -> CommandEnd {
        switch error {
        case is NIOTooManyBytesError, is HTTPParserError: noLocalHub
        case is TooLate: tooLate
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: notTrusted
        case let error as HTTPClientError where error == .remoteConnectionClosed: noLocalHub
        case let error as HTTPClientError where error == .deadlineExceeded: tooLate
        default:
            CommandEnd(
                .tryAgain,
                """
                No local hub listens at \(endpoint), which \(setting) names. Start `hubsend hub` \
                there and try again, or set HUBSEND_HUB_NAME if it is another hub.
                """)
        }
    }

    private var tooLate: CommandEnd {
        CommandEnd(
            .tryAgain,
            """
            The hub \(endpoint), which \(setting) names, did not say its name within \
            \(Durations.text(seconds: deadline / .seconds(1))). If it is a local hub, look at \
            `hubsend hub` and try again; if not, set HUBSEND_HUB_NAME.
            """)
    }

    private var notTrusted: CommandEnd {
        CommandEnd(
            .configuration,
            """
            The hub \(endpoint), which \(setting) names, cannot be asked for its name: its \
            certificate is not trusted, or it speaks no TLS there. \(HubRoute.authoritiesVariable) \
            names the file with the authority to trust, which `hubsend hub --ca-file` writes.
            """)
    }
}
