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
        "An audience file that is too old produces an error at its entry",
        arguments: [
            (26 * 3600, false), (26 * 3600 + 2, true), (-240, false), (0, false),
            (400 * 86_400, true),
        ] as [(TimeInterval, Bool)])
    func audienceFileThatIsTooOldProducesAnErrorAtItsEntry(age: TimeInterval, isError: Bool) throws
    {
        try self.age("campaigns/a.txt", age)
        let loaded = try load("files: [{ path: a.txt, max_age: 26h }]")
        #expect(loaded.diagnostics.isEmpty, "its age counts when people are wanted")
        let errors = try #require(loaded.conditions).staleFiles(at: now)
        #expect(errors.hasErrors == isError)
        #expect(errors.count == (isError ? 1 : 0))
        guard let problem = errors.first else { return }
        #expect(problem.rule == Rule.staleFile.id)
        #expect(problem.range.line == 4)
        #expect(problem.message.text.contains("\"a.txt\" is "))
        #expect(problem.message.text.hasSuffix(" old; \"max_age\" allows 26h."))
        #expect(problem.excerpt?.text.contains("max_age: 26h") == true)
    }

    @Test("An audience file dated in the future is refused")
    func audienceFileDatedInTheFutureIsRefused() throws {
        for ahead in [600, 86_400, 73 * 365.25 * 86_400] {
            try age("campaigns/a.txt", -ahead)
            let loaded = try load("files: [{ path: a.txt, max_age: 26h }]")
            let errors = try #require(loaded.conditions).staleFiles(at: now)
            #expect(errors.map(\.severity) == [.error])
            #expect(errors.first?.message.text.contains("which is in the future") == true)
        }
    }

    @Test("The age of exports and exclusion files is also checked")
    func ageOfExportsAndExclusionFilesIsAlsoChecked() throws {
        try age("exports/b.txt", 7200)
        let loaded = try load(
            "files: [a.txt], exclude: { files: [{ path: \"export:b.txt\", max_age: 1h }] }")
        let errors = try #require(loaded.conditions).staleFiles(at: now)
        #expect(
            errors.map(\.message.text) == [
                "The file \"export:b.txt\" is 2h 00m old; \"max_age\" allows 1h."
            ])
    }

    // MARK: Exports

    @Test("Exports are read from the exports folder")
    func exportsAreReadFromTheExportsFolder() throws {
        let loaded = try load("files: [a.txt, \"export:b.txt\"]")
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
        let people = try #require(loaded.audience)
        #expect(try people.all(.named).map(\.username.text) == ["alice", "bob"])
        #expect(loaded.conditions?.missingExport == nil)
        #expect(loaded.conditions?.areInFiles == true)
    }

    @Test("A finding in an export names the export's file")
    func findingInAnExportNamesTheExportsFile() throws {
        try folder.write("bo b\n", to: "exports/b.txt")
        let loaded = try load("files: [\"export:b.txt\"]")
        #expect(loaded.checkAudienceFiles().map(\.file) == [folder.file("exports/b.txt")])
    }

    @Test(
        "Only safe files in the exports folder are read",
        arguments: [
            ("export:gone.csv", "missing-file", "There is no file"),
            ("export:../campaigns/a.txt", "refused-file", "leads out of the folder of exports"),
            ("export:/etc/passwd", "refused-file", "is absolute"),
            ("export:out.txt", "refused-file", "leads out of the folder of exports"),
            ("export:.hidden.txt", "refused-file", "which is hidden"),
            ("export:open.txt", "refused-file", "can be written by others"),
            ("export:sub", "refused-file", "is a folder"),
            ("export:", "empty-value", "The path is empty"),
        ])
    func onlySafeFilesInTheExportsFolderAreRead(path: String, rule: String, words: String) throws {
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

    @Test("A missing exports folder is reported as such")
    func missingExportsFolderIsReportedAsSuch() throws {
        let loaded = try load("files: [\"export:b.txt\"]", exports: "nowhere")
        #expect(loaded.diagnostics.map(\.rule) == ["unreadable-file"])
        #expect(
            loaded.diagnostics.first?.message.text.contains("the folder of exports does not exist")
                == true)
    }

    /// A change to the repository must not make hubsend read other files on the machine.
    @Test("A config that was found by searching cannot expose arbitrary files as exports")
    func configThatWasFoundBySearchingCannotExposeArbitraryFilesAs() throws {
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

    // MARK: Earlier runs and missing exports

    @Test(
        "Without an exports folder, the campaign is valid but the export is missing",
        arguments: [
            "files: [a.txt, \"export:b.txt\"]", "files: [\"export:b.txt\"]",
            "usernames: [alice], exclude: { files: [\"export:b.txt\"] }",
        ])
    func withoutAnExportsFolderTheCampaignIsValidButTheExportIs(audience: String) throws {
        let loaded = try load(audience, exports: nil)
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
        #expect(loaded.campaign != nil)
        let conditions = try #require(loaded.conditions)
        #expect(conditions.missingExport?.path == "export:b.txt")
        #expect(conditions.missingExport?.range.line == 4)
        #expect(!conditions.areInFiles)
    }

    @Test("Exports and runs that cannot be checked produce a hint at their entries")
    func exportsAndRunsThatCannotBeCheckedProduceAHintAtTheirEntries() throws {
        let loaded = try load(
            "files: [\"export:b.txt\"], runs: [{ campaign: winter, outcomes: [failed] }]",
            exports: nil)
        let hints = try #require(loaded.conditions).unchecked
        #expect(hints.map(\.severity) == [.hint, .hint])
        #expect(hints.map(\.rule) == ["not-checked", "not-checked"])
        #expect(hints.map(\.range.line) == [4, 4])
        #expect(hints.map(\.range.column) == [21, 57])
    }

    @Test("Earlier runs are read with their outcomes and options")
    func earlierRunsAreReadWithTheirOutcomesAndOptions() throws {
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

    @Test("Runs under exclude are read and listed as unchecked, but add nobody")
    func runsUnderExcludeAreReadAndListedAsUncheckedButAddNobody() throws {
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

    @Test("People of earlier runs have no values for variables")
    func peopleOfEarlierRunsHaveNoValuesForVariables() throws {
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                audience: "runs: [{ campaign: winter }]", payload: "text: \"Hi {{name}}\""),
            name: "campaigns/campaign.yaml")
        #expect(
            loaded.diagnostics.map(\.rule) == [Rule.variableWithoutValue.id])
    }
}
