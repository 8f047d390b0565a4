import CampaignCore
import FoundationEssentials
import HTTPServing
import Logging
import NIOCore
import NIOSSL

enum ServerTLS {
    /// How long a client may take to close a connection cleanly; nothing is lost if it takes
    /// longer.
    ///
    /// This is shorter than the time for the last writes when the server stops, so the audit
    /// records how each response ended.
    private static let shutdownTimeout = TimeAmount.milliseconds(500)

    /// Reads the certificate and key for TLS 1.2 or newer.
    ///
    /// An expired certificate only causes a warning, because a renewal may be under way.
    static func configuration(
        from files: TLSFiles, now: Date, logger: Logger
    ) throws(IdentityError) -> TLSConfiguration {
        let identity = try identity(in: files)
        if identity.hasExpired(at: now) {
            logger.warning(
                """
                A certificate in \(files.certificate) has expired; clients will refuse it. Renew it and restart.
                """
            )
        }
        return identity.configuration(shutdownTimeout: shutdownTimeout)
    }

    private static func identity(in files: TLSFiles) throws(IdentityError) -> TLSIdentity {
        let certificates = try IdentityFile(role: .certificate, path: files.certificate).read()
        let key = try IdentityFile(role: .certificateKey, path: files.key).read()
        do throws(TLSIdentity.Failure) {
            return try TLSIdentity(certificates: certificates, key: key)
        } catch {
            throw .tls(ServerTLSError(error, in: files))
        }
    }
}

package enum ServerTLSError: Hashable, Sendable, CustomStringConvertible {
    case noCertificate(path: String)
    case noKey(path: String)
    /// The key requires a passphrase, but there is nobody to ask for it.
    case encryptedKey(path: String)
    case mismatch(certificate: String, key: String)

    fileprivate init(_ problem: TLSIdentity.Failure, in files: TLSFiles) {
        self =
            switch problem {
            case .noCertificate: .noCertificate(path: files.certificate)
            case .noKey: .noKey(path: files.key)
            case .encryptedKey: .encryptedKey(path: files.key)
            case .mismatch: .mismatch(certificate: files.certificate, key: files.key)
            }
    }

    package var description: String {
        switch self {
        case .noCertificate(let path):
            "The certificate file \(path) contains no certificate in PEM format (-----BEGIN CERTIFICATE-----)"
        case .noKey(let path):
            "The certificate key file \(path) contains no private key in PEM format "
                + "(-----BEGIN PRIVATE KEY-----)"
        case .encryptedKey(let path):
            "The certificate key file \(path) is protected by a passphrase. "
                + "Remove the passphrase with `openssl pkey -in \(path) -out PLAIN`"
        case .mismatch(let certificate, let key):
            "The key in \(key) does not belong to the first certificate in \(certificate). "
                + "Put the server's own certificate first and use the key that belongs to it"
        }
    }
}
