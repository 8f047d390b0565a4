import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Makes requests to services other than hubs, such as a heartbeat monitor or the key server of an
/// issuer.
///
/// TLS certificates are verified, redirects are not followed, and time and size are limited. The
/// address is a secret and is never shown.
package struct WebCall: Sendable {
    private let components: URLComponents
    private let endpoint: HubEndpoint
    private let userAgent: String

    /// Accepts an `https://` address, or an `http://` address of this machine, without a user or a
    /// fragment.
    package init?(_ address: String, userAgent: String) {
        guard let separator = address.firstRange(of: "://"),
            ["https", "http"].contains(address[..<separator.lowerBound].lowercased()),
            let components = URLComponents(string: address), components.fragment == nil
        else { return nil }
        let host = address[separator.upperBound...].prefix { !"/?".contains($0) }
        do throws(ConnectionStringError) {
            endpoint = try HubEndpoint(
                parsing: String(address[..<separator.upperBound] + host))
        } catch {
            return nil
        }
        self.components = components
        self.userAgent = userAgent
    }

    /// Makes one request, even if the task is cancelled: a `POST`, or a `GET` if there is no body.
    ///
    /// `step`, such as `/start`, is appended to the address's path. Throws ``Failure`` unless the
    /// status means success.
    package func send(
        _ step: String = "", posting body: String? = nil, within time: Duration
    ) async throws(Failure) {
        _ = try await answer(step, posting: body, limit: HTTPTransport.bodyLimit, within: time)
    }

    /// Returns the complete content at the address, up to a limit in bytes.
    func content(limit: Int, within time: Duration) async throws(Failure) -> [UInt8] {
        // One extra byte shows that the content is too long rather than cut off.
        let answer = try await answer("", posting: nil, limit: limit + 1, within: time)
        guard answer.body.count <= limit else { throw .tooLarge }
        guard answer.isComplete else { throw .noAnswer(.connectionLost) }
        return answer.body
    }

    private func answer(
        _ step: String, posting body: String?, limit: Int, within time: Duration
    ) async throws(Failure) -> HubAnswer {
        guard let url = url(step) else { throw .unusableAddress }
        let settings = HubClientSettings(
            concurrency: 1, requestTimeout: time, connectTimeout: time, retries: .none,
            userAgent: userAgent)
        let tls: TLSConfiguration
        do throws(HubConfigurationError) {
            tls = try TLSConfiguration.hub(trusting: [])
        } catch {
            throw .unusableAddress
        }
        let transport = HTTPTransport(
            settings: settings, tls: endpoint.scheme == .https ? tls : nil)
        var headers = HTTPHeaders([("User-Agent", userAgent)])
        if body != nil { headers.add(name: "Content-Type", value: "text/plain; charset=utf-8") }
        let request = SendRequest(
            trackingID: "", headers: headers, body: ByteBuffer(string: body ?? ""))
        let result: Result<HubAnswer, TransportFailure>
        do throws(TransportFailure) {
            result = .success(
                try await transport.execute(
                    request, method: body == nil ? .GET : .POST, at: url,
                    bodyLimit: limit, by: transport.deadline))
        } catch {
            result = .failure(error)
        }
        do {
            try await transport.shutdown()
        } catch {
            // The client was already shut down.
        }
        switch result {
        case .success(let answer) where (200..<300).contains(answer.status): return answer
        case .success(let answer): throw .refused(status: answer.status)
        case .failure(let failure): throw .noAnswer(failure.cause)
        }
    }

    private func url(_ step: String) -> URL? {
        guard !step.isEmpty else { return components.url }
        var components = components
        var path = components.percentEncodedPath[...]
        while path.hasSuffix("/") { path.removeLast() }
        components.percentEncodedPath = String(path) + step
        return components.url
    }

    /// The reason why a request to a service failed, without any part of the address.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        /// The address cannot be used.
        case unusableAddress
        /// There is no response.
        case noAnswer(TransportFailure.Cause)
        /// The response has an error status.
        case refused(status: Int)
        /// The response is longer than the limit.
        case tooLarge

        package var description: String {
            switch self {
            case .unusableAddress: "the address is invalid"
            case .noAnswer(let cause): "\(TransportFailure(cause: cause))"
            case .refused(let status): "it returned status \(status)"
            case .tooLarge: "its response is too long"
            }
        }
    }
}

extension WebCall: SecretHolder {
    package var description: String { "WebCall(address hidden)" }
}
