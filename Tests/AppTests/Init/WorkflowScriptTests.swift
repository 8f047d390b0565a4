import CampaignFormat
import Foundation
import TestSupport
import Testing

/// Runs the scripts of `init --ci` in a real bash, on a real clone of a change.
@Suite(
    .bounded,
    .enabled(if: InstalledTool.areThere("bash", "git", "node")))
struct WorkflowScriptTests {
    private let workspace: Workspace
    /// The runner's programs: substitutes that need no network and, once it is installed, hubsend.
    private let programs: String

    init() throws {
        workspace = try Workspace()
        programs = workspace.file("bin")
        let stubs = [
            "sudo": "exec \"$@\"", "apt-get": "exit 0",
            // Called as `curl -fsSL URL -o FILE`. Copies a small script, because hashing a large
            // program takes a long time.
            "curl": "cp \"\(programs)/program\" \"$4\"",
            "program": "exec \"\(Binary.path)\" \"$@\"",
        ]
        for (name, text) in stubs {
            try workspace.write("#!/bin/sh\n\(text)\n", to: "bin/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: programs + "/" + name)
        }
    }

    // MARK: A change

    private static func campaign(_ name: String, message: String = "Hello") -> String {
        """
        campaign: \(name)
        kind: alert
        platforms: [apns]
        audience: { files: [people/\(name).txt] }  # not people/shared.txt
        payload: { message: "\(message)" }

        """
    }

    private func run(
        _ script: String, in folder: String, environment: [String: String] = [:]
    ) async throws -> ChildProcess.Result {
        let own = [
            "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "HOME": workspace.path,
            "CI": "true",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
        ]
        return try await Binary.start(
            ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], of: "/bin/bash",
            in: workspace, from: folder, environment: own.merging(environment) { $1 }
        ).result()
    }

    private func succeed(_ script: String, in folder: String) async throws -> String {
        let result = try await run(script, in: folder)
        try #require(result.status == 0, "\(script): \(result.output)\(result.complaints)")
        return result.output
    }

    /// A repository with the unedited files of `init` and three campaigns.
    private func repository(for service: String) async throws {
        try workspace.write("", to: "repo/.keep")
        _ = try await succeed(
            """
            git init -q -b main .
            "\(Binary.path)" init push --ci \(service) -q
            rm push/welcome.yaml push/statement.yaml push/maintenance.yaml
            """, in: "repo")
        for name in ["one", "two", "three"] {
            try workspace.write(Self.campaign(name), to: "repo/push/\(name).yaml")
            try workspace.write("alice\n", to: "repo/push/people/\(name).txt")
        }
    }

    /// Fills in the program's address, as the file requests.
    private func fillIn(_ path: String) async throws {
        let sum = try await succeed("sha256sum < '\(programs)/program'", in: ".").prefix(64)
        try workspace.write(
            workspace.text("repo/" + path)
                .replacing("https://www.example.com/hubsend", with: "https://our.example/hubsend")
                .replacing(String(repeating: "0", count: 64), with: sum), to: "repo/" + path)
    }

    /// Commits the files, then a change, and clones the merge of both as a runner does.
    private func clone(_ change: () throws -> Void) async throws {
        _ = try await succeed(
            "git add -A && git commit -qm base --allow-empty && git checkout -qB change", in: "repo"
        )
        try change()
        _ = try await succeed(
            """
            git add -A && git commit -qm change --allow-empty && git checkout -q main
            git merge -q --no-ff -m merge change
            rm -rf ../clone ../runner && git clone -q --depth 2 "file://$PWD" ../clone
            chmod -R go-w ../clone
            """, in: "repo")
    }

    private func workflow(_ path: String) throws -> YAMLNode {
        try #require(YAMLParser.parse(Array(workspace.text("clone/" + path).utf8)).root)
    }

    // MARK: GitHub

    private static let github = ".github/workflows/campaigns.yaml"

