/// Where a server's certificate and its key are, in PEM.
package struct TLSFiles: Hashable, Sendable {
    /// The certificate, followed by those that lead to its authority.
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}
