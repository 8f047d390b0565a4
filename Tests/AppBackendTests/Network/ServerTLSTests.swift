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

    private func fault(_ files: TLSFiles) -> IdentityFault? {
        do throws(IdentityFault) {
            _ = try ServerTLS.configuration(
                from: files, now: TestTime.start, logger: identity.logger)
            return nil
        } catch {
            return error
        }
    }

    @Test func aCertificateWithItsKeyIsTaken() throws {
        let configuration = try ServerTLS.configuration(
            from: try files(), now: TestTime.start, logger: identity.logger)
        #expect(configuration.minimumTLSVersion == .tlsv12)
        #expect(configuration.certificateChain.count == 1)
        #expect(identity.sentences.isEmpty)
    }

    @Test func anExpiredCertificateIsAWarning() throws {
        _ = try ServerTLS.configuration(
            from: try files(), now: Date(timeIntervalSince1970: 5_000_000_000),
            logger: identity.logger)
        #expect(identity.sentences.count == 1)
        #expect(identity.sentences.first?.hasPrefix("warning: ") == true)
    }

    @Test func theKeyOfAnotherCertificateIsRefused() throws {
        let files = try files(key: P256.Signing.PrivateKey().pemRepresentation)
        #expect(fault(files) == .tls(.mismatch(certificate: files.certificate, key: files.key)))
        #expect(fault(try self.files(key: TestKeys.rsa)) != nil)
    }

    @Test func whatIsNeitherCertificateNorKeyIsRefused() throws {
        let path = identity.folder.file("cert.pem")
        let keyPath = identity.folder.file("key.pem")
        #expect(fault(try files(certificate: "")) == .tls(.noCertificate(path: path)))
        #expect(
            fault(try files(certificate: TestKeys.certificateKey))
                == .tls(.noCertificate(path: path)))
        #expect(fault(try files(key: "secret")) == .tls(.noKey(path: keyPath)))
        #expect(fault(try files(key: TestKeys.encryptedKey)) == .tls(.encryptedKey(path: keyPath)))
        #expect(fault(try files(key: TestKeys.certificate)) == .tls(.noKey(path: keyPath)))
    }

    @Test func filesThatOthersCanGetAtAreRefused() throws {
        #expect(
            fault(try files(keyMode: 0o644))
                == .file(
                    .certificateKey, path: identity.folder.file("key.pem"),
                    .readableByOthers(.mode)))
        #expect(
            fault(try files(certificateMode: 0o666))
                == .file(
                    .certificate, path: identity.folder.file("cert.pem"),
                    .writableByOthers(.mode)))
        let missing = TLSFiles(certificate: identity.folder.file("none"), key: "")
        #expect(
            fault(missing)
                == .file(
                    .certificate, path: identity.folder.file("none"),
                    .unreadable(SystemFault(number: ENOENT))))
    }
}
