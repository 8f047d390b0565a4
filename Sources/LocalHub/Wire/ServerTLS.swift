import Crypto
import Foundation
import HTTPServing
import Logging
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// What the hub needs to speak TLS.
struct ServerTLS: Sendable {
    /// The TLS settings with certificate and key.
    let context: NIOSSLContext
    /// The certificate that clients have to trust, as PEM; nil when the certificate is the user's.
    let authorityPEM: String?

    /// Makes or reads certificate and key; one that has expired is a warning, since clients can be
    /// told to accept it.
    ///
    /// - Parameters:
    ///   - identity: where they come from.
    ///   - host: the host that the server listens on.
    ///   - now: the time.
    ///   - logger: where the warning goes.
    /// - Throws: `LocalHubError` when they cannot be made, are no PEM, or do not belong together.
    init(
        _ identity: LocalHubTLS.Identity, host: String, at now: Date, logger: Logger
    ) throws(LocalHubError) {
        switch identity {
        case .ownAuthority:
            do {
                let authority = try LocalAuthority(host: host, at: now)
                context = try Self.context(
                    TLSIdentity(
                        certificates: [Self.certificate(authority.serverCertificate)],
                        key: NIOSSLPrivateKey(
                            bytes: Array(authority.serverKey.derRepresentation), format: .der)),
                    forLocalhost: Self.certificate(authority.localhostCertificate))
                authorityPEM = try authority.certificate.serializeAsPEM().pemString + "\n"
            } catch {
                throw .authorityNotMade(reason: "\(error)")
            }
        case .certificate(let chain, let key):
            let identity = try Self.identity(chain, key)
            do {
                context = try Self.context(identity)
            } catch {
                throw .tlsKeyOfAnotherCertificate
            }
            authorityPEM = nil
            if identity.hasExpired(at: now) {
                logger.warning(
                    """
                    A certificate for TLS has expired; clients will refuse it: renew it, and start \
                    again.
                    """
                )
            }
        }
    }

    private static func context(
        _ identity: TLSIdentity, forLocalhost localhost: NIOSSLCertificate? = nil
    ) throws -> NIOSSLContext {
        var configuration = identity.configuration()
        configuration.applicationProtocols = BoundedHTTPServer.applicationProtocols
        if let localhost {
            configuration.sslContextCallback = { client, answer in
                var change = NIOSSLContextConfigurationOverride()
                if client.serverHostname?.lowercased() == "localhost" {
                    change.certificateChain = [.certificate(localhost)]
                }
                answer.succeed(change)
            }
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func identity(
        _ chain: [UInt8], _ key: [UInt8]
    ) throws(LocalHubError) -> TLSIdentity {
        do throws(TLSIdentity.Fault) {
            return try TLSIdentity(certificates: chain, key: key)
        } catch {
            switch error {
            case .noCertificate: throw .tlsCertificateUnreadable
            case .encryptedKey: throw .tlsKeyEncrypted
            case .noKey: throw .tlsKeyUnreadable
            case .mismatch: throw .tlsKeyOfAnotherCertificate
            }
        }
    }

    private static func certificate(_ certificate: Certificate) throws -> NIOSSLCertificate {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
    }
}

/// How a local hub serves TLS, with HTTP/2 and HTTP/1.1, beside plain HTTP.
package struct LocalHubTLS: Sendable {
    /// Where the server's certificate comes from.
    package enum Identity: Sendable {
        /// An authority that the hub makes at its start, and that signs for loopback addresses only.
        case ownAuthority
        /// A certificate with what leads to its root, the server's first, and its key, both as PEM.
        case certificate(chain: [UInt8], key: [UInt8])
    }

    /// The port to listen on, on the host of plain HTTP; 0 takes a free one.
    package var port: Int
    /// Where the server's certificate comes from.
    package var identity: Identity

    /// Describes the second port of a hub.
    ///
    /// - Parameters:
    ///   - port: the port, 0 to 65535; 0 takes a free one.
    ///   - identity: where the server's certificate comes from.
    package init(port: Int = 0, identity: Identity = .ownAuthority) {
        self.port = port
        self.identity = identity
    }
}
