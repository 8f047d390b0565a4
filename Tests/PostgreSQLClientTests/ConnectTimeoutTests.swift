import Glibc
import TestSupport
import Testing

@testable import PostgreSQLClient

/// Tests how long libpq waits for an unreachable host.
@Suite(.bounded) struct ConnectTimeoutTests {
    private static let standard = [
        "connect_timeout": "10", "keepalives_idle": "15", "keepalives_interval": "5",
        "keepalives_count": "3", "tcp_user_timeout": "30000",
    ]

    /// The timeout parameters that libpq gets in addition to the URI.
    private static func given(_ uri: String) throws -> [String: String] {
        let parameters = PostgreSQLConnection.parameters(
            try PostgreSQLAddress(uri), PostgreSQLPoolOptions())
        return Dictionary(
            uniqueKeysWithValues: parameters.filter { standard[$0.name] != nil }.map {
                ($0.name, $0.value)
            })
    }

    @Test("The connection timeout is half a minute unless the address sets it")
    func connectionTimeoutIsHalfAMinuteUnlessTheAddressSetsIt() throws {
        #expect(try Self.given("postgresql://db.example/push") == Self.standard)
        let left = try Self.given(
            "postgresql://db.example/push?connect_timeout=3&keepalives_idle=9")
        #expect(
            left.keys.sorted() == ["keepalives_count", "keepalives_interval", "tcp_user_timeout"])
    }

    @Test("A service file can set the connection timeout")
    func serviceFileCanSetTheConnectionTimeout() async {
        // This runs in a separate process, because it sets variables.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write(
                """
                [terse]
                host=db.example
                [patient]
                host=192.0.2.1
                hostaddr=192.0.2.1
                connect_timeout=77
                tcp_user_timeout=90000
                """, to: "services")
            unsafe setenv("PGSERVICEFILE", folder.file("services"), 1)
            let rest = ["keepalives_count", "keepalives_idle", "keepalives_interval"]
            #expect(try Self.given("postgresql:///push?service=terse") == Self.standard)
            #expect(try Self.given("postgresql:///push?service=patient").keys.sorted() == rest)
            unsafe setenv("PGSERVICE", "patient", 1)
            #expect(try Self.given("postgresql:///push").keys.sorted() == rest)
        }
    }

    private static func mode(_ uri: String) throws -> String? {
        PostgreSQLConnection.parameters(try PostgreSQLAddress(uri), PostgreSQLPoolOptions())
            .first { $0.name == "sslmode" }?.value
    }

    @Test(
        "A remote server must prove its identity",
        arguments: [
            ("postgresql:///push", nil), ("postgresql://localhost/push", nil),
            ("postgresql://127.0.0.1:5433/push", nil), ("postgresql://[::1]/push", nil),
            ("postgresql:///push?host=/run/postgresql", nil),
            ("postgresql://db.example/push?hostaddr=127.64.0.9", nil),
            ("postgresql://db.example/push?sslmode=prefer", nil),
            ("postgresql://db.example/push?sslmode=disable", nil),
            ("postgresql://db.example/push", "verify-full"),
            ("postgresql://10.0.0.9/push", "verify-full"),
            ("postgresql://127.example/push", "verify-full"),
            ("postgresql://localhost,db.example/push", "verify-full"),
            ("postgresql:///push?hostaddr=10.0.0.9", "verify-full"),
        ] as [(String, String?)])
    func remoteServerMustProveItsIdentity(uri: String, mode: String?) throws {
        #expect(try Self.mode(uri) == mode)
    }

    @Test("A variable or service file can relax the TLS mode")
    func variableOrServiceFileCanRelaxTheTLSMode() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write(
                "[plain]\nhost=db.example\nsslmode=disable\n[far]\nhost=db.example\n",
                to: "services")
            unsafe setenv("PGSERVICEFILE", folder.file("services"), 1)
            #expect(try Self.mode("postgresql:///push?service=plain") == nil)
            #expect(try Self.mode("postgresql:///push?service=far") == "verify-full")
            unsafe setenv("PGHOST", "db.example", 1)
            #expect(try Self.mode("postgresql:///push") == "verify-full")
            unsafe setenv("PGSSLMODE", "prefer", 1)
            #expect(try Self.mode("postgresql:///push") == nil)
        }
    }
}
