import CampaignFormat
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct StarterFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(
        to place: String = ".", name: String? = nil, service: StarterFolder.ReviewService? = nil
    ) throws -> StarterFolder.Outcome {
        let path = place == "." ? folder.path : folder.file(place)
        return try StarterFolder(
            at: path, name: name, service: service,
            invocation: Invocation()
        ).write()
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.file(name), encoding: .utf8)
    }

    private func check() async throws -> Validation {
        try await ValidationRun(
            flags: SettingFlags(),
            invocation: Invocation(),
            rules: try RuleChoice()
        ).check(CampaignSearch([folder.path]).files())
    }

    @Test("A fresh folder has no findings", arguments: [nil, "acme"])
    func freshFolderHasNoFindings(name: String?) async throws {
        let outcome = try write(name: name, service: .github)
        #expect(outcome.left.isEmpty)
        // Colleagues can read the files; a config that others can write would be refused.
        for path in outcome.written {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o644, "\(path)")
        }
        let check = try await check()
        #expect(check.findings.isEmpty, "\(check.findings)")
        #expect(check.failures.isEmpty)
        #expect(check.summary?.hasPrefix("3 campaign files checked: no findings") == true)
    }

    @Test("The output lists the values to fill in until they are filled in")
    func outputListsTheValuesToFillInUntilTheyAreFilledIn() throws {
        let outcome = try write(service: .github)
        let files = [GitHubTemplate.path, GitHubTemplate.sendingPath].map(folder.file)
        #expect(
            outcome.text.contains(
                "\nFill in PROGRAM_URL and PROGRAM_SHA256 in \(files[0]) and \(files[1]): the address and the checksum of your hubsend build"
            ))
        try folder.write(
            text(GitHubTemplate.path).replacing("www.example.com", with: "our.example"),
            to: GitHubTemplate.path)
        let again = try write(service: .github)
        #expect(!again.text.contains("PROGRAM_URL"))
        #expect(again.left.first { $0.path == files[0] }?.advice == nil)
        #expect(
            again.left.first { $0.path == files[1] }?.advice
                == "fill in its PROGRAM_URL")
        #expect(try !write(to: "other").text.contains("PROGRAM_URL"))
    }

    @Test("The names of the campaigns and their files begin with the prefix")
    func namesOfTheCampaignsAndTheirFilesBeginWithThePrefix() throws {
        let outcome = try write(name: "acme")
        #expect(outcome.text.hasSuffix("\n  hubsend run \(folder.file("acme-welcome.yaml"))\n"))
        #expect(try text("acme-statement.yaml").contains("\ncampaign: acme-statement\n"))
    }

    @Test("Existing files are left unchanged and listed")
    func existingFilesAreLeftUnchangedAndListed() throws {
        try folder.write("mine", to: ".gitignore")
        try folder.link("devices.yaml", to: "nowhere")
        let outcome = try write()
        #expect(Set(outcome.left.map(\.path)) == [".gitignore", "devices.yaml"].mapped(folder))
        #expect(
            outcome.left.first { $0.path == folder.file(".gitignore") }?.advice
                == "add the line .hubsend/ to it")
        #expect(try text(".gitignore") == "mine")
        let again = try write(service: .gitlab)
        #expect(again.written == [folder.file(".gitlab-ci.yml")])
        #expect(again.left.count == outcome.left.count + outcome.written.count)
    }

    @Test(
        "The output does not ask for a line that .gitignore already contains",
        arguments: [
            ("a\n.hubsend/\nb", true), ("a\r\n/.hubsend\r\n", true), ("# .hubsend/\n", false),
            ("a.hubsend/\n", false), ("", false),
        ])
    func outputDoesNotAskForALineThatGitignoreAlreadyContains(text: String, isThere: Bool) throws {
        try folder.write(text, to: ".gitignore")
        let file = try #require(try write().left.first)
        #expect(file.path == folder.file(".gitignore"))
        #expect(file.advice == (isThere ? nil : "add the line .hubsend/ to it"))
    }

    @Test("Running init again asks for nothing") func runningInitAgainAsksForNothing() throws {
        let written = try write().written
        let left = try write().left
        #expect(left.map(\.path) == written)
        #expect(left.allSatisfy { $0.advice == nil })
    }

    @Test("The output asks for a hook that is missing or cannot be read")
    func outputAsksForAHookThatIsMissingOrCannotBeRead() throws {
        let name = ".pre-commit-config.yaml"
        let advice = "hubsend(1) shows the hook to add"
        let path = try folder.write("repos: []\n", to: name)
        #expect(try write().left.map(\.advice) == [advice])
        try FileManager.default.removeItem(atPath: path)
        try folder.link(name, to: "nowhere")
        #expect(try write().left.first { $0.path == folder.file(name) }?.advice == advice)
    }

    @Test("The hook and the workflow are at the root of the repository")
    func hookAndTheWorkflowAreAtTheRootOfTheRepository() throws {
        try folder.write("", to: ".git/HEAD")
        let outcome = try write(to: "push/all.campaigns", service: .github)
        #expect(outcome.written.contains(folder.file(".pre-commit-config.yaml")))
        #expect(outcome.written.contains(folder.file(".github/workflows/campaigns.yaml")))
        let hook = try text(".pre-commit-config.yaml")
        #expect(hook.contains("entry: hubsend validate push/all.campaigns\n"))
        #expect(hook.contains(#"files: ^push/all\.campaigns/"# + "\n"))
        #expect(
            try text(".github/workflows/campaigns.yaml").contains(
                #"CAMPAIGNS: "push/all.campaigns""#))
    }

    @Test(
        "A folder name that commands cannot use is refused, and nothing is written",
        arguments: ["a\"b", "a$b", "-a", "a*b", "a\nb", "a\u{D4E}$b", "-\u{301}a"])
    func folderNameThatCommandsCannotUseIsRefusedAndNothingIsWritten(name: String) throws {
        try folder.write("", to: ".git/HEAD")
        #expect(throws: Refused.self) { try write(to: name) }
        #expect(try folder.contents() == [".git"])
    }

    @Test("Each file names the schema that is written next to it")
    func eachFileNamesTheSchemaThatIsWrittenNextToIt() throws {
        let outcome = try write()
        for (file, schema) in [
            ("welcome.yaml", "campaign"), ("hubsend.yaml", "config"), ("devices.yaml", "devices"),
        ] {
            let name = schema + ".schema.json"
            #expect(outcome.written.contains(folder.file(name)))
            #expect(try text(file).hasPrefix("# yaml-language-server: $schema=\(name)\n"))
            #expect(try text(name).contains("\"$schema\""))
        }
    }

    @Test("Files that were left unchanged are listed in sentences")
    func filesThatWereLeftUnchangedAreListedInSentences() throws {
        try folder.write("mine", to: ".gitignore")
        #expect(
            try write().leftSentences == [
                "\(folder.file(".gitignore")) exists and was left unchanged; add the line .hubsend/ to it."
            ])
    }

    @Test("If a file has the name of the folder, the message says so")
    func ifAFileHasTheNameOfTheFolderTheMessageSaysSo() throws {
        try folder.write("", to: "campaigns")
        #expect {
            try write(to: "campaigns")
        } throws: {
            "\($0)".contains("campaigns")
                && "\($0)".hasSuffix(": not a directory.")
        }
    }
}

extension Sequence<String> {
    fileprivate func mapped(_ folder: TemporaryFolder) -> Set<String> {
        Set(map(folder.file))
    }
}
