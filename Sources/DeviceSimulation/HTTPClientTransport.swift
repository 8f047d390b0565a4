package import AsyncHTTPClient
package import DeviceClient
import Foundation
import NIOCore
import NIOHTTP1

/// Sends the requests of many devices over one connection pool.
package struct HTTPClientTransport: DeviceTransport {
    private let client: HTTPClient
    private let userAgent: String

    /// The client must come from ``withClient(_:)``, so that it does not follow redirects.
    package init(client: HTTPClient, userAgent: String) {
        self.client = client
        self.userAgent = userAgent
    }

    package static func withClient<Value>(
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            // The streams of the local hub send data at least every 15 seconds.
            timeout: .init(connect: .seconds(10), read: .seconds(60)),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tracing.tracer = nil
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await body(client)
        }
    }

    package func send(
        _ request: DeviceRequest
    ) async throws(BackendClientError) -> DeviceResponse {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        outgoing.headers.replaceOrAdd(name: "User-Agent", value: userAgent)
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
        do {
            let response = try await client.execute(outgoing, timeout: TimeAmount(request.timeout))
            let body = try await response.body.collect(upTo: request.answerLimit)
            let headers = response.headers.map { ($0.name.lowercased(), $0.value) }
            return DeviceResponse(
                status: Int(response.status.code),
                headers: Dictionary(headers) { first, _ in first },
                body: Data(body.readableBytesView))
        } catch is NIOTooManyBytesError {
            throw .answerTooLong(limit: request.answerLimit)
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> BackendClientError {
        switch error as? HTTPClientError {
        case .cancelled where Task.isCancelled: .cancelled
        case .connectTimeout, .readTimeout, .deadlineExceeded: .timedOut
        default: .unreachable
        }
    }
}
