#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Calls each request's own delegate, which Foundation on Linux leaves out.
    final class TaskDelegateCalls: NSObject, URLSessionDataDelegate {
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
