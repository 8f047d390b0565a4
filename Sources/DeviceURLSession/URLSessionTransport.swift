public import DeviceClient
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests over a `URLSession` that stores nothing.
public final class URLSessionTransport: DeviceTransport {
    private let session: URLSession

    /// Creates a transport with its own session, without cookies, a cache or stored credentials.
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

    /// Sends a request and waits for the whole response.
    public func send(
        _ request: DeviceRequest
    ) async throws(BackendClientError) -> DeviceResponse {
        let limit = request.answerLimit
        let (events, continuation) = AsyncThrowingStream.makeStream(of: ExchangeEvent.self)
        let task = session.dataTask(with: urlRequest(request))
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
        } catch let error as BackendClientError {
            throw error
        } catch {
            // On Linux, if a sign-in is refused, Foundation reports an error after the response.
            guard let head, head.statusCode == 401 else { throw Self.failure(error) }
        }
        // If the task is cancelled, the events end without an error.
        guard !Task.isCancelled else { throw .cancelled }
        guard let head else { throw .unreachable }
        let headers = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        return DeviceResponse(
            status: head.statusCode, headers: Dictionary(headers) { first, _ in first }, body: body)
    }

    private func urlRequest(_ request: DeviceRequest) -> URLRequest {
        var result = URLRequest(url: request.url)
        result.httpMethod = request.method
        result.httpBody = request.body
        result.httpShouldHandleCookies = false
        result.timeoutInterval = max(1, request.timeout / .seconds(1))
        for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
        // Compressed data could become much larger when it is decompressed.
        result.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return result
    }

    private static func failure(_ error: any Error) -> BackendClientError {
        guard let error = error as? URLError else {
            return .transportFailed(UnderlyingError(error))
        }
        return switch error.code {
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        default: .unreachable
        }
    }
}

/// A part of a response as it arrives.
private enum ExchangeEvent: Sendable {
    case head(HTTPURLResponse)
    case body(Data)
}

/// Receives the events of one request.
private final class Exchange: NSObject, URLSessionDataDelegate {
    private let events: AsyncThrowingStream<ExchangeEvent, any Error>.Continuation

    init(events: AsyncThrowingStream<ExchangeEvent, any Error>.Continuation) {
        self.events = events
    }

    /// With nil, the redirect itself becomes the response, and nothing is sent to its target.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        events.yield(.head(response))
        completionHandler(nil)
    }

    /// The only credential is already in the request.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // On Linux, this method is not called for server trust challenges.
            completionHandler(.rejectProtectionSpace, nil)
        #else
            let method = challenge.protectionSpace.authenticationMethod
            let isAboutTheServer = method == NSURLAuthenticationMethodServerTrust
            completionHandler(
                isAboutTheServer ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #endif
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { events.yield(.head(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        events.yield(.body(data))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        events.finish(throwing: error)
    }
}

#if canImport(FoundationNetworking)
    /// Calls the delegate of each request, which Foundation does not do on Linux.
    private final class TaskDelegateCalls: NSObject, URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            exchange(of: dataTask)?.urlSession(
                session, dataTask: dataTask, didReceive: response,
                completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
        ) {
            exchange(of: dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let exchange = exchange(of: task) else {
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            exchange.urlSession(
                session, task: task, didReceive: challenge, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            exchange(of: task)?.urlSession(session, task: task, didCompleteWithError: error)
        }

        private func exchange(of task: URLSessionTask) -> Exchange? { task.delegate as? Exchange }
    }
#endif
