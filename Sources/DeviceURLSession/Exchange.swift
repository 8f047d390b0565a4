import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Watches one request of a `URLSession`, and hands on what comes in.
final class Exchange: NSObject, URLSessionDataDelegate {
    private let events: AsyncThrowingStream<ExchangeEvent, any Error>.Continuation

    /// Watches a request.
    ///
    /// - Parameter events: where to hand on what comes in.
    init(events: AsyncThrowingStream<ExchangeEvent, any Error>.Continuation) {
        self.events = events
    }

    /// A redirect is an answer like any other: with nil it comes as one, and nothing goes elsewhere.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        events.yield(.head(response))
        completionHandler(nil)
    }

    /// The credential went with the request, and there is no other.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Here, challenges are never about the server.
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
