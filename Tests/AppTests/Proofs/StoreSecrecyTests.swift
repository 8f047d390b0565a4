import Foundation
import LocalHub
import PostgreSQLClient
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

/// Tests what others can learn about a store on a server from the network, processes and messages.
@Suite(.bounded, .postgreSQL, .enabled(if: InstalledTool.areThere("openssl", "python3")))
struct StoreSecrecyTests {
    private static let text = "The parcel waits behind the blue door."
    private static let people = Campaigns.people(20)

    /// The files of a campaign, with the store's user and password.
    private static func workspace(passwordMode: Int) throws -> Workspace {
        let workspace = try Workspace([
            "parcel.yaml": Campaigns.secure("parcel", to: people)
                .replacing("There is news.", with: text),
            "passwords": "*:*:*:sender:\(RemoteStore.password)\n",
        ])
        try workspace.setMode(passwordMode, of: "passwords")
        return workspace
    }

    private static func service(_ store: RemoteStore, host: String, port: String) -> String {
        """
        [campaigns]
        host=store.test
        hostaddr=\(host)
        port=\(port)
        dbname=postgres
        user=sender
        options=-csearch_path=\(store.schema)
        sslmode=verify-full
        sslrootcert=\(store.file("authority.pem"))

        """
    }

    /// The command lines of all processes, which everybody on this host can read.
    private static func processes() throws -> String {
        let files = FileManager.default
        let all = try files.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        // A process that has ended has no command line.
        return all.compactMap { files.contents(atPath: "/proc/\($0)/cmdline") }
            .map { String(decoding: $0, as: UTF8.self).replacing("\0", with: " ") }
            .joined(separator: "\n")
    }

    @Test("Neither passwords nor secret text cross the wire, nor names if TLS is on")
    func neitherPasswordsNorSecretTextCrossTheWireNorNamesIfTLSIsOn() async throws {
        let store = try await PostgreSQLServer.secured.remoteStore()
        let workspace = try Self.workspace(passwordMode: 0o600)
        let open = try await RecordingRelay(before: store, hasTLS: false)
        let closed = try await RecordingRelay(before: store, hasTLS: true)
        try workspace.write(
            Self.service(store, host: "127.0.0.1", port: closed.port), to: "services")
        let lists = Mutex<[Result<String, any Error>]>([])
        let results = try await HubFixture.run(
            people: Self.people,
            fault: { send in
                if send.tags?.contains("user0001") == true {
                    let list = Result { try Self.processes() }
                    lists.withLock { $0.append(list) }
                }
                return nil
            }
        ) { hub, _ in
            let variables = [
                "PGPASSFILE": workspace.file("passwords"),
                "PGSERVICEFILE": workspace.file("services"),
            ].merging(hub) { $1 }
            var results: [ChildProcess.Result] = []
            for address in [
                try store.address(
                    as: "sender", "hostaddr=127.0.0.1", "port=\(open.port)", "sslmode=disable"
                ).text,
                "postgresql://?service=campaigns",
            ] {
                results.append(
                    try await Binary.run(
                        ["run", "--again", "--verbose", "parcel.yaml", "--store", address],
                        in: workspace, environment: variables))
            }
            return results
        }
        let secrets = [RemoteStore.password, "blue door"]
        for result in results {
            #expect(result.status == 0, "\(result.complaints)")
            #expect(result.complaints.contains("recipients=20"))
            for secret in secrets {
                #expect(!(result.output + result.complaints).contains(secret))
            }
        }
        let seen = try lists.withLock(\.self).map { try $0.get() }
        #expect(seen.count == 2)
        for (list, address) in zip(seen, ["port=\(open.port)", "service=campaigns"]) {
            #expect(list.contains(address), "hubsend's own")
            #expect(list.contains("postgres: sender"), "the server's")
            for secret in secrets { #expect(!list.contains(secret)) }
        }

        let plain = try open.wire()
        let encrypted = try closed.wire()
        #expect(plain.firstRange(of: Data("user0001".utf8)) != nil)
        #expect(encrypted.count > 10_000)
        #expect(encrypted.firstRange(of: Data("user00".utf8)) == nil)
        for secret in secrets.map({ Data($0.utf8) }) {
            #expect(plain.firstRange(of: secret) == nil)
            #expect(encrypted.firstRange(of: secret) == nil)
        }
    }

    @Test("A password file that others can read is refused")
    func passwordFileThatOthersCanReadIsRefused() async throws {
        let store = try await PostgreSQLServer.secured.remoteStore()
        let workspace = try Self.workspace(passwordMode: 0o644)
        try workspace.write(
            Self.service(store, host: store.host, port: "\(RemoteStore.port)"), to: "services")
        let result = try await Binary.run(
            ["runs", "--store", "postgresql://?service=campaigns"], in: workspace,
            environment: [
                "PGPASSFILE": workspace.file("passwords"),
                "PGSERVICEFILE": workspace.file("services"),
            ])
        #expect(result.status == 2)
        #expect(result.complaints.contains("has group or world access"), "\(result.complaints)")
        #expect(result.complaints.contains("no password supplied"), "\(result.complaints)")
        #expect(!result.complaints.contains(RemoteStore.password))
    }
}
