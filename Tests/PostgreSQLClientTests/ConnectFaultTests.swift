import TestSupport
import Testing

@testable import PostgreSQLClient

@Suite(.bounded) struct ConnectFaultTests {
    private static let failed = "connection to server at \"db1\" (10.0.0.1), port 5432 failed: "

    @Test(arguments: [
        "SSL SYSCALL error: EOF detected", "SSL SYSCALL error: Connection reset by peer",
        "SSL connection has been closed unexpectedly", "Resource temporarily unavailable",
        "Cannot assign requested address", "timeout expired",
        "Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?",
    ])
    func whatMayPassIsNobodysMistake(words: String) {
        #expect(ConnectFault(Self.failed + words).error.kind == .unreachable)
    }

    @Test(arguments: [
        "SSL error: certificate verify failed", "server does not support SSL, but SSL was required",
        "fe_sendauth: no password supplied",
    ])
    func whatSomebodyHasToMendIsRefused(words: String) {
        #expect(ConnectFault(Self.failed + words).error.kind == .refused)
    }

    @Test func aReplicaBesideAServerThatIsGoneMayTakeItsPlace() {
        let replica =
            "connection to server at \"db2\" (10.0.0.2), port 5432 failed: session is read-only"
        #expect(ConnectFault(replica).error.kind == .readOnly)
        let both = ConnectFault("\(Self.failed)Connection refused\n\(replica)\n").error
        #expect(both.kind == .unreachable)
        #expect(both.message.contains("db1"))
        #expect(both.message.contains("session is read-only"))
    }
}
