public import DeviceClient
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests by a `URLSession` that remembers nothing.
public final class URLSessionTransport: DeviceTransport {
    private let session: URLSession

    /// Makes one with a session of its own: no cookies, no cache, no stored credentials.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if canImport(FoundationNetworking)
            session = URLSession(
                configuration: configuration, delegate: TaskDelegateCalls(), delegateQueue: nil)
        #else
            session = URLSession(configuration: configuration)
        #endif
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request and waits for all of the answer.
    ///
    /// - Parameter request: the request.
    /// - Returns: the answer.
    /// - Throws: as the protocol says.
    public func send(_ request: DeviceRequest) async throws -> DeviceResponse {
        let exchange = urlRequest(request)
        return try await withThrowingTaskGroup(of: DeviceResponse.self) { tasks in
            tasks.addTask { [session] in
                try await Self.answer(to: exchange, limit: request.answerLimit, session)
            }
            // The session's own timeout starts anew with each byte.
            tasks.addTask {
                try await Task.sleep(for: request.timeout)
                throw BackendClientError.timedOut
            }
            defer { tasks.cancelAll() }
            guard let response = try await tasks.next() else { throw CancellationError() }
            return response
        }
    }

    private func urlRequest(_ request: DeviceRequest) -> URLRequest {
        var result = URLRequest(url: request.url)
        result.httpMethod = request.method
        result.httpBody = request.body
        result.httpShouldHandleCookies = false
        result.timeoutInterval = max(1, request.timeout / .seconds(1))
        for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
        // What is packed could be far larger than it comes.
        result.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return result
    }

    private static func answer(
        to request: URLRequest, limit: Int, _ session: URLSession
    ) async throws -> DeviceResponse {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: ExchangeEvent.self)
        let task = session.dataTask(with: request)
        task.delegate = Exchange(events: continuation)
        continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
        task.resume()
        var head: HTTPURLResponse?
        var body = Data()
        do {
            for try await event in events {
                switch event {
                case .head(let response):
                    head = response
                case .body(let part):
                    guard body.count + part.count <= limit else {
                        task.cancel()
                        throw BackendClientError.answerTooLong(limit: limit)
                    }
                    body += part
                }
            }
        } catch let error as URLError {
            // Foundation on Linux fails after the answer to a sign-in that was refused.
            guard let head, head.statusCode == 401 else { throw failure(error) }
        }
        // The events end without an error when this task is cancelled.
        try Task.checkCancellation()
        guard let head else { throw BackendClientError.unreachable }
        let headers = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        return DeviceResponse(
            status: head.statusCode, headers: Dictionary(headers) { first, _ in first }, body: body)
    }

    private static func failure(_ error: URLError) -> any Error {
        switch error.code {
        case .timedOut: BackendClientError.timedOut
        case .cancelled: CancellationError()
        default: BackendClientError.unreachable
        }
    }
}
