package import FoundationEssentials
package import NIOCore
package import NIOSSL

/// A server's certificate, with what leads to its root, and its key.
package struct TLSIdentity: Sendable {
    /// Why certificate and key cannot be used.
    package enum Fault: Error, Hashable, Sendable {
        /// There is no certificate in PEM.
        case noCertificate
        /// The key is protected by a passphrase, for which there is nobody to ask.
        case encryptedKey
        /// There is no private key in PEM.
        case noKey
        /// The key is not that of the first certificate.
        case mismatch
    }

    private let certificates: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    /// Puts a certificate and its key together.
    ///
    /// - Parameters:
    ///   - certificates: the server's own first.
    ///   - key: the key that it was made for.
    package init(certificates: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        self.certificates = certificates
        self.key = key
    }

    /// Reads certificate and key.
    ///
    /// - Parameters:
    ///   - certificates: in PEM, the server's own first.
    ///   - key: in PEM.
    /// - Throws: ``Fault``, the certificates' before the key's.
    package init(certificates: [UInt8], key: [UInt8]) throws(Fault) {
        self.init(certificates: try Self.certificates(certificates), key: try Self.key(key))
        do {
            _ = try NIOSSLContext(configuration: configuration())
        } catch {
            throw .mismatch
        }
    }

    /// The settings of a server with this certificate, for TLS 1.2 or newer.
    ///
    /// - Parameter shutdownTimeout: how long a client may take to agree to the end of a connection;
    ///   nothing is lost without it.
    package func configuration(
        shutdownTimeout: TimeAmount = .seconds(1)
    ) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.shutdownTimeout = shutdownTimeout
        return configuration
    }

    /// Whether one of the certificates has expired, so that clients will refuse it.
    package func hasExpired(at time: Date) -> Bool {
        certificates.contains { TimeInterval($0.notValidAfter) < time.timeIntervalSince1970 }
    }

    private static func certificates(_ pem: [UInt8]) throws(Fault) -> [NIOSSLCertificate] {
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMBytes(pem)
        } catch {
            throw .noCertificate
        }
        guard !certificates.isEmpty else { throw .noCertificate }
        return certificates
    }

    private static func key(_ pem: [UInt8]) throws(Fault) -> NIOSSLPrivateKey {
        // PKCS #8 says so in its first line, the older forms in a header.
        guard !String(decoding: pem, as: UTF8.self).contains("ENCRYPTED") else {
            throw .encryptedKey
        }
        do {
            return try NIOSSLPrivateKey(bytes: pem, format: .pem)
        } catch {
            throw .noKey
        }
    }
}
