import PostgreSQLClient
import Storage
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL, .enabled(if: InstalledTool.areThere("openssl", "python3")))
struct StoreTLSTests {
    @Test("A verified server is distinguished from an unverified server")
    func verifiedServerIsDistinguishedFromAnUnverifiedServer() async throws {
        let remote = try await PostgreSQLServer.secured.remoteStore()
        let folder = try TemporaryFolder()
        let options = PostgreSQLStoreOptions(keyFolder: folder.path, connections: 2)
        let store = try PostgreSQLStore.open(
            at: try remote.address(remote.tls("verify-full")), options: options)
        let facts = try await store.serverFacts()
        #expect(facts.encryption?.hasPrefix("TLSv1.") == true)
        #expect(facts.isProven)
        #expect(!facts.isOnSocket)
        #expect(facts.mayWrite)
        try store.close()

        // The server's certificate is for another host, which is not checked.
        let other = try PostgreSQLStore.openForReading(
            at: try remote.address(named: "other.test", remote.tls("verify-ca")), options: options)
        let otherFacts = try await other.serverFacts()
        #expect(otherFacts.encryption == facts.encryption)
        #expect(!otherFacts.isProven)
        try other.close()
    }

    @Test("An untrusted server is refused with a remedy")
    func untrustedServerIsRefusedWithARemedy() async throws {
        let remote = try await PostgreSQLServer.secured.remoteStore()
        let withoutTLS = try await RecordingRelay(before: remote, hasTLS: false)
        let full = remote.tls("verify-full")
        for (address, words) in [
            (
                try remote.address(remote.tls("verify-full", by: "stranger")),
                "certificate verify failed"
            ),
            (
                try remote.address(remote.tls("verify-ca", by: "stranger")),
                "certificate verify failed"
            ),
            (
                try remote.address(named: "other.test", full),
                "does not match host name \"other.test\""
            ),
            (
                try remote.address("hostaddr=127.0.0.1", "port=\(withoutTLS.port)", full),
                "server does not support SSL, but SSL was required"
            ),
            (try remote.address("sslmode=disable"), "no encryption"),
            (try remote.address(as: "carrier", full), "requires a valid client certificate"),
            (try remote.address(as: "sender:guess", full), "password authentication failed"),
        ] {
            let fault = #expect(throws: StoreError.self, "\(words)") {
                try PostgreSQLStore.checkPlace(at: address)
            }
            guard case .refused(_, let reason)? = fault else {
                Issue.record("\(words): \(String(describing: fault))")
                continue
            }
            #expect(reason.contains(words), "\(reason)")
            let message = try "\(#require(fault))"
            #expect(message.contains("Check the user, the password"), "\(message)")
            #expect(message.contains("TLS (sslmode, sslrootcert, sslcert)"), "\(message)")
            #expect(!message.contains(RemoteStore.password), "\(message)")
        }
    }

    @Test("A client certificate can replace the password")
    func clientCertificateCanReplaceThePassword() async throws {
        let remote = try await PostgreSQLServer.secured.remoteStore()
        let certificate =
            "sslcert=\(remote.file("carrier.pem"))&sslkey=\(remote.file("carrier.key"))"
        let address = try remote.address(as: "carrier", remote.tls("verify-full"), certificate)
        #expect(!address.hasPassword)
        try PostgreSQLStore.checkPlace(at: address)
    }
}
