import AsyncHTTPClient
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The reason why there is no response to a request.
public struct TransportFailure: Error, Sendable, Hashable {
    /// The cause.
    public enum Cause: Sendable, Hashable {
        /// No program is listening at the address.
        case connectionRefused
        /// The host name does not resolve.
        case nameNotResolved
        /// The address cannot be reached; the value is the system's error number.
        case unreachable(Int32)
        /// No connection was established or became available in time.
        case noConnectionInTime
        /// The TLS handshake failed.
        case tlsHandshake
        /// The server's certificate is not trusted or is for another host.
        case certificateRefused
        /// The proxy requires a user name and a password.
        case proxyWantsCredentials
        /// The proxy refused to connect to the hub.
        case proxyRefused
        /// The connection was lost.
        case connectionLost
        /// The timeout for the whole request was reached.
        case timedOut
        /// The response is not HTTP, or its header is too long.
        case malformedAnswer
        /// The client has been shut down.
        case shutDown
        /// The request could not be encoded as HTTP.
        case invalidRequest
    }

    /// The cause.
    public let cause: Cause

    /// Whether any byte of the request was sent; false guarantees that the hub received nothing.
    public internal(set) var requestBegan = false

    /// The host name that does not resolve.
    var name: String?

    /// The proxy that could not be reached.
    var proxy: String?
}

extension TransportFailure: CustomStringConvertible {
    /// A short description of the failure.
    public var description: String {
        switch cause {
        case .connectionRefused: "connection refused" + byProxy
        case .nameNotResolved:
            "the name \(name ?? "of the host") does not resolve"
        case .unreachable(let number):
            "the host cannot be reached (error number \(number))" + byProxy
        case .noConnectionInTime: "the connection timed out" + byProxy
        case .tlsHandshake: "the TLS handshake failed"
        case .certificateRefused: "the server's TLS certificate is not trusted for this host"
        case .proxyWantsCredentials: "the proxy \(proxy ?? "") requires a user name and a password"
        case .proxyRefused: "the proxy \(proxy ?? "") refused to connect to the hub"
        case .connectionLost: "the connection was lost"
        case .timedOut: "no response in time"
        case .malformedAnswer: "the response is not HTTP"
        case .shutDown: "the client has been shut down"
        case .invalidRequest: "the request could not be encoded as HTTP"
        }
    }

    private var byProxy: String { proxy.map { " (through the proxy \($0))" } ?? "" }
}

extension TransportFailure {
    init(_ error: any Error, requestBegan: Bool) {
        self.init(
            cause: Self.cause(error), requestBegan: requestBegan, name: Self.unresolvedName(error))
    }

    private static func unresolvedName(_ error: any Error) -> String? {
        switch error {
        case let error as UnresolvedName: error.host
        case let error as SocketAddressError.UnknownHost: error.host
        case let error as NIOConnectionError where cause(error) == .nameNotResolved: error.host
        default: nil
        }
    }

    private static func cause(_ error: any Error) -> Cause {
        switch error {
        case let error as HTTPClientError: cause(error)
        case let error as NIOHTTP1ProxyConnectHandler.Error: cause(error)
        case let error as NIOConnectionError: cause(error)
        case let error as IOError: cause(error)
        case let error as NIOSSLError: cause(error)
        case is NIOSSLExtraError, is CertificateNames.Missing: .certificateRefused
        case is BoringSSLError: .tlsHandshake
        case is HTTPParserError: .malformedAnswer
        case ChannelError.connectTimeout: .noConnectionInTime
        case is SocketAddressError, is SocketAddressError.UnknownHost, is UnresolvedName:
            .nameNotResolved
        default: .connectionLost
        }
    }

    private static func cause(_ error: HTTPClientError) -> Cause {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout:
            .noConnectionInTime
        case .proxyAuthenticationRequired: .proxyWantsCredentials
        case .invalidProxyResponse: .proxyRefused
        case .tlsHandshakeTimeout: .tlsHandshake
        case .deadlineExceeded, .readTimeout, .writeTimeout: .timedOut
        case .alreadyShutdown, .cancelled: .shutDown
        case .invalidURL, .emptyHost, .emptyScheme: .invalidRequest
        default: isInvalidRequest(error) ? .invalidRequest : .connectionLost
        }
    }

    private static func cause(_ error: NIOHTTP1ProxyConnectHandler.Error) -> Cause {
        // These errors can be compared only with values of the same type.
        let anyHead = HTTPResponseHead(version: .http1_1, status: .badGateway)
        if error == .proxyAuthenticationRequired() { return .proxyWantsCredentials }
        if error == .httpProxyHandshakeTimeout() { return .noConnectionInTime }
        return error == .invalidProxyResponse() || error == .invalidProxyResponseHead(anyHead)
            ? .proxyRefused : .connectionLost
    }

    private static func isInvalidRequest(_ error: HTTPClientError) -> Bool {
        // These errors contain header values, so the fixed part of their description identifies
        // them.
        error.shortDescription.hasPrefix("Invalid header field")
    }

    private static func cause(_ error: NIOConnectionError) -> Cause {
        // Several addresses were tried; a refusal proves that the host name resolves and the
        // network works.
        let causes = error.connectionErrors.map { cause($0.error) }
        if causes.contains(.connectionRefused) { return .connectionRefused }
        if let first = causes.first { return first }
        return error.dnsAError != nil || error.dnsAAAAError != nil
            ? .nameNotResolved : .noConnectionInTime
    }

    private static func cause(_ error: IOError) -> Cause {
        switch error.errnoCode {
        case ECONNREFUSED: .connectionRefused
        case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: .connectionLost
        case ETIMEDOUT: .noConnectionInTime
        default: .unreachable(error.errnoCode)
        }
    }

    private static func cause(_ error: NIOSSLError) -> Cause {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate: .certificateRefused
        case .handshakeFailed(let reason):
            // BoringSSL's reason is available only as text.
            String(describing: reason).contains("CERTIFICATE_VERIFY_FAILED")
                ? .certificateRefused : .tlsHandshake
        default: .connectionLost
        }
    }
}
