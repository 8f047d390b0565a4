import TestSupport
import Testing
import YAMLSyntax

@testable import CampaignOperations

/// What CI is given to run on the changes of strangers.
@Suite(.bounded) struct WorkflowTemplateTests {
    private static let folders = [".", "campaigns", "push/unsere Kampagnen"]

    private func texts(_ folder: String) throws -> [String] {
        let path = try #require(RepositoryPath(folder == "." ? "" : folder))
        return [
            GitHubTemplate.text(path), GitLabTemplate.text(path),
            RepositoryTemplates.commitHook(path),
        ]
    }

    @Test(arguments: folders)
    func everyTemplateIsYAML(folder: String) throws {
        for text in try texts(folder) {
            let document = YAMLParser.parse(Array(text.utf8))
            #expect(document.faults.isEmpty, "\(document.faults)")
            #expect(document.root != nil)
        }
    }

    @Test func noWorkflowAsksForASecretOrRunsWithThoseOfTheTarget() throws {
        for text in try texts("campaigns") {
            #expect(!text.contains("secrets"))
            #expect(!text.contains("pull_request_target"))
            #expect(!text.contains("HUBSEND_"))
        }
    }

    @Test func everyActionIsOfOneVersionAndOnlyNamedPermissionsAreGiven() throws {
        let text = GitHubTemplate.text(try #require(RepositoryPath("campaigns")))
        let actions = text.matches(of: /uses: (\S+)/).map { String($0.1) }
        #expect(actions.count == 5)
        for action in actions {
            #expect(action.contains(/@v\d+\.\d+\.\d+$/), "\(action)")
        }
        let granted = text.matches(of: /([a-z-]+): write/).map { String($0.1) }
        #expect(granted == ["security-events", "pull-requests"])
    }

    /// What writes in the pull request runs nothing of it.
    @Test func theJobThatMayCommentChecksNothingOut() throws {
        let text = GitHubTemplate.text(try #require(RepositoryPath("campaigns")))
        let job = try #require(text.split(separator: "\n  comment:\n").last)
        #expect(job.contains("pull-requests: write"))
        #expect(!job.contains("checkout"))
        #expect(!job.contains("run: "))
        #expect(job.contains("head.repo.full_name == github.repository"))
    }

    /// Who reads a change with a fault has to see it, and so who reads one with people whom a checkout does not have: then
    /// `preview` ends with 2, as it does without a word on its output where the settings are wrong.
    @Test func aFaultFailsTheCheckAndIsShownAllTheSame() throws {
        let jobs = try jobs(GitHubTemplate.text(#require(RepositoryPath("campaigns"))))
        let check = try #require(jobs.entry("jobs", "check"))
        let steps = try #require(check.entry("steps")?.items)
        let validate = try #require(steps.first { $0.entry("name")?.text == "Validate" })
        #expect(validate.entry("run")?.text == #"hubsend validate --strict "$CAMPAIGNS""#)
        #expect(validate.entry("continue-on-error") == nil)
        let preview = try #require(steps.first { $0.entry("id")?.text == "preview" })
        let upload = try #require(steps.first { $0.entry("id")?.text == "upload" })
        let comment = try #require(jobs.entry("jobs", "comment"))
        for part in [preview, upload, comment] {
            #expect(part.entry("if")?.text?.hasPrefix("${{ !cancelled() && ") == true)
        }
        let shows = try #require(preview.entry("run")?.text)
        #expect(
            shows.contains(
                "> \"$RUNNER_TEMP/preview.md\" || test -s \"$RUNNER_TEMP/preview.md\"\n"))
        #expect(
            check.entry("outputs", "preview")?.text == "${{ steps.upload.outputs.artifact-id }}")
        #expect(comment.entry("if")?.text?.contains("needs.check.outputs.preview") == true)

        let pipeline = try self.jobs(GitLabTemplate.text(#require(RepositoryPath("campaigns"))))
        let commands = try #require(pipeline.entry("validate-campaigns", "script")?.items)
        #expect(commands.last?.text == #"hubsend validate --strict "$CAMPAIGNS""#)
        let shown = try #require(pipeline.entry("preview-campaigns", "script")?.items)
        #expect(shown.count == 2)
        for (command, file) in zip(shown, ["preview.md", "preview.html"]) {
            #expect(command.text?.hasSuffix(" > \(file) || test -s \(file)") == true)
        }
    }

    private func jobs(_ text: String) throws -> YAMLNode {
        try #require(YAMLParser.parse(Array(text.utf8)).root)
    }

    @Test func patternsMatchTheFolderAndNothingElse() throws {
        let top = try #require(RepositoryPath(""))
        #expect((top.text, top.glob) == (".", "**"))
        let path = try #require(RepositoryPath("a.b/c"))
        #expect(path.pattern == #"^a\.b/c/"#)
        #expect(path.glob == "a.b/c/**")
    }
}

extension YAMLNode {
    /// What stands beneath keys; nil where one is missing.
    fileprivate func entry(_ path: String...) -> YAMLNode? {
        path.reduce(self as YAMLNode?) { node, key in
            guard case .mapping(let entries)? = node?.content else { return nil }
            return entries.first { $0.key.text == key }?.value
        }
    }

    fileprivate var text: String? {
        if case .scalar(let scalar) = content { scalar.text } else { nil }
    }

    fileprivate var items: [YAMLNode]? {
        if case .sequence(let items) = content { items } else { nil }
    }
}
