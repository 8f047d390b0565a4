import AsyncHTTPClient
import CampaignCore
import Foundation
import NIOCore
import NIOHTTP1
package import NIOSSL

/// Asks a local hub for its name, so that its connection string is all that must be known.
package struct LocalHubInquiry: Sendable {
    /// In bytes; a hundred hubs with the longest names fit.
    private static let longest = 1 << 17

    private let endpoint: String
    private let setting: String
    private let usualName: String
    private let tls: TLSConfiguration
    private let userAgent: String
    private let deadline: Duration

    package init(
        endpoint: String, setting: String, usualName: String, tls: TLSConfiguration,
        userAgent: String, deadline: Duration = .seconds(5)
    ) {
        self.endpoint = endpoint
        self.setting = setting
        self.usualName = usualName
        self.tls = tls
        self.userAgent = userAgent
        self.deadline = deadline
    }

    /// Asks for the name, which `read` checks.
    package func name<Name>(_ read: (String) throws -> Name) async throws -> Name {
        let answer: (status: HTTPResponseStatus, body: ByteBuffer)
        do {
            answer = try await ask()
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw failure(error)
        }
        guard answer.status == .ok else { throw noLocalHub }
        let names: [(text: String, name: Name)]
        do {
            let report = try JSONDecoder().decode(
                Report.self, from: Data(answer.body.readableBytesView))
            names = try report.hubs.map { ($0, try read($0)) }
        } catch {
            throw noLocalHub
        }
        if names.count == 1 { return names[0].name }
        if let usual = names.first(where: { $0.text == usualName }) { return usual.name }
        guard !names.isEmpty else {
            throw DeviceFault(
                "The local hub \(place), has no hub any more. Start `hubsend hub` again, or create one."
            )
        }
        throw DeviceFault(
            """
            The local hub \(place), has several hubs: \(names.map(\.text).sorted().joined(separator: ", ")). \
            Set HUBSEND_HUB_NAME to the one that is meant.
            """)
    }

    /// The parts that are read of the answer to `GET /.hubsend`.
    private struct Report: Decodable {
        let hubs: [String]
    }

    private struct TooLate: Error {}

    private func ask() async throws -> (HTTPResponseStatus, ByteBuffer) {
        var request = HTTPClientRequest(url: "\(endpoint)/.hubsend")
        request.headers.add(name: "User-Agent", value: userAgent)
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

    private func failure(_ error: any Error) -> DeviceFault {
        switch error {
        case is NIOTooManyBytesError, is HTTPParserError: noLocalHub
        case is TooLate: tooLate
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            DeviceFault(
                """
                The hub \(place), cannot be asked for its name: its certificate is not trusted, or it speaks no TLS \
                there. HUBSEND_HUB_CA names the file with the authority to trust, which `hubsend hub --ca-file` writes.
                """)
        case let error as HTTPClientError where error == .remoteConnectionClosed: noLocalHub
        case let error as HTTPClientError where error == .deadlineExceeded: tooLate
        default:
            DeviceFault(
                """
                No local hub listens at \(place). Start `hubsend hub` there and try again, or set HUBSEND_HUB_NAME if \
                it is another hub.
                """, isPassing: true)
        }
    }

    private var place: String { "\(endpoint), which \(setting) names" }

    private var noLocalHub: DeviceFault {
        DeviceFault(
            """
            The hub has no name, and what answers at \(place), is no local hub that could be asked. Set \
            HUBSEND_HUB_NAME, or hub.name in the config file.
            """)
    }

    private var tooLate: DeviceFault {
        DeviceFault(
            """
            The hub \(place), did not say its name within \(Durations.text(seconds: deadline / .seconds(1))). If it \
            is a local hub, look at `hubsend hub` and try again; if not, set HUBSEND_HUB_NAME.
            """, isPassing: true)
    }
}
