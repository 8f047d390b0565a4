import Crypto
import Foundation
import HTTPServing
import Logging
import NIOCore
import NIOSSL
import SwiftASN1
import X509

struct ServerTLS: Sendable {
    let context: NIOSSLContext
    /// The certificate that clients must trust, as PEM; nil if a certificate is configured.
    let authorityPEM: String?

    /// Creates or reads the certificate and key; an expired certificate only produces a warning,
    /// because clients can be configured to accept it.
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
                    A TLS certificate has expired, and clients will refuse it. Renew it and restart the hub.
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
        do throws(TLSIdentity.Failure) {
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

package struct LocalHubTLS: Sendable {
    package enum Identity: Sendable {
        /// An authority that is created when the hub starts and signs only for loopback addresses.
        case ownAuthority
        /// A certificate chain that starts with the server's certificate, and its key, both as PEM.
        case certificate(chain: [UInt8], key: [UInt8])
    }

    /// The port for TLS, on the same host as plain HTTP; 0 picks a free port.
    package var port: Int
    package var identity: Identity

    package init(port: Int = 0, identity: Identity = .ownAuthority) {
        self.port = port
        self.identity = identity
    }
}
