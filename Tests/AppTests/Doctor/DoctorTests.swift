import CampaignCore
import CampaignFormat
import Foundation
import LocalHub
import Logging
import NotificationHubs
import SQLiteDriver
import Storage
import TestBackend
import TestSupport
import Testing

@testable import App
@testable import PostgreSQLDriver

@Suite(.bounded) struct DoctorTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("reports: reports\n", to: "hubsend.yaml", mode: 0o600)
        try folder.write("", to: "zones/UTC")
        try folder.write("# version 2026b\n# more\n", to: "zones/tzdata.zi")
    }

    /// Runs the doctor in a folder; returns the checks by name.
    ///
    /// - Parameters:
    ///   - zones: the folders in which the time zone database is searched.
    ///   - ahead: how far this machine's clock is ahead, in seconds.
    private func examine(
        _ environment: [String: String] = [:], zones: [String]? = nil, ahead: TimeInterval = 0
    ) async throws -> [String: HealthCheck] {
        let invocation = Invocation(environment)
        let flags = SettingFlags(config: folder.file("hubsend.yaml"))
        let doctor = Doctor(
            invocation: invocation,
            settings: Result {
                try EffectiveSettings.load(flags, campaigns: [], invocation: invocation)
            }, isMemoryPrivate: true, logger: Self.quiet, zones: zones ?? [folder.file("zones")],
            now: { Date() + ahead })
        let checks = await doctor.examine()
        #expect(Set(checks.map(\.check)).count == checks.count)
        #expect(checks.allSatisfy { !$0.message.isEmpty && !$0.message.contains("\n") })
        return Dictionary(checks.map { ($0.check, $0) }) { first, _ in first }
    }

    private func status(_ checks: [String: HealthCheck]) -> [String: HealthCheck.Status] {
        checks.mapValues(\.status)
    }

    @Test("A healthy setup is reported as ok; nothing is changed and no secret is shown")
    func healthySetupIsReportedAsOkNothingIsChangedAndNoSecretIsShown() async throws {
        try await withLocalHub(configuration: LocalHubConfiguration(), logger: Self.quiet) {
            address, _ in
            let string = address.connectionString(.developmentFull)
            let before = try folder.contents()
            let checks = try await examine(
                [
                    "HUBSEND_HUB_CONNECTION_STRING": string,
                    "HUBSEND_HEARTBEAT": "https://ping.example/abc123",
                ])
            let known = [
                "config", "environment", "credentials", "hub", "clock", "store", "disk",
                "reports", "audiences", "heartbeat", "time zones", "memory",
            ]
            #expect(Set(checks.keys) == Set(known))
            // The free disk space and the clock of a local hub vary.
            for name in known where !["disk", "clock"].contains(name) {
                #expect(checks[name]?.status == .ok, "\(name)")
            }
            #expect(
                checks["environment"]?.message
                    == "Set: HUBSEND_HEARTBEAT, HUBSEND_HUB_CONNECTION_STRING.")
            #expect(checks["time zones"]?.message.hasPrefix("Version 2026b in ") == true)
            #expect(try folder.contents() == before)
            let shown = Array(checks.values).text()
            let key = try #require(string.split(separator: "SharedAccessKey=").last)
            #expect(!shown.contains(key))
            #expect(!shown.contains("abc123"))
        }
    }

    @Test("The doctor checks that a key has the right to send and no other right")
    func doctorChecksThatAKeyHasTheRightToSendAndNoOtherRight() async throws {
        try await withLocalHub(configuration: LocalHubConfiguration(), logger: Self.quiet) {
            address, _ in
            let good = address.connectionString(.developmentFull)
            let key = try #require(good.split(separator: "SharedAccessKey=").last)
            let wrong = good.replacing(key, with: "d3Jvbmcgd3Jvbmcgd3Jvbmc=")
            let refused = try await examine(["HUBSEND_HUB_CONNECTION_STRING": wrong])
            #expect(refused["credentials"]?.status == .fail)
            #expect(refused["hub"]?.status == .ok)
            #expect(refused["credentials"]?.message.contains("d3Jvbmc") == false)
            let sending = try await examine(
                ["HUBSEND_HUB_CONNECTION_STRING": address.connectionString(.developmentSend)])
            #expect(sending["credentials"]?.status == .ok)
            #expect(sending["hub"]?.status == .ok)
            let listening = try await examine(
                ["HUBSEND_HUB_CONNECTION_STRING": address.connectionString(.developmentListen)])
            #expect(listening["credentials"]?.status == .warn)
            #expect(listening["credentials"]?.message.contains("the right to send") == true)
        }
    }

    @Test("With two keys, the doctor says which ones work")
    func withTwoKeysTheDoctorSaysWhichOnesWork() async throws {
        try await withLocalHub(configuration: LocalHubConfiguration(), logger: Self.quiet) {
            address, _ in
            let good = address.connectionString(.developmentFull)
            let key = try #require(good.split(separator: "SharedAccessKey=").last)
            let wrong = good.replacing(key, with: "d3Jvbmcgd3Jvbmcgd3Jvbmc=")
            for (first, second, statuses) in [
                (good, good, [.ok, .ok]), (good, wrong, [.ok, .warn]), (wrong, good, [.warn, .ok]),
                (wrong, wrong, [.fail, .fail]),
            ] as [(String, String, [HealthCheck.Status])] {
                let checks = try await examine(
                    [
                        "HUBSEND_HUB_CONNECTION_STRING": first,
                        "HUBSEND_HUB_CONNECTION_STRING_SECONDARY": second,
                    ])
                #expect(
                    [checks["credentials"], checks["second key"]].map { $0?.status } == statuses)
                #expect(
                    checks["second key"]?.message.contains(
                        "HUBSEND_HUB_CONNECTION_STRING_SECONDARY") == true)
                #expect(!Array(checks.values).text().contains("d3Jvbmc"))
            }
        }
    }

    @Test("A second key that belongs to another hub is refused")
    func secondKeyThatBelongsToAnotherHubIsRefused() async throws {
        let first = "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=n;SharedAccessKey=k"
        for other in [
            "Endpoint=http://127.0.0.1:2/;SharedAccessKeyName=n;SharedAccessKey=k",
            first + ";EntityPath=other",
        ] {
            let checks = try await examine([
                "HUBSEND_HUB_CONNECTION_STRING": first, "HUBSEND_HUB_NAME": "hub",
                "HUBSEND_HUB_CONNECTION_STRING_SECONDARY": other,
            ])
            #expect(checks["credentials"]?.status == .fail)
            #expect(checks["credentials"]?.message.contains("different hubs") == true)
        }
    }

    @Test(
        "The encryption, role and clock of a store server are checked",
        arguments: [
            ("TLSv1.3", true, false, false, true, 0, [.ok, .ok], "encrypted (TLSv1.3)"),
            (nil, false, true, false, true, 2, [.ok, .ok], "does not leave this host"),
            (nil, false, false, false, true, 0, [.warn, .ok], "is not encrypted"),
            ("TLSv1.3", false, false, false, true, 0, [.warn, .ok], "is not verified"),
            ("TLSv1.3", true, false, true, false, 0, [.fail, .ok], "target_session_attrs="),
            ("TLSv1.3", true, false, false, false, 0, [.warn, .ok], "can only read"),
            ("TLSv1.3", true, false, false, true, -90, [.ok, .warn], "encrypted (TLSv1.3)"),
        ] as [(String?, Bool, Bool, Bool, Bool, Int, [HealthCheck.Status], String)])
    func encryptionRoleAndClockOfAStoreServerAreChecked(
        encryption: String?, isProven: Bool, isOnSocket: Bool, isReplica: Bool, mayWrite: Bool,
        ahead: Int, statuses: [HealthCheck.Status], words: String
    ) throws {
        let invocation = Invocation()
        let settings = try EffectiveSettings.load(
            SettingFlags(store: "postgresql://db.example/hubsend"), campaigns: [],
            invocation: invocation)
        let doctor = Doctor(
            invocation: invocation, settings: .success(settings), isMemoryPrivate: true,
            logger: Self.quiet)
        let checks = doctor.checks(
            of: ServerFacts(
                version: "17.2", encryption: encryption, isProven: isProven, isOnSocket: isOnSocket,
                isReplica: isReplica, mayWrite: mayWrite, clockAhead: .seconds(ahead)), settings)
        #expect(checks.map(\.check) == ["store", "store clock"])
        #expect(checks.map(\.status) == statuses)
        #expect(checks[0].message.contains("PostgreSQL 17.2"))
        #expect(checks[0].message.contains(words))
        #expect(ahead != -90 || checks[1].message.contains("90 seconds behind"))
    }

    @Test("An unreachable hub is reported as a failure; its credentials are not checked")
    func unreachableHubIsReportedAsAFailureItsCredentialsAreNot() async throws {
        let checks = try await examine([
            "HUBSEND_HUB_CONNECTION_STRING":
                "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=Send;SharedAccessKey=c2VjcmV0",
            "HUBSEND_HUB_NAME": "hubsend",
        ])
        #expect(checks["hub"]?.status == .fail)
        #expect(checks["hub"]?.message.contains("connection refused") == true)
        #expect(checks["credentials"]?.status == .warn)
    }

    @Test(
        "This machine's clock is compared with the hub's",
        arguments: [
            (0.0, HealthCheck.Status.ok), (90.0, .warn), (-90.0, .warn), (3_600.0, .fail),
            (-3_600.0, .fail),
        ])
    func thisMachinesClockIsComparedWithTheHubs(ahead: TimeInterval, status: HealthCheck.Status)
        async throws
    {
        let time = DateFormatter()
        time.locale = Locale(identifier: "en_US_POSIX")
        time.timeZone = .gmt
        time.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let now = time.string(from: Date())
        try await ScriptedBackend.run({ _, _ in .status(200, ["Date": now]) }) { origin, hub in
            let string =
                "Endpoint=\(origin)/;SharedAccessKeyName=Send;SharedAccessKey=c2VjcmV0"
            let checks = try await examine(
                ["HUBSEND_HUB_CONNECTION_STRING": string, "HUBSEND_HUB_NAME": "hubsend"],
                ahead: ahead)
            #expect(checks["clock"]?.status == status)
            #expect(checks["credentials"]?.status == .ok)
            #expect(hub.requests.count == 1)
            #expect(hub.requests.first?.method == "GET")
            #expect(hub.requests.first?.target.contains("$top=1") == true)
        }
    }

    @Test("An invalid config is reported, and the other checks still run")
    func invalidConfigIsReportedAndTheOtherChecksStillRun() async throws {
        try folder.write(
            "reports: reports\nstroe: a\nrepotrs: b\n", to: "hubsend.yaml", mode: 0o600)
        let checks = try await examine()
        #expect(
            status(checks) == [
                "config": .fail, "environment": .ok, "time zones": .ok, "memory": .ok,
            ])
        #expect(
            checks["config"]?.message.contains("hubsend.yaml:2:1: There is no key \"stroe\".")
                == true)
        #expect(checks["config"]?.message.contains("(and 1 more)") == true)
    }

    @Test("The doctor lists empty and ignored variables")
    func doctorListsEmptyAndIgnoredVariables() async throws {
        let empty = try await examine(["HUBSEND_STORE": ""])
        #expect(empty["environment"]?.status == .fail)
        #expect(empty["environment"]?.message.contains("HUBSEND_STORE") == true)
        let beaten = try await examine([
            "HUBSEND_HEARTBEAT": "https://ping.example/abc",
            "HUBSEND_HEARTBEAT_FILE": "/somewhere",
        ])
        #expect(beaten["environment"]?.status == .warn)
        #expect(
            beaten["environment"]?.message.hasPrefix("Ignored: HUBSEND_HEARTBEAT_FILE.") == true)
    }

    @Test("Without a hub, the doctor says how to configure one")
    func withoutAHubTheDoctorSaysHowToConfigureOne() async throws {
        let checks = try await examine()
        #expect(checks["credentials"]?.status == .fail)
        #expect(checks["credentials"]?.message.contains("HUBSEND_HUB_CONNECTION_STRING") == true)
    }

    @Test("The store and its payload key are checked")
    func storeAndItsPayloadKeyAreChecked() async throws {
        let path = folder.file(".hubsend/store.sqlite")
        try SQLiteStore.open(at: path).close()
        let well = try await examine()
        #expect(well["store"]?.status == .ok)
        #expect(well["payload key"]?.status == .ok)
        let wrong = try await examine(["HUBSEND_PAYLOAD_KEY": "short"])
        #expect(wrong["payload key"]?.status == .fail)
        #expect(wrong["payload key"]?.message.contains("short") == false)
        #expect(wrong["store"]?.status == .ok)
        try folder.write("no database", to: ".hubsend/store.sqlite", mode: 0o600)
        let broken = try await examine()
        #expect(broken["store"]?.status == .fail)
    }

    @Test("A missing audience folder is a failure; a missing time zone database is a warning")
    func missingAudienceFolderIsAFailureAMissingTimeZoneDatabaseIsA() async throws {
        let checks = try await examine(
            ["HUBSEND_AUDIENCES": folder.file("gone")], zones: [folder.file("gone")])
        #expect(checks["audiences"]?.status == .fail)
        #expect(checks["time zones"]?.status == .warn)
        #expect(checks["time zones"]?.message.contains("tzdata") == true)
    }

    @Test("The text has one line per check, and the JSON contains the worst status")
    func textHasOneLinePerCheckAndTheJSONContainsTheWorstStatus() throws {
        let checks = [
            HealthCheck("config", .ok, "Here."), HealthCheck("clock", .fail, "It is\nlate."),
        ]
        #expect(checks.text() == "ok    config: Here.\nfail  clock: It is late.\n")
        #expect(
            checks.text(width: 20) == "ok    config: Here.\nfail  clock: It is\n      late.\n")
        let json = String(decoding: try checks.json(), as: UTF8.self)
        #expect(
            json
                == #"{"checks":[{"check":"config","message":"Here.","status":"ok"},{"check":"clock","message":"It is late.","status":"fail"}],"status":"fail"}"#
                + "\n")
        #expect([HealthCheck]().status == .ok)
    }
}
