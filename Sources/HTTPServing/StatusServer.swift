import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle

/// A small server for a process's health and metrics; it has no authentication, so its plain text
/// pages must be harmless.
package struct StatusServer: Sendable {
    package struct Page: Sendable {
        let text: String
        let contentType: String
        let isGood: Bool

        /// If `isGood` is false, the response is 503, which tells a supervisor that something is
        /// wrong.
        package init(
            _ text: String, contentType: String = "text/plain; charset=utf-8", isGood: Bool = true
        ) {
            self.text = text
            self.contentType = contentType
            self.isGood = isGood
        }
    }

    private static let mostConnections = 64
    /// How long responses may take when the server stops.
    private static let grace = Duration.seconds(1)
    private static let limits = HTTPServerLimits(
        headerBytes: 16_384, headers: 64, idleTimeout: .seconds(30), bodyTimeout: .seconds(5),
        stallTimeout: .seconds(10), shutdownGrace: grace)

    private let host: String
    private let port: Int
    private let pages: @Sendable (_ path: String) -> Page?
    private let logger: Logger

    /// `host` has no brackets, port 0 picks a free port, and `pages` returns the page for a path
    /// like `/health`.
    package init(
        host: String, port: Int, pages: @escaping @Sendable (_ path: String) -> Page?,
        logger: Logger
    ) {
        self.host = host
        self.port = port
        self.pages = pages
        self.logger = logger
    }

    /// Serves while `work` runs, which begins once the server listens.
    package func serve(during work: (_ url: String) async throws -> Void) async throws {
        let (urls, ready) = AsyncThrowingStream.makeStream(of: String.self)
        // A separate task keeps serving until cancelled work has ended.
        let serving = Task {
            do {
                try await ServiceGroup.serve(
                    [.init(service: application { ready.yield($0) })], grace: Self.grace,
                    logger: logger)
                ready.finish()
            } catch {
                let problem = ListenError(error).map {
                    StatusServerError(host: host, port: port, problem: $0)
                }
                ready.finish(throwing: problem ?? error)
            }
        }
        // This waits even in a cancelled task, because services that are stopped before they start
        // would never end.
        let listening = Task { try await urls.first { _ in true } }
        guard let url = try await listening.value else { return }
        do {
            if !Task.isCancelled { try await work(url) }
        } catch {
            await Self.end(serving)
            throw error
        }
        await Self.end(serving)
    }

    private static func end(_ serving: Task<Void, Never>) async {
        serving.cancel()
        await serving.value
    }

    private func application(
        onReady: @escaping @Sendable (_ url: String) -> Void
    ) -> Application<StatusResponder> {
        let server = BoundedHTTPServer(limits: Self.limits, namesHostOfOldRequests: true) {
            _, byteCount, _ in
            // Requests have no body.
            byteCount > 0 ? StatusResponder.response(.contentTooLarge) : nil
        }
        return Application(
            responder: StatusResponder(pages: pages), server: server.plain,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: .maximum(Self.mostConnections, logger: logger)),
            onServerRunning: { [host, port] channel in
                let name = host.contains(":") ? "[\(host)]" : host
                onReady("http://\(name):\(channel.localAddress?.port ?? port)")
            },
            logger: logger)
    }
}

package struct StatusServerError: Error, Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int
    let problem: ListenError

    package var description: String {
        let place = "\(ClientText.quoted(host)) port \(port)"
        return switch problem {
        case .portInUse:
            "hubsend cannot listen on \(place) for health and metrics: the port is in use. Use another port (0 picks a free one)."
        case .refused, .unknownHost:
            "hubsend cannot listen on \(place) for health and metrics; \(problem.advice)."
        }
    }
}

private struct StatusResponder: HTTPResponder {
    typealias Context = StatusContext

    let pages: @Sendable (_ path: String) -> StatusServer.Page?

    func respond(to request: Request, context: StatusContext) async throws -> Response {
        guard [.get, .head].contains(request.method) else {
            return Self.response(.methodNotAllowed)
        }
        let path = request.head.path ?? ""
        guard let page = pages(String(path.prefix { $0 != "?" })) else {
            return Self.response(.notFound)
        }
        let response = Self.response(
            page.isGood ? .ok : .serviceUnavailable, page.text, page.contentType)
        return request.method == .head ? response.createHeadResponse() : response
    }

    static func response(
        _ status: HTTPResponse.Status, _ text: String? = nil,
        _ contentType: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: contentType, .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: text ?? "\(status.code) \(status.reasonPhrase)\n")))
    }
}

private struct StatusContext: InitializableFromSource {
    init(source: ApplicationRequestContextSource) {}
}
