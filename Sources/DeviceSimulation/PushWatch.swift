package import AsyncHTTPClient
package import CampaignCore
import Foundation
package import Logging
import NIOCore
import NIOHTTP1
package import NIOSSL

/// Follows a local hub's stream of pushes, and reconnects if the connection is lost.
package struct PushWatch: Sendable {
    private static let timeToAnswer = TimeAmount.seconds(10)
    private static let longestPause = Duration.seconds(5)
    /// The maximum number of consecutive failures; it is reached in about a minute.
    private static let mostFailures = 15

    private let events: DeviceEvents
    private let client: HTTPClient
    private let userAgent: String
    private let onBreak: @Sendable (_ sentence: String) -> Void
    private let logger: Logger

    /// `onBreak` is called when the connection is lost and will be retried.
    package init(
        _ events: DeviceEvents, client: HTTPClient, userAgent: String, logger: Logger,
        onBreak: @escaping @Sendable (_ sentence: String) -> Void
    ) {
        self.events = events
        self.client = client
        self.userAgent = userAgent
        self.onBreak = onBreak
        self.logger = logger
    }

    /// Runs until the task is cancelled; the next push is not read until `onPush` returns.
    func run(
        onConnect: () async throws -> Void, onPush: (WatchedPush) async throws -> Void
    ) async throws {
        var last: String?
        var failures = 0
        var hasConnected = false
        while true {
            do {
                let response = try await connect(after: last)
                try await onConnect()
                (failures, hasConnected) = (0, true)
                try await read(response.body, last: &last, onPush)
                throw Interruption.ended
            } catch let broken as Interruption {
                failures += 1
                guard hasConnected, failures <= Self.mostFailures else { throw unreachable(broken) }
                if failures == 1 {
                    onBreak(
                        "The connection to the hub \(events.hub) was lost; retrying for a minute.")
                }
                logger.info(
                    "The hub's event stream broke; reconnecting", metadata: ["why": "\(broken)"])
                try await Task.sleep(
                    for: min(Self.longestPause, .milliseconds(250) * (1 << min(failures, 6))))
            }
        }
    }

    /// The stream ended or could not be opened; another attempt may succeed.
    private enum Interruption: Error {
        case refused
        case broken
        case busy
        case ended
    }

    private func connect(after last: String?) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: events.address + "&after=now")
        request.headers.add(name: "User-Agent", value: userAgent)
        if let last { request.headers.add(name: "Last-Event-ID", value: last) }
        request.tlsConfiguration = events.tls
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, timeout: Self.timeToAnswer)
        } catch {
            try Task.checkCancellation()
            throw Interruption.refused
        }
        switch response.status {
        case .ok: return response
        case .serviceUnavailable: throw Interruption.busy
        case .notFound:
            throw DeviceError(
                "There is no hub with that name at \(events.hub), or it is not a local hub. "
                    + "Check HUBSEND_HUB_NAME."
            )
        default:
            throw DeviceError(
                "The hub \(events.hub) cannot be watched: it returned status "
                    + "\(response.status.code)."
            )
        }
    }

    private func read(
        _ body: HTTPClientResponse.Body, last: inout String?,
        _ onPush: (WatchedPush) async throws -> Void
    ) async throws {
        var parser = ServerSentEvents()
        do {
            for try await piece in body {
                for event in try parsed(piece, by: &parser) {
                    try await onPush(try push(event))
                    last = event.id ?? last
                }
            }
        } catch let error as DeviceError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw Interruption.broken
        }
    }

    private func push(_ event: ServerSentEvents.Event) throws -> WatchedPush {
        do {
            return try JSONDecoder().decode(WatchedPush.self, from: Data(event.data.utf8))
        } catch {
            throw unreadable
        }
    }

    private func parsed(
        _ piece: ByteBuffer, by parser: inout ServerSentEvents
    ) throws -> [ServerSentEvents.Event] {
        do {
            return try parser.feed(piece.readableBytesView)
        } catch {
            throw unreadable
        }
    }

    private var unreadable: DeviceError {
        DeviceError("The events from \(events.hub) cannot be read; is it a local hub?")
    }

    private func unreachable(_ why: Interruption) -> DeviceError {
        DeviceError(
            why == .busy
                ? "The hub \(events.hub) has no free event stream; stop another `hubsend device` "
                    + "and try again."
                : "The hub \(events.hub) cannot be reached. Start `hubsend hub` and try again.",
            isPassing: true)
    }
}

/// A push to a device, as the local hub's event describes it.
struct WatchedPush: Decodable {
    private enum CodingKeys: String, CodingKey {
        case registration, outcome, body
        case bodyBase64 = "body_base64"
    }

    /// The registration of the device.
    let registration: String
    /// Whether the push reached the simulated device.
    let isDelivered: Bool
    let body: Data

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        registration = try object.decode(String.self, forKey: .registration)
        isDelivered = try object.decode(String.self, forKey: .outcome) == "Success"
        if let text = try object.decodeIfPresent(String.self, forKey: .body) {
            body = Data(text.utf8)
        } else {
            body = try object.decode(Data.self, forKey: .bodyBase64)
        }
    }
}

/// The address of a local hub's event stream for the devices of a user.
package struct DeviceEvents: Sendable {
    /// The URL, without the parameter `after`.
    let address: String
    let hub: String
    let tls: TLSConfiguration

    package init(of user: Username, on hub: String, at endpoint: String, tls: TLSConfiguration) {
        self.hub = endpoint
        self.tls = tls
        address =
            "\(endpoint)/.hubsend/devices/\(PercentEncoding.encode(user.text))/events"
            + "?hub=\(PercentEncoding.encode(hub))"
    }
}
