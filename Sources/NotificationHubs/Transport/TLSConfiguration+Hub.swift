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
