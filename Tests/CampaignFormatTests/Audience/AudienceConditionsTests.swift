import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct AudienceConditionsTests {
    let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("alice\n", to: "campaigns/a.txt")
        try folder.write("bob\n", to: "exports/b.txt")
    }

    private func load(
        _ audience: String, exports: String? = "exports", isChosen: Bool = true
    ) throws -> LoadedCampaign {
        let folder = exports.map { ExportFolder(path: self.folder.file($0), isChosen: isChosen) }
        return try self.folder.load(
            TemporaryFolder.campaign(audience: audience), name: "campaigns/campaign.yaml",
            scope: FileScope(exports: folder))
    }

    private func age(_ name: String, _ age: TimeInterval) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: now - age], ofItemAtPath: folder.file(name))
    }

    // MARK: Age

    @Test(
        arguments: [
            (26 * 3600, false), (26 * 3600 + 2, true), (-240, false), (0, false),
            (400 * 86_400, true),
        ] as [(TimeInterval, Bool)])
    func aFileThatIsTooOldIsAFaultAtItsEntry(age: TimeInterval, isFault: Bool) throws {
        try self.age("campaigns/a.txt", age)
        let loaded = try load("files: [{ path: a.txt, max_age: 26h }]")
        #expect(loaded.diagnostics.isEmpty, "its age counts when people are wanted")
        let faults = try #require(loaded.conditions).staleFiles(at: now)
        #expect(faults.hasErrors == isFault)
        #expect(faults.count == (isFault ? 1 : 0))
        guard let fault = faults.first else { return }
        #expect(fault.rule == Rule.staleFile.id)
        #expect(fault.range.line == 4)
        #expect(fault.message.text.contains("\"a.txt\" is "))
        #expect(fault.message.text.hasSuffix(" old; \"max_age\" allows 26h."))
        #expect(fault.excerpt?.text.contains("max_age: 26h") == true)
    }

    @Test("A file dated in the future is refused, since it would never be too old")
    func aFileOfTheFutureIsRefused() throws {
        for ahead in [600, 86_400, 73 * 365.25 * 86_400] {
            try age("campaigns/a.txt", -ahead)
            let loaded = try load("files: [{ path: a.txt, max_age: 26h }]")
            let faults = try #require(loaded.conditions).staleFiles(at: now)
            #expect(faults.map(\.severity) == [.error])
            #expect(faults.first?.message.text.contains("which is in the future") == true)
        }
    }

    @Test func anExportAndAnExclusionMayBeTooOldToo() throws {
        try age("exports/b.txt", 7200)
        let loaded = try load(
            "files: [a.txt], exclude: { files: [{ path: \"export:b.txt\", max_age: 1h }] }")
        let faults = try #require(loaded.conditions).staleFiles(at: now)
        #expect(
            faults.map(\.message.text) == [
                "The file \"export:b.txt\" is 2h 00m old; \"max_age\" allows 1h."
            ])
    }

    // MARK: Exports

    @Test func exportsAreReadFromTheirFolder() throws {
        let loaded = try load("files: [a.txt, \"export:b.txt\"]")
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
        let people = try #require(loaded.audience)
        #expect(try people.all(.named).map(\.username.text) == ["alice", "bob"])
        #expect(loaded.conditions?.missingExport == nil)
        #expect(loaded.conditions?.areInFiles == true)
    }

    @Test func theirFaultsStandInTheirFiles() throws {
        try folder.write("bo b\n", to: "exports/b.txt")
        let loaded = try load("files: [\"export:b.txt\"]")
        #expect(loaded.checkAudienceFiles().map(\.file) == [folder.file("exports/b.txt")])
    }

    @Test(arguments: [
        ("export:gone.csv", "missing-file", "There is no file"),
        ("export:../campaigns/a.txt", "refused-file", "leads out of the folder of exports"),
        ("export:/etc/passwd", "refused-file", "is absolute"),
        ("export:out.txt", "refused-file", "leads out of the folder of exports"),
        ("export:.hidden.txt", "refused-file", "which is hidden"),
        ("export:open.txt", "refused-file", "can be written by others"),
        ("export:sub", "refused-file", "is a folder"),
        ("export:", "empty-value", "The path is empty"),
    ])
    func whatIsNoSafeFileThereIsRefused(path: String, rule: String, words: String) throws {
        try folder.link("exports/out.txt", to: "../campaigns/a.txt")
        try folder.write("carol\n", to: "exports/.hidden.txt")
        try folder.write("carol\n", to: "exports/open.txt", mode: 0o666)
        try folder.write("carol\n", to: "exports/sub/c.txt")
        let loaded = try load("files: [a.txt, \"\(path)\"]")
        #expect(loaded.diagnostics.map(\.rule) == [rule])
        #expect(
            loaded.diagnostics.first?.message.text.contains(words) == true,
            "\(loaded.diagnostics.first?.message.text ?? "")")
        #expect(loaded.campaign == nil)
    }

    @Test func aFolderThatIsNotThereIsNamedAsWhatIsWrong() throws {
        let loaded = try load("files: [\"export:b.txt\"]", exports: "nowhere")
        #expect(loaded.diagnostics.map(\.rule) == ["unreadable-file"])
        #expect(
            loaded.diagnostics.first?.message.text.contains("no folder of exports") == true)
    }

    /// A change to the repository must not make hubsend read other files of the machine.
    @Test func aConfigThatWasFoundCannotNameEveryFileAsAnExport() throws {
        try folder.write("secret\n", to: "exports/credentials")
        try folder.write("secret\n", to: ".keys/a.txt")
        let file = try load("files: [\"export:credentials\"]", isChosen: false)
        #expect(file.diagnostics.map(\.rule) == ["refused-file"])
        let hidden = try load("files: [\"export:a.txt\"]", exports: ".keys", isChosen: false)
        #expect(hidden.diagnostics.map(\.rule) == ["refused-file"])
        let usual = try load("files: [\"export:b.txt\"]", isChosen: false)
        #expect(usual.diagnostics.isEmpty)
        let chosen = try load("files: [\"export:a.txt\"]", exports: ".keys")
        #expect(chosen.diagnostics.isEmpty)
    }

    // MARK: What files do not tell

    @Test(arguments: [
        "files: [a.txt, \"export:b.txt\"]", "files: [\"export:b.txt\"]",
        "usernames: [alice], exclude: { files: [\"export:b.txt\"] }",
    ])
    func withoutAFolderTheCampaignIsGoodAndTheExportMissing(audience: String) throws {
        let loaded = try load(audience, exports: nil)
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
        #expect(loaded.campaign != nil)
        let conditions = try #require(loaded.conditions)
        #expect(conditions.missingExport?.path == "export:b.txt")
        #expect(conditions.missingExport?.range.line == 4)
        #expect(!conditions.areInFiles)
    }

    @Test func whatFilesDoNotTellIsSaidAtItsEntry() throws {
        let loaded = try load(
            "files: [\"export:b.txt\"], runs: [{ campaign: winter, outcomes: [failed] }]",
            exports: nil)
        let hints = try #require(loaded.conditions).unchecked
        #expect(hints.map(\.severity) == [.hint, .hint])
        #expect(hints.map(\.rule) == ["not-checked", "not-checked"])
        #expect(hints.map(\.range.line) == [4, 4])
        #expect(hints.map(\.range.column) == [21, 57])
    }

    @Test func runsAreReadWithWhatTheyAsk() throws {
        let loaded = try load(
            "runs: [{ campaign: winter }, { campaign: test, outcomes: [failed, not_attempted], fetched: false }]"
        )
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
        let origin = AudienceOrigin(file: 0, line: 4)
        #expect(
            loaded.campaign?.audience.runs == [
                RunSelection(campaign: "winter", origin: origin),
                RunSelection(
                    campaign: "test", outcomes: [.failed, .notAttempted], fetched: false,
                    origin: origin),
            ])
        #expect(loaded.conditions?.areInFiles == false)
    }

    @Test("Runs under exclude are read, noted as unchecked, and name nobody")
    func excludedRuns() throws {
        let loaded = try load(
            "usernames: [bob], exclude: { runs: [{ campaign: winter, outcomes: [accepted], optional: true }] }"
        )
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
        let rule = try #require(loaded.campaign?.audience)
        #expect(rule.runs.isEmpty)
        #expect(
            rule.excludedRuns == [
                RunSelection(
                    campaign: "winter", outcomes: [.accepted], isOptional: true,
                    origin: AudienceOrigin(file: 2, line: 4))
            ])
        let conditions = try #require(loaded.conditions)
        #expect(!conditions.areInFiles)
        #expect(conditions.unchecked.map(\.rule) == ["not-checked"])
        let nobody = try load("exclude: { runs: [{ campaign: winter }] }")
        #expect(nobody.diagnostics.map(\.rule) == ["empty-audience"])
    }

    @Test func peopleOfRunsHaveNoValues() throws {
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                audience: "runs: [{ campaign: winter }]", payload: "text: \"Hi {{name}}\""),
            name: "campaigns/campaign.yaml")
        #expect(
            loaded.diagnostics.map(\.rule) == [Rule.variableWithoutValue.id])
    }
}
