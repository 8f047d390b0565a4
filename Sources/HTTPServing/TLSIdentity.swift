package import FoundationEssentials
package import NIOCore
package import NIOSSL

/// A server's certificate chain and key.
package struct TLSIdentity: Sendable {
    package enum Fault: Error, Hashable, Sendable {
        case noCertificate
        /// The key is protected by a passphrase, which nobody can be asked for.
        case encryptedKey
        case noKey
        case mismatch
    }

    private let certificates: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    package init(certificates: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        self.certificates = certificates
        self.key = key
    }

    /// Reads a chain in PEM, the server's certificate first, and its key.
    package init(certificates: [UInt8], key: [UInt8]) throws(Fault) {
        self.init(certificates: try Self.certificates(certificates), key: try Self.key(key))
        do {
            _ = try NIOSSLContext(configuration: configuration())
        } catch {
            throw .mismatch
        }
    }

    /// TLS 1.2 or newer; `shutdownTimeout` is how long a client may take to agree to a connection's
    /// end.
    package func configuration(
        shutdownTimeout: TimeAmount = .seconds(1)
    ) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.shutdownTimeout = shutdownTimeout
        return configuration
    }

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
