import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// Listens to a local hub's stream about pushes, and takes it up again where it broke.
struct PushWatch: Sendable {
    private static let timeToAnswer = TimeAmount.seconds(10)
    private static let longestPause = Duration.seconds(5)
    /// How often in a row it may fail: about a minute.
    private static let mostFailures = 15

    private let events: DeviceEvents
    private let client: HTTPClient
    private let isQuiet: Bool
    private let logger: Logger

    /// Prepares to listen.
    ///
    /// - Parameters:
    ///   - events: where the hub tells of pushes.
    ///   - client: what carries the stream.
    ///   - isQuiet: whether nobody wants to know that the hub went away and may come back.
    ///   - logger: gets why.
    init(_ events: DeviceEvents, client: HTTPClient, isQuiet: Bool, logger: Logger) {
        self.events = events
        self.client = client
        self.isQuiet = isQuiet
        self.logger = logger
    }

    /// Listens until the task is cancelled.
    ///
    /// - Parameters:
    ///   - onConnect: called when the hub tells of pushes from now on, at first and after each break; the pushes wait.
    ///   - onPush: called with each push; the next one waits until it returns.
    /// - Throws: what `onConnect` throws; ``CommandFailure`` when the hub cannot be watched.
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
                guard hasConnected, failures <= Self.mostFailures else {
                    throw unreachable(broken)
                }
                if failures == 1, !isQuiet {
                    Console.complain(
                        "hubsend: The hub \(events.hub) went away; trying again for a minute.")
                }
                logger.info(
                    "The hub's stream broke; it is taken up again", metadata: ["why": "\(broken)"])
                try await Task.sleep(
                    for: min(Self.longestPause, .milliseconds(250) * (1 << min(failures, 6))))
            }
        }
    }

    /// The stream could not be had, or ended; another try may do.
    private enum Interruption: Error {
        case refused
        case broken
        case busy
        case ended
    }

    private func connect(after last: String?) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: events.address + "&after=now")
        request.headers.add(name: "User-Agent", value: Hubsend.userAgent)
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
            throw CommandFailure(
                .configuration,
                "There is no hub of that name at \(events.hub), or it is no local hub. Look at HUBSEND_HUB_NAME."
            )
        default:
            throw CommandFailure(
                .configuration,
                "The hub \(events.hub) cannot be watched: it answers with status \(response.status.code)."
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
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw Interruption.broken
        }
    }

    private func push(_ event: ServerSentEvents.Event) throws -> WatchedPush {
        do {
            return try JSONDecoder().decode(WatchedPush.self, from: Data(event.data.utf8))
        } catch {
            throw unreadable()
        }
    }

    private func parsed(
        _ piece: ByteBuffer, by parser: inout ServerSentEvents
    ) throws -> [ServerSentEvents.Event] {
        do {
            return try parser.feed(piece.readableBytesView)
        } catch {
            throw unreadable()
        }
    }

    private func unreachable(_ why: Interruption) -> CommandFailure {
        CommandFailure(
            .tryAgain,
            why == .busy
                ? "The hub \(events.hub) has no more event streams; end another `hubsend device` and try again."
                : "The hub \(events.hub) cannot be reached. Start `hubsend hub` and try again.")
    }

    private func unreadable() -> CommandFailure {
        CommandFailure(
            .configuration, "What \(events.hub) tells of pushes cannot be read; is it a local hub?")
    }
}
