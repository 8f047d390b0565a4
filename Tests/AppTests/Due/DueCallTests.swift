import CampaignCore
import CampaignFormat
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DueCallTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func campaign(_ name: String, _ schedule: String) -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [apns]
        audience: { usernames: [alice] }
        payload: { text: Hello }
        \(schedule.isEmpty ? "" : "schedule: { \(schedule), time_zone: UTC }")
        """
    }

    private func lines(
        for timer: TimerKind, _ names: [String] = [""], program: String = "/opt/hubsend",
        flags: SettingFlags = SettingFlags(),
        with environment: [String: String] = [:]
    ) async throws -> String? {
        // 2026-11-23T08:00:00Z.
        var listing = ScheduleListing(
            flags: flags,
            invocation: Invocation(environment: environment, currentFolder: folder.path),
            at: Date(timeIntervalSince1970: 1_795_420_800), until: nil)
        let search = CampaignSearch(names.map { $0.isEmpty ? folder.path : folder.file($0) })
        for hit in search.files() { try await listing.add(hit) }
        return try listing.lines(for: timer, calling: program, searched: search)
    }

    @Test("A crontab calls hubsend every minute and says which secret is missing")
    func crontabCallsHubsendEveryMinuteAndSaysWhichSecretIsMissing() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        try folder.write(campaign("over", "at: 2026-11-22T09:00"), to: "b.yaml")
        try folder.write(campaign("by-hand", ""), to: "c.yaml")
        let lines = try await lines(
            for: .crontab, with: ["HUBSEND_HUB_NAME": "my-hub"])
        #expect(
            lines == """
                # Checks every minute whether a campaign in \(folder.path) is due. Next starts:
                #   hourly: Mon 2026-11-23 09:00 +00:00 UTC
                #   over: over
                # Add these lines at the end of the crontab of \(NSUserName()): crontab -e
                # Cron mails problems to \(NSUserName()). To mail somebody else, remove the # from this line:
                # MAILTO=oncall@example.com
                SHELL=/bin/sh
                HUBSEND_HUB_NAME=my-hub
                # Write the hub's connection string to this file, which must belong to \(NSUserName()) and have mode 0600:
                HUBSEND_HUB_CONNECTION_STRING_FILE=/etc/hubsend/connection-string
                * * * * * /opt/hubsend run --due \(folder.path)

                """)
    }

    @Test("A crontab contains the server's address, but never its password")
    func crontabContainsTheServersAddressButNeverItsPassword() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        let lines = try #require(
            try await lines(
                for: .crontab, with: ["HUBSEND_STORE": "postgresql://team@db.example/hubsend"]))
        #expect(
            lines.hasSuffix(
                "run --due \(folder.path) --store postgresql://team@db.example/hubsend\n"))
        let fault = await #expect(throws: Refused.self) {
            try await self.lines(
                for: .crontab,
                with: ["HUBSEND_STORE": "postgresql://team:tulips@db.example/hubsend"])
        }
        #expect(fault?.sentence.hasPrefix("The address in HUBSEND_STORE has a password") == true)
    }

    @Test("A timer contains libpq's variables, but never the password")
    func timerContainsLibpqsVariablesButNeverThePassword() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        let environment = [
            "PGPASSFILE": "/srv/keys/pgpass", "PGSSLROOTCERT": "system", "PGPASSWORD": "tulips",
        ]
        for timer in TimerKind.allCases {
            let onServer = try #require(
                try await lines(
                    for: timer,
                    with: environment.merging(
                        ["HUBSEND_STORE": "postgresql://team@db.example/hubsend"]) { $1 }))
            #expect(onServer.contains("PGPASSFILE=/srv/keys/pgpass"))
            #expect(onServer.contains("PGSSLROOTCERT=system"))
            #expect(!onServer.contains("tulips"))
            let inFile = try #require(try await lines(for: timer, with: environment))
            #expect(!inFile.contains("PGPASSFILE"))
        }
    }

    @Test("A path is quoted as cron and systemd expect")
    func pathIsQuotedAsCronAndSystemdExpect() async throws {
        try folder.write(campaign("odd", "cron: \"@daily\""), to: "50% off's $x.yaml")
        let crontab = try #require(try await lines(for: .crontab, ["50% off's $x.yaml"]))
        #expect(
            crontab.hasSuffix(
                #"* * * * * /opt/hubsend run --due '\#(folder.path)/50\% off'\''s $x.yaml'"# + "\n")
        )
        let units = try #require(try await lines(for: .systemd, ["50% off's $x.yaml"]))
        #expect(
            units.contains(
                "\nExecStart=/opt/hubsend run --due \"\(folder.path)/50%% off's $$x.yaml\"\n"))
        #expect(units.contains("\n# /etc/systemd/system/hubsend-due-odd.timer\n"))
    }

    @Test("A timer never contains a secret, only the full path of its file")
    func timerNeverContainsASecretOnlyTheFullPathOfItsFile() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        for timer in TimerKind.allCases {
            let text = try #require(
                try await lines(
                    for: timer,
                    with: [
                        "HUBSEND_HUB_CONNECTION_STRING": "Endpoint=sb://secret.example/",
                        "HUBSEND_PAYLOAD_KEY_FILE": "keys/payload",
                    ]))
            #expect(!text.contains("secret.example"))
            #expect(
                text.contains("HUBSEND_HUB_CONNECTION_STRING_FILE=/etc/hubsend/connection-string"))
            #expect(text.contains("HUBSEND_PAYLOAD_KEY_FILE=\(folder.path)/keys/payload"))
        }
    }

    @Test("A unit that runs a command for a secret has no sandbox")
    func unitThatRunsACommandForASecretHasNoSandbox() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        let variables = ["HUBSEND_HUB_CONNECTION_STRING_COMMAND": "pass show 'the hub'"]
        let crontab = try #require(try await lines(for: .crontab, with: variables))
        #expect(crontab.contains("\nPATH=/usr/local/bin:/usr/bin:/bin\n"))
        // Cron would strip the quotation mark at the end.
        #expect(
            crontab.contains("\nHUBSEND_HUB_CONNECTION_STRING_COMMAND=\"pass show 'the hub'\"\n"))
        let units = try #require(try await lines(for: .systemd, with: variables))
        #expect(
            units.contains(
                "\nEnvironment=\"HUBSEND_HUB_CONNECTION_STRING_COMMAND=pass show 'the hub'\"\n"))
        #expect(!units.contains("NoNewPrivileges"))
    }

    @Test("Flags and variables become flags of the timer's command")
    func flagsAndVariablesBecomeFlagsOfTheTimersCommand() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        try folder.write("hub: { local: devices.yaml }\n", to: "other.yaml")
        let crontab = try #require(
            try await lines(
                for: .crontab, flags: SettingFlags(config: folder.file("other.yaml")),
                with: ["HUBSEND_STORE": "./store.sqlite"]))
        #expect(
            crontab.hasSuffix(
                "run --due \(folder.path) --config \(folder.path)/other.yaml --store \(folder.path)/store.sqlite\n"
            ))
        // The hub is on this machine, so no secret is needed.
        #expect(!crontab.contains("connection-string"))
    }

    @Test("A unit's sandbox gives the campaigns the access they need")
    func unitsSandboxGivesTheCampaignsTheAccessTheyNeed() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        let units = try #require(try await lines(for: .systemd))
        #expect(units.contains("\nUser=\(NSUserName())\nWorkingDirectory=-\(folder.path)\n"))
        #expect(units.contains("\nProtectSystem=full\n"))
        #expect(units.contains("\nSuccessExitStatus=143\n"))
        #expect(units.contains("\nOnCalendar=minutely\n"))
        let isTemporary = ["/tmp/", "/var/tmp/"].contains { folder.path.hasPrefix($0) }
        #expect(units.contains("\nPrivateTmp=yes\n") == !isTemporary)
        let home = try #require(try await lines(for: .systemd, program: "/home/ann/bin/hubsend"))
        #expect(!home.contains("ProtectHome"))
        let system = try #require(
            try await lines(
                for: .systemd, with: ["HUBSEND_STORE": "/etc/hubsend-nowhere/store.sqlite"]))
        #expect(!system.contains("ProtectSystem"))
    }

    @Test("A timer without a scheduled campaign is refused")
    func timerWithoutAScheduledCampaignIsRefused() async throws {
        try folder.write(campaign("by-hand", ""), to: "a.yaml")
        let one = await #expect(throws: Refused.self) { try await lines(for: .crontab, ["a.yaml"]) }
        #expect(one?.sentence.hasPrefix("\(folder.file("a.yaml")) has no `schedule`, ") == true)
        let all = await #expect(throws: Refused.self) { try await lines(for: .systemd) }
        #expect(
            all?.sentence.hasPrefix("No campaign in \(folder.path) has a `schedule`, ") == true)
        try folder.write(campaign("bad", "cron: \"0 0 30 2 *\""), to: "b.yaml")
        #expect(try await lines(for: .crontab) == nil)
    }

    @Test("Text that a crontab cannot contain is refused")
    func textThatACrontabCannotContainIsRefused() async throws {
        try folder.write(campaign("hourly", "cron: \"@hourly\""), to: "a.yaml")
        await #expect(throws: Refused.noTimer(holds: "/opt/a\u{200B}b")) {
            try await lines(for: .crontab, program: "/opt/a\u{200B}b")
        }
        let long = "/" + String(repeating: "a", count: CrontabText.limit)
        let length = "* * * * * \(long) run --due \(folder.path)".utf8.count
        let fault = await #expect(throws: Refused.self) {
            try await lines(for: .crontab, program: long)
        }
        #expect(
            fault?.sentence.hasPrefix(
                "The crontab line would be \(Figures.count(length)) bytes long, ")
                == true)
    }
}
