import CampaignCore
import FoundationEssentials
import HTTPServing
import Logging
import NIOCore
import NIOSSL

enum ServerTLS {
    /// How long a client may take to close a connection; nothing is lost without it.
    ///
    /// Less than a stop leaves for the last writes, so that the audit learns how each answer ended.
    private static let shutdownTimeout = TimeAmount.milliseconds(500)

    /// Reads certificate and key, for TLS 1.2 or newer.
    ///
    /// An expired certificate is only a warning, since a renewal may be on its way.
    static func configuration(
        from files: TLSFiles, now: Date, logger: Logger
    ) throws(IdentityFault) -> TLSConfiguration {
        let identity = try identity(in: files)
        if identity.hasExpired(at: now) {
            logger.warning(
                """
                A certificate in \(files.certificate) has expired; clients will refuse it. \
                Renew it, and start again.
                """
            )
        }
        return identity.configuration(shutdownTimeout: shutdownTimeout)
    }

    private static func identity(in files: TLSFiles) throws(IdentityFault) -> TLSIdentity {
        let certificates = try IdentityFile(role: .certificate, path: files.certificate).read()
        let key = try IdentityFile(role: .certificateKey, path: files.key).read()
        do throws(TLSIdentity.Fault) {
            return try TLSIdentity(certificates: certificates, key: key)
        } catch {
            throw .tls(TLSFault(error, in: files))
        }
    }
}

package enum TLSFault: Hashable, Sendable, CustomStringConvertible {
    case noCertificate(path: String)
    case noKey(path: String)
    /// The key needs a passphrase, but there is nobody to ask.
    case encryptedKey(path: String)
    case mismatch(certificate: String, key: String)

    fileprivate init(_ fault: TLSIdentity.Fault, in files: TLSFiles) {
        self =
            switch fault {
            case .noCertificate: .noCertificate(path: files.certificate)
            case .noKey: .noKey(path: files.key)
            case .encryptedKey: .encryptedKey(path: files.key)
            case .mismatch: .mismatch(certificate: files.certificate, key: files.key)
            }
    }

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
