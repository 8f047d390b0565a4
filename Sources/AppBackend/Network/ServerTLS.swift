import CampaignCore
import FoundationEssentials
import HTTPServing
import Logging
import NIOCore
import NIOSSL

/// What a server needs to speak TLS.
enum ServerTLS {
    /// How long a client may take to agree to the end of a connection; nothing is lost without it.
    ///
    /// Less than what a stop leaves for the last writes, so that the audit hears how each answer
    /// ended.
    private static let shutdownTimeout = TimeAmount.milliseconds(500)

    /// Reads certificate and key; a certificate that has expired is a warning, since a renewal may
    /// be on its way.
    ///
    /// - Parameters:
    ///   - files: where they are.
    ///   - now: the time.
    ///   - logger: where the warning goes.
    /// - Returns: a configuration of TLS 1.2 or newer.
    /// - Throws: ``IdentityFault`` when a file is missing, unsafe or wrong, or the key is another
    ///   certificate's.
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

/// Why a server cannot speak TLS with the files that it was given.
package enum TLSFault: Hashable, Sendable, CustomStringConvertible {
    case noCertificate(path: String)
    case noKey(path: String)
    /// The key is protected by a passphrase, for which there is nobody to ask.
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
