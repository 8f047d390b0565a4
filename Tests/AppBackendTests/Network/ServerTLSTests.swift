import CampaignCore
import Crypto
import Files
import Foundation
import NIOSSL
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct ServerTLSTests {
    private let identity: TestIdentity

    init() throws {
        identity = try TestIdentity()
    }

    private func files(
        certificate: String = TestKeys.certificate, key: String = TestKeys.certificateKey,
        certificateMode: Int = 0o644, keyMode: Int = 0o600
    ) throws -> TLSFiles {
        TLSFiles(
            certificate: try identity.folder.write(
                certificate, to: "cert.pem", mode: certificateMode),
            key: try identity.folder.write(key, to: "key.pem", mode: keyMode))
    }

    private func problem(_ files: TLSFiles) -> IdentityError? {
        do throws(IdentityError) {
            _ = try ServerTLS.configuration(
                from: files, now: TestTime.start, logger: identity.logger)
            return nil
        } catch {
            return error
        }
    }

    @Test("A certificate with its key is accepted") func certificateWithItsKeyIsAccepted() throws {
        let configuration = try ServerTLS.configuration(
            from: try files(), now: TestTime.start, logger: identity.logger)
        #expect(configuration.minimumTLSVersion == .tlsv12)
        #expect(configuration.certificateChain.count == 1)
        #expect(identity.sentences.isEmpty)
    }

    @Test("An expired certificate causes a warning")
    func expiredCertificateCausesAWarning() throws {
        _ = try ServerTLS.configuration(
            from: try files(), now: Date(timeIntervalSince1970: 5_000_000_000),
            logger: identity.logger)
        #expect(identity.sentences.count == 1)
        #expect(identity.sentences.first?.hasPrefix("warning: ") == true)
    }

    @Test("The key of another certificate is refused")
    func keyOfAnotherCertificateIsRefused() throws {
        let files = try files(key: P256.Signing.PrivateKey().pemRepresentation)
        #expect(problem(files) == .tls(.mismatch(certificate: files.certificate, key: files.key)))
        #expect(problem(try self.files(key: TestKeys.rsa)) != nil)
    }

    @Test("A file without a certificate or key is refused")
    func fileWithoutACertificateOrKeyIsRefused() throws {
        let path = identity.folder.file("cert.pem")
        let keyPath = identity.folder.file("key.pem")
        #expect(problem(try files(certificate: "")) == .tls(.noCertificate(path: path)))
        #expect(
            problem(try files(certificate: TestKeys.certificateKey))
                == .tls(.noCertificate(path: path)))
        #expect(problem(try files(key: "secret")) == .tls(.noKey(path: keyPath)))
        #expect(
            problem(try files(key: TestKeys.encryptedKey)) == .tls(.encryptedKey(path: keyPath)))
        #expect(problem(try files(key: TestKeys.certificate)) == .tls(.noKey(path: keyPath)))
    }

    @Test("TLS files that others can access are refused")
    func tlsFilesThatOthersCanAccessAreRefused() throws {
        #expect(
            problem(try files(keyMode: 0o644))
                == .file(
                    .certificateKey, path: identity.folder.file("key.pem"),
                    .readableByOthers(.mode)))
        #expect(
            problem(try files(certificateMode: 0o666))
                == .file(
                    .certificate, path: identity.folder.file("cert.pem"),
                    .writableByOthers(.mode)))
        let missing = TLSFiles(certificate: identity.folder.file("none"), key: "")
        #expect(
            problem(missing)
                == .file(
                    .certificate, path: identity.folder.file("none"),
                    .unreadable(SystemError(number: ENOENT))))
    }
}
