/// Why a server cannot speak TLS with the files that it was given.
package enum TLSFault: Hashable, Sendable, CustomStringConvertible {
    case noCertificate(path: String)
    case noKey(path: String)
    /// The key is protected by a passphrase, for which there is nobody to ask.
    case encryptedKey(path: String)
    case mismatch(certificate: String, key: String)

    package var description: String {
        switch self {
        case .noCertificate(let path):
            "The certificate file \(path) holds no certificate in PEM (-----BEGIN CERTIFICATE-----)"
        case .noKey(let path):
            "The certificate's key file \(path) holds no private key in PEM "
                + "(-----BEGIN PRIVATE KEY-----)"
        case .encryptedKey(let path):
            "The certificate's key file \(path) is protected by a passphrase. "
                + "Take it off with `openssl pkey -in \(path) -out PLAIN`"
        case .mismatch(let certificate, let key):
            "The key in \(key) is not that of the first certificate in \(certificate). "
                + "Put the server's own certificate first, and give the key that it was made for"
        }
    }
}
