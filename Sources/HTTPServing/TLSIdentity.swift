package import FoundationEssentials
package import NIOCore
package import NIOSSL

/// A server's certificate chain and key.
package struct TLSIdentity: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        case noCertificate
        /// The key is protected by a passphrase, and there is nobody to ask for it.
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

    /// Reads a PEM chain, which begins with the server's certificate, and its key.
    package init(certificates: [UInt8], key: [UInt8]) throws(Failure) {
        self.init(certificates: try Self.certificates(certificates), key: try Self.key(key))
        do {
            _ = try NIOSSLContext(configuration: configuration())
        } catch {
            throw .mismatch
        }
    }

    /// Requires TLS 1.2 or newer; `shutdownTimeout` is how long a client may take to confirm a
    /// close.
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

    private static func certificates(_ pem: [UInt8]) throws(Failure) -> [NIOSSLCertificate] {
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMBytes(pem)
        } catch {
            throw .noCertificate
        }
        guard !certificates.isEmpty else { throw .noCertificate }
        return certificates
    }

    private static func key(_ pem: [UInt8]) throws(Failure) -> NIOSSLPrivateKey {
        // PKCS #8 indicates this in its first line, and older formats do so in a header.
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
