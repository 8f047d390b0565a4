import AsyncHTTPClient
import CampaignCore
import Foundation
import NIOCore
import NIOHTTP1
package import NIOSSL

/// Asks a local hub for its name, so that users need to set only its connection string.
package struct LocalHubInquiry: Sendable {
    /// The maximum size of a response in bytes, enough for a hundred hubs with the longest names.
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

    /// Asks the hub for its name; `read` validates the name.
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
            throw DeviceError(
                "The local hub \(address) has no hubs left. Restart `hubsend hub`, or create a hub."
            )
        }
        throw DeviceError(
            """
            The local hub \(address) serves several hubs: \(names.map(\.text).sorted().joined(separator: ", ")). Set \
            HUBSEND_HUB_NAME to one of them.
            """)
    }

    /// The part of the response to `GET /.hubsend` that is read.
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
                // The client's own deadline covers only the head of the response.
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

    private func failure(_ error: any Error) -> DeviceError {
        switch error {
        case is NIOTooManyBytesError, is HTTPParserError: noLocalHub
        case is TooLate: tooLate
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            DeviceError(
                """
                The hub \(address) cannot be asked for its name: its certificate is not trusted, or it does not use \
                TLS on that port. Set HUBSEND_HUB_CA to the file that `hubsend hub --ca-file` writes.
                """)
        case let error as HTTPClientError where error == .remoteConnectionClosed: noLocalHub
        case let error as HTTPClientError where error == .deadlineExceeded: tooLate
        default:
            DeviceError(
                """
                No local hub is listening at \(address). Start `hubsend hub` there and try again, \
                or set HUBSEND_HUB_NAME if this is not a local hub.
                """, isPassing: true)
        }
    }

    private var address: String { "\(endpoint) (from \(setting))" }

    private var noLocalHub: DeviceError {
        DeviceError(
            """
            The name of the hub is not set, and \(address) is not a local hub that reports it. Set \
            HUBSEND_HUB_NAME, or hub.name in the config file.
            """)
    }

    private var tooLate: DeviceError {
        DeviceError(
            """
            The hub \(address) did not report its name within \(Durations.text(seconds: deadline / .seconds(1))). If \
            it is a local hub, check `hubsend hub` and try again; otherwise set HUBSEND_HUB_NAME.
            """, isPassing: true)
    }
}
