import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that masked names and values of people never appear in a report, regardless of what is
/// wrong with the files.
@Suite(.bounded) struct MaskedPeopleTests {
    /// A campaign and its files; every name and value of a person begins with `zzperson`.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let campaign: String
        var table: String?
        var list: String?
        var config: String?

        var testDescription: String {
            [config, campaign, table, list].compactMap(\.self).joined(separator: " + ")
        }

        /// A campaign that is valid except for its audience.
        static func audience(
            _ audience: String, table: String? = nil, list: String? = nil
        ) -> Mistake {
            Mistake(campaign: campaign + "audience: " + audience + "\n", table: table, list: list)
        }

        /// A valid campaign with a config above it.
        static func config(_ config: String) -> Mistake {
            Mistake(campaign: campaign + "audience: { usernames: [a] }\n", config: config)
        }

        /// A valid campaign without a payload.
        static let good =
            "campaign: test\nkind: secure\nplatforms: [apns]\naudience: { usernames: [a] }\n"
        /// A valid campaign without an audience.
        static let campaign =
            "campaign: test\nkind: secure\nplatforms: [apns]\npayload: { text: Hello }\n"
    }

    private static let mark = "zzperson"

    private static let mistakes: [Mistake] = [
        // Keys.
        .init(campaign: Mistake.campaign + "audience: { usernames: [a] }\nto: [zzperson1]\n"),
        .init(campaign: Mistake.campaign + "usernames: [zzperson1]\n"),
        .audience("{ zzperson1: {} }"), .audience("\n  zzperson1: yes\n  usernames: [a]"),
        .audience("\n  usernames: [a]\n  users: [zzperson1]"),
        .audience("{ names: [zzperson1] }"),
        .audience("{ usernames: [a], exclude: { zzperson1: x } }"),
        .audience("{ usernames: [a], exclude: { people: [zzperson1] } }"),
        .audience("\n  zzperson1: 1\n  zzperson1: 2"),
        .audience("\n  usernames: [zzperson1]\n  usernames: [zzperson2, \"zzperson 3\"]"),
        .audience("\nzzperson1:\n  usernames: [a]"), .audience("\nzzperson1:   usernames:"),
        .audience("{ usernames: [a] }\nzzperson1:\n- b"),
        // Keys of people in the wrong place.
        .init(campaign: Mistake.good + "payload: { text: Hi, usernames: [zzperson1] }\n"),
        .init(
            campaign: Mistake.good + "payload: { text: Hi, audience: { usernames: [zzperson1] } }\n"
        ),
        .init(campaign: Mistake.good + "payload:\n  text: Hi\n  apns: { users: zzperson1 }\n"),
        .audience("{ usernames: [a] }\ndelivery: { exclude: [zzperson1] }"),
        .audience("{ usernames: [a] }\nschedule: { time_zone: UTC, testers: [zzperson1] }"),
        .config("hub: { testers: [zzperson1] }\n"),
        .config("backend: { jwt: { keys: [{ users: [zzperson1] }] } }\n"),
        // Values with the wrong structure.
        .audience("zzperson1"), .audience("[zzperson1]"),
        .audience("{ usernames: zzperson1 }"), .audience("{ usernames: { zzperson1: x } }"),
        .audience("{ usernames: [[zzperson1]] }"), .audience("{ usernames: [{ a: zzperson1 }] }"),
        .audience("{ usernames: [a], exclude: [zzperson1] }"),
        .audience("{ usernames: [a], exclude: zzperson1 }"),
        .audience("\n  usernames: [a]\n  min_recipients: [zzperson1]"),
        .audience("\n  usernames: [a]\n  language_column: { zzperson1: de }"),
        .audience("{ runs: zzperson1 }"), .audience("{ runs: [zzperson1] }"),
        .audience("{ runs: { zzperson1: x } }"),
        // Values in the wrong format.
        .audience("{ usernames: [a], min_recipients: zzperson1 }"),
        .audience("{ usernames: [a], exclude: { allow_empty: zzperson1 } }"),
        .audience("{ files: [{ path: people.txt, max_age: zzperson1 }] }", list: "a\n"),
        .audience("{ files: [{ path: people.txt, encoding: zzperson1 }] }", list: "a\n"),
        .audience("{ files: [{ path: people.txt, separator: zzperson1 }] }", list: "a\n"),
        .audience("{ runs: [{ campaign: a, outcomes: [zzperson1] }] }"),
        .audience("{ runs: [{ campaign: zzperson 1 }] }"),
        .audience("{ runs: [{ campaign: zzperson人 }] }"),
        // Names instead of files.
        .audience("{ files: \"zzperson1, zzperson2\" }"), .audience("{ files: zzperson1 }"),
        .audience("{ files: { zzperson1: x } }"), .audience("{ files: [zzperson1, zzperson1] }"),
        .audience("{ files: [[zzperson1]] }"), .audience("{ files: [{ path: zzperson1 }] }"),
        .audience("{ files: [{ zzperson1: x }] }"),
        .audience("{ usernames: [a], exclude: { files: zzperson1 } }"),
        // Names.
        .audience("{ usernames: [\"zzperson 1\"] }"),
        .audience("{ usernames: [\"username:zzperson1\", zzperson1.csv] }"),
        .audience("{ usernames: [zzperson1@example.com] }"),
        .audience("{ usernames: [zzperson1, zzperson1] }"),
        .audience(
            "{ usernames: [zzperson1], files: [people.csv] }", table: "username,phone\na,1\n"),
        .audience("{ usernames: [a] } # hubsend:ignore zzperson1 Ours."),
        // A whole file on one line, and a file that is not YAML.
        .init(
            campaign:
                "{ campaign: test, kind: alrt, platforms: [apns], audience: { usernames: [zzperson1] }, payload: { text: Hello } }"
        ),
        .audience("{ usernames: [zzperson1"),
        .audience("\n  usernames: [zzperson1\n  min_recipients: 3"),
        // Tables.
        .audience("{ files: [people.csv] }", table: "zzperson1,zzperson2\nzzperson3,zzperson4\n"),
        .audience("{ files: [people.csv] }", table: "de,zzperson1,zzperson1\n"),
        .audience("{ files: [people.csv] }", table: "\"zzperson1;zzperson2\"\n"),
        .audience(
            "{ files: [{ path: people.csv, username_column: zzpersom }] }", table: "zzperson,x\n"),
        .audience(
            "{ files: [people.csv], language_column: lang }",
            table: "username,lang\na,zzperson_de\nb,zzperson language\n"),
        .audience("{ files: [people.csv] }", table: "username,name\nzzperson1\n"),
        .audience("{ files: [people.csv] }", table: "username,name\na,b\"zzperson1\n"),
        .audience("{ files: [people.csv] }", table: "username,name\na,\"b\"zzperson1\n"),
        .audience("{ files: [people.csv] }", table: "username,name\na,\"zzperson1\n"),
        .audience(
            "{ files: [{ path: people.csv, on_bad_row: skip }] }",
            table: "username\na\nzzperson 1\n"),
        .audience("{ files: [people.txt] }", list: "zzperson1,zzperson2\n"),
        // Configs.
        .config("rehearsal: { testers: zzperson1 }\n"),
        .config("rehearsal:\n  testers: [\"zzperson 1\"]\n"),
        .config("rehearsal:\nzzperson1: x\n"),
        .config("defaults:\n  audience:\n  zzperson1: x\n"),
        .config("backend: { senders: [\"zzperson 1\"] }\n"),
        .config("backend:\n  senders:\n    - \"zzperson 1\"\n"),
        .config("rehearsal: [zzperson1]\n"), .config("rehearsal: { zzperson1: x }\n"),
        .config("rehearsal:\n  zzperson1: x\n  zzperson1: y\n"),
        .config("store: a\ntesters: [zzperson1]\n"), .config("rehearsal:\n  testers: [zzperson1\n"),
        .config("store: a\ndefaults: { audience: [zzperson1] }\n"),
        .config("defaults: { audience: { exclude: { zzperson1: x } } }\n"),
        .config("defaults: { audience: { exclude: { usernames: [\"zzperson 1\"] } } }\n"),
        .config(
            "{ rehearsal: { testers: [zzperson1] }, defaults: { audience: { exclude: { files: [gone.csv] } } } }\n"
        ),
    ]

    @Test("No report names anybody if people are masked", arguments: mistakes)
    func noReportNamesAnybodyIfPeopleAreMasked(_ mistake: Mistake) throws {
        let found = try findings(of: mistake)
        for text in try Self.reports(of: found, masked: true) {
            #expect(!text.contains(Self.mark), "\(text)")
        }
        #expect(
            TextDiagnosticRenderer().render(found).contains(Self.mark),
            "nothing in it has to be masked")
    }

    @Test("In every report format, people are masked in the help")
    func inEveryReportFormatPeopleAreMaskedInTheHelp() throws {
        let finding = Diagnostic(
            .csvHeader, in: "a.csv", at: TextRange(line: 1, column: 1), "It is wrong.",
            help: "Rename \"\(audience: "zzperson1")\".")
        for text in try Self.reports(of: [finding], masked: true) {
            #expect(text.contains("***") && !text.contains(Self.mark), "\(text)")
        }
        for text in try Self.reports(of: [finding], masked: false) {
            #expect(text.contains("zzperson1"), "\(text)")
        }
    }

    /// A line that does not name people is shown even in a build log.
    @Test("Lines that name nobody are shown") func linesThatNameNobodyAreShown() throws {
        let mistake = Mistake.audience("\n  usernames: [a]\n  exclude:\n    files: [gone.csv]")
        let text = TextDiagnosticRenderer(masksAudience: true).render(
            try findings(of: mistake))
        #expect(text.contains("|     files: [gone.csv]"), "\(text)")
        // A misspelled key, and a key in the wrong place.
        for key in ["descripton", "link"] {
            let found = try findings(of: .audience("{ usernames: [a] }\n\(key): x"))
            let text = TextDiagnosticRenderer(masksAudience: true).render(found)
            #expect(text.contains("There is no key \"\(key)\"."), "\(text)")
        }
    }

    /// All findings of a campaign, including one that appears only when people are counted.
    private func findings(of mistake: Mistake) throws -> [Diagnostic] {
        let folder = try TemporaryFolder()
        if let table = mistake.table { try folder.write(table, to: "people.csv") }
        if let list = mistake.list { try folder.write(list, to: "people.txt") }
        let config = try mistake.config.map {
            try ConfigFile.read(folder.write($0, to: "hubsend.yaml", mode: 0o600), isNamed: false)
        }
        let loaded = try CampaignFile.read(
            folder.write(mistake.campaign, to: "campaign.yaml"),
            scope: FileScope(root: folder.path),
            terms: config?.config?.terms ?? CampaignTerms())
        let found = (config?.diagnostics ?? []) + loaded.diagnostics + loaded.lint.remarks
        let later = [
            loaded.duplicateName(with: "other.yaml"), loaded.diagnostic(for: .empty(excluded: 1)),
        ]
        return found + loaded.checkAudienceFiles() + later
            + loaded.lint.ignores.faults(among: found, isComplete: true)
    }

    private static func reports(of found: [Diagnostic], masked: Bool) throws -> [String] {
        [
            TextDiagnosticRenderer(masksAudience: masked).render(found),
            try JSONDiagnosticRenderer(masksAudience: masked).render(found),
            try SARIFDiagnosticRenderer(masksAudience: masked).render(found),
            GitHubDiagnosticRenderer(masksAudience: masked).render(found),
            JUnitDiagnosticRenderer(masksAudience: masked).render(found, checked: []),
        ]
    }
}
