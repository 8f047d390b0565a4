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

    @Test func patternsMatchTheFolderAndNothingElse() throws {
        let top = try #require(RepositoryPath(""))
        #expect((top.text, top.glob) == (".", "**"))
        let path = try #require(RepositoryPath("a.b/c"))
        #expect(path.pattern == #"^a\.b/c/"#)
        #expect(path.glob == "a.b/c/**")
    }
}
