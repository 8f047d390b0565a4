import Crypto
import Foundation
import Logging
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// What the hub needs to speak TLS.
struct ServerTLS: Sendable {
    /// The protocols that it offers, the better one first (RFC 7301).
    private static let protocols = ["h2", "http/1.1"]
    /// How long a client may take to agree to the end of a connection; nothing is lost without it.
    private static let shutdownTimeout = TimeAmount.seconds(1)

    /// The TLS settings with certificate and key.
    let context: NIOSSLContext
    /// The certificate that clients have to trust, as PEM; nil when the certificate is the user's.
    let authorityPEM: String?

    /// Makes or reads certificate and key; one that has expired is a warning, since clients may be
    /// told to take it.
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
                    [Self.certificate(authority.serverCertificate)],
                    NIOSSLPrivateKey(
                        bytes: Array(authority.serverKey.derRepresentation), format: .der),
                    forLocalhost: Self.certificate(authority.localhostCertificate))
                authorityPEM = try authority.certificate.serializeAsPEM().pemString + "\n"
            } catch {
                throw .authorityNotMade(reason: "\(error)")
            }
        case .certificate(let chain, let key):
            let certificates = try Self.certificates(chain)
            let key = try Self.key(key)
            do {
                context = try Self.context(certificates, key)
            } catch {
                throw .tlsKeyOfAnotherCertificate
            }
            authorityPEM = nil
            if certificates.contains(where: {
                TimeInterval($0.notValidAfter) < now.timeIntervalSince1970
            }) {
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
        _ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey,
        forLocalhost localhost: NIOSSLCertificate? = nil
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = protocols
        configuration.shutdownTimeout = shutdownTimeout
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

    private static func certificates(
        _ pem: [UInt8]
    ) throws(LocalHubError) -> [NIOSSLCertificate] {
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMBytes(pem)
        } catch {
            throw .tlsCertificateUnreadable
        }
        guard !certificates.isEmpty else { throw .tlsCertificateUnreadable }
        return certificates
    }

    private static func key(_ pem: [UInt8]) throws(LocalHubError) -> NIOSSLPrivateKey {
        // PKCS #8 says so in its first line, the older forms in a header.
        guard !String(decoding: pem, as: UTF8.self).contains("ENCRYPTED") else {
            throw .tlsKeyEncrypted
        }
        do {
            return try NIOSSLPrivateKey(bytes: pem, format: .pem)
        } catch {
            throw .tlsKeyUnreadable
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
        /// An authority that the hub makes at its start, and that vouches for loopback addresses only.
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
