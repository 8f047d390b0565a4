import NIOCore
package import NIOSSL

extension TLSConfiguration {
    /// Requires TLS 1.2 and verifies certificates; ``CertificateNames`` adds a check that cannot be
    /// configured here, and `roots` are in PEM.
    package static func hub(
        trusting roots: [String]
    ) throws(HubConfigurationError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = .fullVerification
        if !roots.isEmpty {
            do {
                tls.additionalTrustRoots = [
                    .certificates(
                        try roots.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) })
                ]
            } catch {
                throw .tls
            }
        }
        return tls
    }
}

/// Verifies that the certificate of a server has alternative names.
///
/// Without alternative names, NIOSSL uses the common name, which authorities need not check, which
/// name constraints do not cover, and which RFC 9525, section 2, forbids.
enum CertificateNames {
    struct Missing: Error {}

    /// Checks the server's certificate after the TLS handshake, on the channel's event loop.
    static func check(_ channel: any Channel) throws {
        let certificate = try channel.pipeline.syncOperations.nioSSL_peerCertificate()
        guard let certificate, !certificate._subjectAlternativeNames().isEmpty else {
            throw Missing()
        }
    }
}
