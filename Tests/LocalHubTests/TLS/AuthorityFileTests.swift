import Foundation
import TestSupport
import Testing

@testable import LocalHub

/// The file with the certificate to trust replaces what a hub wrote, and nothing else.
@Suite(.bounded) struct AuthorityFileTests {
    private static let certificate =
        "-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["", certificate])
    func anEarlierCertificateAndAnEmptyFileAreReplaced(text: String) throws {
        try folder.write(text, to: "ca.pem")
        try AuthorityFile(path: folder.file("ca.pem")).write(Self.certificate + "\n")
        let written = try String(contentsOfFile: folder.file("ca.pem"), encoding: .utf8)
        #expect(written == Self.certificate + "\n")
    }

    @Test(arguments: [
        "notes", certificate + certificate, "key\n" + certificate,
        "-----BEGIN PRIVATE KEY-----\nMAo=\n",
    ])
    func whateverElseStandsThereIsLeft(text: String) throws {
        try folder.write(text, to: "ca.pem")
        let path = folder.file("ca.pem")
        #expect(throws: LocalHubError.authorityFileTaken(path)) { try AuthorityFile(path: path) }
    }
}