    /// Runs the scripts of the check job; returns how each step ended, by name.
    private func check() async throws -> [String: ChildProcess.Result] {
        let workflow = try workflow(Self.github)
        let temporary = workspace.file("runner")
        try workspace.write("", to: "runner/output")
        var environment = [
            "RUNNER_TEMP": temporary, "GITHUB_OUTPUT": temporary + "/output",
            "GITHUB_STEP_SUMMARY": temporary + "/summary", "GITHUB_PATH": temporary + "/path",
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": workspace.file("clone"),
        ]
        for (name, value) in try #require(workflow.entry("env")?.texts) {
            environment[name] = value
        }
        environment["PATH"] = "\(temporary):\(programs):/usr/local/bin:/usr/bin:/bin"
        var results: [String: ChildProcess.Result] = [:]
        for step in try #require(workflow.entry("jobs", "check", "steps")?.items) {
            guard let script = step.entry("run")?.text, let name = step.entry("name")?.text else {
                continue
            }
            let own = (step.entry("env")?.texts ?? [:]).mapValues {
                $0.replacing("${{ runner.temp }}", with: temporary)
            }
            results[name] = try await run(
                script, in: "clone", environment: environment.merging(own) { $1 })
            if name.hasPrefix("Install"), results[name]?.status != 0 { break }
        }
        return results
    }

    /// Runs the comment script against a substitute for GitHub that records the calls.
    ///
    /// - Parameter comment: a comment that already exists.
    private func comment(over comment: String? = nil) async throws -> String {
        let steps = try #require(workflow(Self.github).entry("jobs", "comment", "steps")?.items)
        let script = try #require(steps.last?.entry("with", "script")?.text)
        let there = comment.map { "[{ id: 7, user: { type: 'Bot' }, body: '\($0)' }]" } ?? "[]"
        try workspace.write(
            """
            const context = { repo: { owner: 'o', repo: 'r' }, issue: { number: 1 } }
            const say = what => async call => console.log(what + '\\n' + call.body)
            const issues = { updateComment: say('updated'), createComment: say('created') }
            const github = { rest: { issues }, paginate: async () => \(there) }
            ;(async () => {
            \(script)
            })()
            """, to: "runner/preview/comment.js")
        let output = try workspace.text("runner/output")
        let changed = try #require(output.firstMatch(of: /changed=(\d+)/)?.1)
        let result = try await run(
            "node comment.js", in: "runner/preview", environment: ["CHANGED": String(changed)])
        #expect(result.status == 0, "\(result.complaints)")
        return result.output
    }

    private static func names(in text: String) -> [String] {
        text.matches(of: /(?m)^### Campaign `(.*?)`/).map { String($0.1) }
    }

    @Test("The comment on a pull request shows only the campaign that changed")
    func commentOnAPullRequestShowsOnlyTheCampaignThatChanged() async throws {
        try await repository(for: "github")
        try await fillIn(Self.github)
        try await clone {
            try workspace.write(Self.campaign("two", message: "Bye"), to: "repo/push/two.yaml")
            try workspace.write("none of ours", to: "repo/README.md")
        }
        let steps = try await check()
        #expect(steps.count == 4)
        for (name, step) in steps { #expect(step.status == 0, "\(name): \(step)") }
        let comment = try await comment()
        #expect(comment.hasPrefix("created\n<!-- hubsend preview -->\n"))
        #expect(Self.names(in: comment) == ["two"])
        #expect(comment.contains("Bye") && !comment.contains(workspace.path))
        #expect(try workspace.text("runner/summary").contains("### Campaign `two`"))
        #expect(try await self.comment(over: "<!-- hubsend preview -->").hasPrefix("updated\n"))
    }

    @Test("A campaign is shown if its people or config changed, and deletions are listed")
    func campaignIsShownIfItsPeopleOrConfigChangedAndDeletionsAre() async throws {
        try await repository(for: "github")
        try await fillIn(Self.github)
        try await clone {
            try workspace.write("alice\nbob\n", to: "repo/push/people/one.txt")
            try workspace.write("carol\n", to: "repo/push/people/shared.txt")
            try FileManager.default.removeItem(atPath: workspace.file("repo/push/three.yaml"))
        }
        #expect(try await check()["Preview"]?.status == 0)
        let comment = try await comment()
        #expect(Self.names(in: comment) == ["one"])
        #expect(comment.contains("\nDeleted:\n\n- `push/three.yaml`\n"))

        try await clone {
            let config = try workspace.text("repo/push/hubsend.yaml")
            try workspace.write(
                config + "limits: { recipients: 10 }\n", to: "repo/push/hubsend.yaml")
        }
        #expect(try await check()["Preview"]?.status == 0)
        #expect(try await Self.names(in: self.comment()) == ["one", "two"])

        try await clone { try workspace.write("a", to: "repo/README.md") }
        #expect(try await check()["Preview"]?.status == 0)
        #expect(try await self.comment().isEmpty)
        #expect(
            try await self.comment(over: "<!-- hubsend preview -->").contains(
                "No campaign has changed."))
    }

    @Test("A comment that would be too long leaves out whole campaigns and says so")
    func commentThatWouldBeTooLongLeavesOutWholeCampaignsAndSaysSo() async throws {
        try await repository(for: "github")
        try await fillIn(Self.github)
        let names = (1...40).map { "c-\($0)" }
        try await clone {
            for name in names {
                try workspace.write("alice\n", to: "repo/push/people/\(name).txt")
                try workspace.write(
                    Self.campaign(name, message: String(repeating: "x", count: 900)),
                    to: "repo/push/\(name).yaml")
            }
        }
        let preview = try #require(try await check()["Preview"])
        #expect(preview.status == 0, "\(preview.complaints)")
        let comment = try await comment()
        #expect(comment.utf8.count < 65_536)
        let shown = Self.names(in: comment)
        #expect(shown.count > 1 && shown.count < names.count)
        #expect(comment.contains("\n\(names.count - shown.count) more have changed; "))
        let fences = comment.matches(of: /(?m)^```+/)
        #expect(fences.count.isMultiple(of: 2))
        #expect(
            comment.matches(of: /<details>/).count == comment.matches(of: /<\/details>/).count)
        let all = try Self.names(in: workspace.text("runner/preview/preview-all.md"))
        #expect(Set(all) == Set(names))
    }

    @Test("A campaign with an error fails the check, and the comment shows it")
    func campaignWithAnErrorFailsTheCheckAndTheCommentShowsIt() async throws {
        try await repository(for: "github")
        try await fillIn(Self.github)
        try await clone {
            try workspace.write(
                Self.campaign("two").replacing("alert", with: "alarm"), to: "repo/push/two.yaml")
        }
        let steps = try await check()
        #expect(steps["Validate"]?.status == 1)
        #expect(steps["Validate"]?.output.contains("file=push/two.yaml,") == true)
        #expect(steps["Findings as SARIF"]?.status == 0)
        #expect(steps["Preview"]?.status == 0)
        #expect(try await comment().contains("### `push/two.yaml` has errors"))
    }

    @Test(
        "A workflow that nobody has filled in fails with a message",
        arguments: ["github", "gitlab"])
    func workflowThatNobodyHasFilledInFailsWithAMessage(service: String) async throws {
        try await repository(for: service)
        try await clone {}
        let step =
            service == "github"
            ? try #require(try await check()["Install hubsend"])
            : try await job("validate-campaigns")
        #expect(step.status == 1)
        #expect(step.complaints.hasPrefix("Fill in PROGRAM_URL and PROGRAM_SHA256 "))
    }

    // MARK: GitLab

    private static let gitlab = ".gitlab-ci.yml"

    /// Runs a job as GitLab does: line by line, in one shell.
    private func job(_ name: String, base: String = "") async throws -> ChildProcess.Result {
        let pipeline = try workflow(Self.gitlab)
        let shared = try #require(pipeline.entry(".campaigns"))
        let job = try #require(pipeline.entry(name))
        let lines =
            try #require(shared.entry("before_script")?.items).map { try #require($0.text) }
            + #require(job.entry("script")?.items).map { try #require($0.text) }
        var variables = ["CI_MERGE_REQUEST_DIFF_BASE_SHA": base]
        for node in [shared, job] {
            variables.merge(node.entry("variables")?.texts ?? [:]) { $1 }
        }
        let script = lines.joined(separator: "\n").replacing("/usr/local/bin", with: programs)
        return try await run(script, in: "clone", environment: variables)
    }

    @Test("A failed GitLab job has failures in its report, but a passed job has none")
    func failedGitLabJobHasFailuresInItsReportButAPassedJobHasNone() async throws {
        try await repository(for: "gitlab")
        try await fillIn(Self.gitlab)
        let warning = Self.campaign("two").replacing("[apns]", with: "[gcm]")
        for (text, isRed) in [
            (Self.campaign("two"), false), (warning, true), ("campaign: [", true),
        ] {
            try await clone { try workspace.write(text, to: "repo/push/two.yaml") }
            let job = try await job("validate-campaigns")
            #expect(job.status == (isRed ? 1 : 0), "\(job)")
            let report = try workspace.text("clone/findings.xml")
            #expect(report.contains("<failure") == isRed)
            #expect(report.contains("file=\"push/two.yaml\""))
            #expect(try workspace.text("clone/findings.sarif").contains("\"results\""))
        }
        // The folder to check is missing.
        try await clone { try FileManager.default.removeItem(atPath: workspace.file("repo/push")) }
        let job = try await job("validate-campaigns")
        #expect(job.status == 2)
        #expect(try workspace.text("clone/findings.xml").contains("<failure"))
    }

    @Test("The page for a GitLab merge request shows the campaign that changed")
    func pageForAGitLabMergeRequestShowsTheCampaignThatChanged() async throws {
        try await repository(for: "gitlab")
        try await fillIn(Self.gitlab)
        try await clone {
            try workspace.write(Self.campaign("two", message: "Bye"), to: "repo/push/two.yaml")
        }
        let job = try await job("preview-campaigns", base: "HEAD^1")
        #expect(job.status == 0, "\(job)")
        #expect(try Self.names(in: workspace.text("clone/preview.md")) == ["two"])
        let page = try workspace.text("clone/preview.html")
        #expect(page.contains("Bye") && !page.contains(">three<"))
    }
}

extension YAMLNode {
    fileprivate func entry(_ path: String...) -> YAMLNode? {
        path.reduce(self as YAMLNode?) { node, key in
            guard case .mapping(let entries)? = node?.content else { return nil }
            return entries.first { $0.key.text == key }?.value
        }
    }

    fileprivate var texts: [String: String]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.reduce(into: [:]) { texts, entry in
            if let key = entry.key.text { texts[key] = entry.value.text }
        }
    }

    fileprivate var text: String? {
        if case .scalar(let scalar) = content { scalar.text } else { nil }
    }

    fileprivate var items: [YAMLNode]? {
        if case .sequence(let items) = content { items } else { nil }
    }
}
