import CampaignFormat
import TestSupport
import Testing

@testable import App

/// The workflows that CI runs on changes from strangers.
@Suite(.bounded) struct WorkflowTemplateTests {
    private static let folders = [".", "campaigns", "push/unsere Kampagnen"]

    private func texts(_ folder: String) throws -> [String] {
        let path = try #require(RepositoryPath(folder == "." ? "" : folder))
        return [
            GitHubTemplate.text(path), GitHubTemplate.sending(path), GitLabTemplate.text(path),
            RepositoryTemplates.commitHook(path),
        ]
    }

    @Test("Every template is valid YAML", arguments: folders)
    func everyTemplateIsValidYAML(folder: String) throws {
        for text in try texts(folder) {
            let document = YAMLParser.parse(Array(text.utf8))
            #expect(document.errors.isEmpty, "\(document.errors)")
            #expect(document.root != nil)
        }
    }

    @Test("No job that runs for a change has access to secrets")
    func noJobThatRunsForAChangeHasAccessToSecrets() throws {
        let path = try #require(RepositoryPath("campaigns"))
        let pipeline = try jobs(GitLabTemplate.text(path))
        let checks =
            [GitHubTemplate.text(path)]
            + ["validate-campaigns", "preview-campaigns"].map {
                "\(pipeline.entry($0) as Any)\(pipeline.entry(".campaigns") as Any)"
            }
        for text in checks {
            #expect(!text.contains("secrets"))
            #expect(!text.contains("pull_request_target"))
            #expect(!text.contains("HUBSEND_"))
        }
    }

    /// If a filter skips a required check, GitHub shows it as "expected", and the change can never
    /// be merged.
    @Test("No filter can skip a required check") func noFilterCanSkipARequiredCheck() throws {
        for text in try texts("campaigns") {
            #expect(!text.contains(/(?m)^ *(paths|changes): *\[".*\*/))
        }
        let workflow = try jobs(GitHubTemplate.text(#require(RepositoryPath("campaigns"))))
        #expect(workflow.entry("on", "pull_request", "paths") == nil)
        #expect(workflow.entry("on", "push", "branches") != nil)
        #expect(workflow.entry("on", "merge_group") != nil)
    }

    @Test("Nothing is sent until somebody requests it")
    func nothingIsSentUntilSomebodyRequestsIt() throws {
        let path = try #require(RepositoryPath("campaigns"))
        let workflow = try jobs(GitHubTemplate.sending(path))
        #expect(workflow.entry("on")?.keys == ["workflow_dispatch"])
        #expect(workflow.entry("jobs", "send", "environment")?.text == "campaigns")
        #expect(workflow.entry("jobs", "send", "needs")?.text == "plan")
        #expect(!GitHubTemplate.text(path).contains("hubsend run"))
        let rules = try ["send-campaign", "send-due-campaigns"].map { name in
            try #require(jobs(GitLabTemplate.text(path)).entry(name, "rules")?.items?.first)
        }
        #expect(rules[0].entry("when")?.text == "manual")
        for rule in rules {
            #expect(
                rule.entry("if")?.text?.contains("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH") == true)
        }
    }

    /// An expression would put other people's text into a script before the shell reads it.
    @Test("No script in a workflow contains a GitHub expression")
    func noScriptInAWorkflowContainsAGitHubExpression() throws {
        let path = try #require(RepositoryPath("campaigns"))
        for text in [GitHubTemplate.text(path), GitHubTemplate.sending(path)] {
            for (_, job) in try #require(jobs(text).entry("jobs")?.entries) {
                for step in job.entry("steps")?.items ?? [] {
                    #expect(step.entry("run")?.text?.contains("${{") != true)
                    #expect(step.entry("with", "script")?.text?.contains("${{") != true)
                }
            }
        }
    }

    @Test("Every action has a fixed version, and write permissions are limited")
    func everyActionHasAFixedVersionAndWritePermissionsAreLimited() throws {
        let text = GitHubTemplate.text(try #require(RepositoryPath("campaigns")))
        let actions = text.matches(of: /uses: (\S+)/).map { String($0.1) }
        #expect(actions.count == 5)
        for action in actions {
            #expect(action.contains(/@v\d+\.\d+\.\d+$/), "\(action)")
        }
        let granted = text.matches(of: /([a-z-]+): write/).map { String($0.1) }
        #expect(granted == ["security-events", "pull-requests"])
    }

    /// The job that writes to the pull request does not run anything from it.
    @Test("The job that can comment does not check out any code")
    func jobThatCanCommentDoesNotCheckOutAnyCode() throws {
        let text = GitHubTemplate.text(try #require(RepositoryPath("campaigns")))
        let job = try #require(text.split(separator: "\n  comment:\n").last)
        #expect(job.contains("pull-requests: write"))
        #expect(!job.contains("checkout"))
        #expect(!job.contains("run: "))
        #expect(job.contains("head.repo.full_name == github.repository"))
    }

    /// Reviewers must be able to see a change that has an error.
    @Test("An error fails the check but is still shown")
    func errorFailsTheCheckButIsStillShown() throws {
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
        #expect(
            check.entry("outputs", "preview")?.text == "${{ steps.upload.outputs.artifact-id }}")
        #expect(comment.entry("if")?.text?.contains("needs.check.outputs.preview") == true)
    }

    private func jobs(_ text: String) throws -> YAMLNode {
        try #require(YAMLParser.parse(Array(text.utf8)).root)
    }

    @Test("The workflow's path patterns match only the campaign folder")
    func workflowsPathPatternsMatchOnlyTheCampaignFolder() throws {
        let top = try #require(RepositoryPath(""))
        #expect((top.text, top.glob) == (".", "**"))
        let path = try #require(RepositoryPath("a.b/c"))
        #expect(path.pattern == #"^a\.b/c/"#)
        #expect(path.glob == "a.b/c/**")
    }
}

extension YAMLNode {
    fileprivate func entry(_ path: String...) -> YAMLNode? {
        path.reduce(self as YAMLNode?) { node, key in
            node?.entries?.first { $0.key == key }?.value
        }
    }

    fileprivate var entries: [(key: String?, value: YAMLNode)]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.map { ($0.key.text, $0.value) }
    }

    fileprivate var keys: [String]? { entries?.compactMap(\.key) }

    fileprivate var text: String? {
        if case .scalar(let scalar) = content { scalar.text } else { nil }
    }

    fileprivate var items: [YAMLNode]? {
        if case .sequence(let items) = content { items } else { nil }
    }
}
