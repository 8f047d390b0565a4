import NIOCore
package import NIOSSL

extension TLSConfiguration {
    /// How hubs are spoken to: TLS 1.2 or later, always verified; ``CertificateNames`` adds what
    /// it cannot say.
    ///
    /// - Parameter roots: certificates, in PEM, to trust in addition to the system's.
    /// - Returns: the configuration.
    /// - Throws: `HubConfigurationError.tls` when a certificate cannot be read.
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

/// Makes sure that a server's certificate names it by alternative names.
///
/// Where a certificate has none, NIOSSL takes its common name for one. An authority need not have
/// made sure of that, its name constraints do not hold for it, and no client may go by it (RFC
/// 9525, section 2).
enum CertificateNames {
    /// The server has no certificate with alternative names.
    struct Missing: Error {}

    /// Checks the server's certificate, once TLS is agreed on and before anything is sent.
    ///
    /// - Parameter channel: the connection; on its event loop.
    /// - Throws: ``Missing``; NIO's own error when the connection has no TLS.
    static func check(_ channel: any Channel) throws {
        let certificate = try channel.pipeline.syncOperations.nioSSL_peerCertificate()
        guard let certificate, !certificate._subjectAlternativeNames().isEmpty else {
            throw Missing()
        }
    }
}
