import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Requests to an address that is no hub's: that of a service which watches over runs, or of an issuer's keys.
///
/// They go as those to hubs do: over verified TLS, without redirects, and with a bound in time and in size. The address of such a service
/// is a secret, since whoever knows it can speak for the caller; nothing here shows it.
package struct WebCall: Sendable {
    private let components: URLComponents
    private let endpoint: HubEndpoint
    private let userAgent: String

    /// Takes an address.
    ///
    /// - Parameters:
    ///   - address: begins with `https://`; plain `http://` is for this machine only.
    ///   - userAgent: the program that asks, as `name/version`.
    /// - Returns: nil when it is no such address, or has a user or a fragment in it.
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

    /// Makes one request, also in a cancelled task, and waits until it was answered.
    ///
    /// - Parameters:
    ///   - step: what is appended to the address's path, such as `/start`.
    ///   - body: what is posted; nil: nothing is, and the request is a `GET`.
    ///   - time: how long all of it may take.
    /// - Throws: ``Failure`` unless the service says yes.
    package func send(
        _ step: String = "", posting body: String? = nil, within time: Duration
    ) async throws(Failure) {
        _ = try await answer(step, posting: body, limit: HTTPTransport.bodyLimit, within: time)
    }

    /// Gets what is at the address.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that it may have.
    ///   - time: how long all of it may take.
    /// - Throws: ``Failure`` unless all of it is there.
    func content(limit: Int, within time: Duration) async throws(Failure) -> [UInt8] {
        // One more, so that what is too long is told from what was cut off on its way.
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
            // Only who has shut it down before is refused.
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

    /// Why a service did not say yes; nothing of its address is in it.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        /// The address cannot be called.
        case unusableAddress
        /// There is no answer.
        case noAnswer(TransportFailure.Cause)
        /// The answer means no.
        case refused(status: Int)
        /// The answer is longer than it will be read.
        case tooLarge

        /// What happened, in a few words.
        package var description: String {
            switch self {
            case .unusableAddress: "the address cannot be called"
            case .noAnswer(let cause): "\(TransportFailure(cause: cause))"
            case .refused(let status): "it answered with status \(status)"
            case .tooLarge: "its answer is too long"
            }
        }
    }
}

extension WebCall: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the address.
    package var description: String { "WebCall(address hidden)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
