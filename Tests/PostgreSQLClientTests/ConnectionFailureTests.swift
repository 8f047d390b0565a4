import TestSupport
import Testing

@testable import PostgreSQLClient

@Suite(.bounded) struct ConnectionFailureTests {
    private static let failed = "connection to server at \"db1\" (10.0.0.1), port 5432 failed: "

    private func error(_ words: String, ofLibrary version: Int = 150_018) -> PostgreSQLError {
        ConnectionFailure(words, ofLibrary: version).error
    }

    @Test(
        "A temporary failure means that the server is unreachable",
        arguments: [
            "SSL SYSCALL error: EOF detected", "SSL SYSCALL error: Connection reset by peer",
            "SSL connection has been closed unexpectedly", "Resource temporarily unavailable",
            "Cannot assign requested address", "timeout expired",
            "Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?",
        ])
    func temporaryFailureMeansThatTheServerIsUnreachable(words: String) {
        #expect(error(Self.failed + words).kind == .unreachable)
    }

    @Test(
        "A failure that somebody must fix counts as a refusal",
        arguments: [
            "server does not support SSL, but SSL was required",
            "fe_sendauth: no password supplied",
        ])
    func failureThatSomebodyMustFixCountsAsARefusal(words: String) {
        #expect(error(Self.failed + words).kind == .refused)
    }

    @Test(
        "A server's error is recognised by its code in any language",
        arguments: [
            ("FATAL:  28P01: no", PostgreSQLError.Kind.refused, "28P01"),
            ("SCHWERWIEGEND:  28P01: Passwort-Authentifizierung fehlgeschlagen", .refused, "28P01"),
            ("致命的エラー:  57P03: データベースシステムは起動しています", .shuttingDown, "57P03"),
            ("ВАЖНО:  53300: слишком много клиентов", .tooManyConnections, "53300"),
            ("FATAL:  08P01: unsupported startup parameter: options", .refused, "08P01"),
            ("FATAL:  08P01: no such user", .refused, "08P01"),
            (
                "FATAL:  08P01: server login has been failing, try again later", .unreachable,
                "08P01"
            ),
        ])
    func serversErrorIsRecognisedByItsCodeInAnyLanguage(
        words: String, kind: PostgreSQLError.Kind, state: String
    ) {
        let error = self.error(Self.failed + words + "\nLOCATION:  a, b.c:1\n")
        #expect(error.kind == kind)
        #expect(error.sqlState == state)
        #expect(error.message.contains("ALTER ROLE") == words.hasSuffix("options"))
    }

    @Test("A certificate error explains how to verify the server")
    func certificateErrorExplainsHowToVerifyTheServer() {
        for words in [
            "root certificate file \"/root/.postgresql/root.crt\" does not exist\n"
                + "Either provide the file or change sslmode to disable server certificate verification.",
            "SSL error: certificate verify failed",
        ] {
            let error = self.error(Self.failed + words)
            #expect(error.kind == .refused)
            #expect(error.message.contains("sslrootcert="), "\(error)")
            #expect(!error.message.contains("disable"), "\(error)")
            #expect(!error.message.contains("sslrootcert=system"), "\(error)")
            let newer = self.error(Self.failed + words, ofLibrary: 160_000)
            #expect(newer.message.contains("sslrootcert=system"), "\(newer)")
        }
    }

    @Test("A replica and a dead primary together count as a temporary failure")
    func replicaAndADeadPrimaryTogetherCountAsATemporaryFailure() {
        let replica =
            "connection to server at \"db2\" (10.0.0.2), port 5432 failed: session is read-only"
        #expect(error(replica).kind == .readOnly)
        let both = error("\(Self.failed)Connection refused\n\(replica)\n")
        #expect(both.kind == .unreachable)
        #expect(both.message.contains("db1"))
        #expect(both.message.contains("session is read-only"))
    }
}
