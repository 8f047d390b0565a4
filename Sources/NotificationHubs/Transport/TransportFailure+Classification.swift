import AsyncHTTPClient
import NIOCore
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

extension TransportFailure {
    /// Classifies what the HTTP client threw.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - requestBegan: whether the request's head was handed to a connection.
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

    private static func isInvalidRequest(_ error: HTTPClientError) -> Bool {
        // Their payload repeats header values, so they are recognised by the part of their text
        // that is fixed.
        error.shortDescription.hasPrefix("Invalid header field")
    }

    private static func cause(_ error: NIOConnectionError) -> Cause {
        // Several addresses were tried. One that was refused proves that the name and the network
        // work.
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
            // BoringSSL's reason has no other public form than its text.
            String(describing: reason).contains("CERTIFICATE_VERIFY_FAILED")
                ? .certificateRefused : .tlsHandshake
        default: .connectionLost
        }
    }
}
