import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import LocalHub

/// The certificate file replaces only files that a hub wrote.
@Suite(.bounded) struct AuthorityFileTests {
    private static let certificate =
        "-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("An earlier certificate or an empty file is replaced")
    func earlierCertificateOrAnEmptyFileIsReplaced() throws {
        let own = try LocalAuthority(host: "127.0.0.1", at: Date()).certificate
        for text in ["", try own.serializeAsPEM().pemString] {
            try folder.write(text, to: "ca.pem")
            try AuthorityFile(path: folder.file("ca.pem")).write(Self.certificate)
            let written = try String(contentsOfFile: folder.file("ca.pem"), encoding: .utf8)
            #expect(written == Self.certificate)
        }
    }

    @Test("A foreign certificate is left unchanged") func foreignCertificateIsLeftUnchanged() throws
    {
        let server = try LocalAuthority(host: "127.0.0.1", at: Date()).serverCertificate
        try folder.write(try server.serializeAsPEM().pemString, to: "ca.pem")
        let path = folder.file("ca.pem")
        #expect(throws: LocalHubError.authorityFileTaken(path)) { try AuthorityFile(path: path) }
    }

    @Test(
        "A file that is not a certificate is left unchanged",
        arguments: [
            "notes", certificate, certificate + certificate, "key\n" + certificate,
            "-----BEGIN PRIVATE KEY-----\nMAo=\n",
        ])
    func fileThatIsNotACertificateIsLeftUnchanged(text: String) throws {
        try folder.write(text, to: "ca.pem")
        let path = folder.file("ca.pem")
        #expect(throws: LocalHubError.authorityFileTaken(path)) { try AuthorityFile(path: path) }
    }
}
