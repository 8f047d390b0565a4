import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct PreviewShownTests {
    private static let greeting = """
        campaign: hello
        kind: alert
        platforms: [apns]
        audience: { files: [people.csv] }
        payload: { message: "Hi {{name|there}}!" }

        """
    private static let files = [
        "hello.yaml": greeting, "people.csv": "username,name\nalice,Ann\nbob,Bert\ncarol,\n",
    ]

    private func preview(
        _ arguments: String..., environment: [String: String] = [:],
        in workspace: Workspace? = nil, status: Int32 = 0
    ) async throws -> ChildProcess.Result {
        try await Binary.run(
            ["preview"] + arguments, in: try workspace ?? Workspace(Self.files),
            environment: environment, status: status)
    }

    @Test("--user shows one person with their values")
    func userShowsOnePersonWithTheirValues() async throws {
        let result = try await preview("hello.yaml")
        #expect(result.output.contains("as alice reads it"), "\(result.output)")
        #expect(result.output.contains("| Hi Ann!"))
        #expect(result.output.contains("as carol reads it, without a value for \"name\""))
        #expect(result.output.contains("| Hi there!"))
        #expect(!result.output.contains("Bert"))
        #expect(
            result.output.contains(
                "1 person (33.3 %) has no \"name\" and will read \"there\" instead"))
    }

    @Test("Skipped rows are counted in every format")
    func skippedRowsAreCountedInEveryFormat() async throws {
        let workspace = try Workspace([
            "hello.yaml": Self.greeting.replacing(
                "[people.csv]", with: "[{ path: people.csv, on_bad_row: skip }]"),
            "people.csv": "username,name\nalice,Ann\nbo b,Bert\nalice,Ann\nd d,Dora\n",
        ])
        let figures = "1 (2 in the list, 1 duplicate; 2 rows skipped)"
        let remark = "2 rows of the audience files have errors and are skipped"
        for format in ["text", "markdown", "html"] {
            let output = try await preview("hello.yaml", "--format", format, in: workspace).output
            #expect(output.contains(figures), "\(output)")
            #expect(output.contains(remark), "\(output)")
        }
        let page = try await preview("hello.yaml", "--format", "html", in: workspace).output
        #expect(page.contains("<b>2</b> rows skipped"))
        #expect(page.contains("<b>1</b> duplicate<"))
        let json = try await preview("hello.yaml", "--format", "json", in: workspace)
        #expect(try json.output.object()["skipped_rows"] as? Int == 2)
    }

    @Test("Variants of the assumed default language are not reported as missing")
    func variantsOfTheAssumedDefaultLanguageAreNotReportedAsMissing() async throws {
        let workspace = try Workspace([
            "hello.yaml": Self.greeting.replacing(
                "[people.csv] }", with: "[people.csv], language_column: lang }"
            ).replacing(#""Hi {{name|there}}!""#, with: "{ default: Hi, de: Hallo }"),
            "people.csv": "username,lang\na,en\nb,en\nc,en-US\nd,nl\ne,de\n",
        ])
        let output = try await preview("hello.yaml", in: workspace).output
        #expect(output.contains("1 person reads Dutch (nl), but"), "\(output)")
        #expect(!output.contains("reads English"), "\(output)")
    }

    @Test("A preview shows the people who were asked for")
    func previewShowsThePeopleWhoWereAskedFor() async throws {
        let result = try await preview("hello.yaml", "--user", "carol", "--user", "bob")
        #expect(result.output.contains("| Hi there!"), "\(result.output)")
        #expect(result.output.contains("| Hi Bert!"))
        #expect(!result.output.contains("Ann"))
        let sample = try await preview("hello.yaml", "--sample", "3")
        for text in ["Hi Ann!", "Hi Bert!", "Hi there!"] {
            #expect(sample.output.contains(text), "\(sample.output)")
        }
    }

    @Test("A build log names nobody by default", arguments: ["text", "json", "markdown", "html"])
    func buildLogNamesNobodyByDefault(format: String) async throws {
        let workspace = try Workspace(Self.files)
        let masked = try await preview(
            "hello.yaml", "--requests", "--format", format, environment: ["CI": "true"],
            in: workspace)
        for word in ["alice", "Ann"] { #expect(!masked.output.contains(word), "\(masked.output)") }
        #expect(masked.output.contains("{{name"))
        #expect(masked.output.contains("username:___"), "\(masked.output)")
    }

    @Test("A build log names people who were asked for")
    func buildLogNamesPeopleWhoWereAskedFor() async throws {
        let asked = try await preview(
            "hello.yaml", "--format", "markdown", "--user", "bob", environment: ["CI": "true"])
        #expect(asked.output.contains("Hi Bert!"), "\(asked.output)")
    }

    @Test("A folder is previewed campaign by campaign")
    func folderIsPreviewedCampaignByCampaign() async throws {
        let workspace = try Workspace([
            "all/hello.yaml": Self.greeting, "all/people.csv": "username,name\nalice,Ann\n",
            "all/deep/notice.yaml": Campaigns.secure(), "all/compose.yaml": "services: {}\n",
        ])
        let text = try await preview("all", in: workspace)
        let order = try #require(text.output.range(of: "Campaign notice"))
        #expect(text.output[order.upperBound...].contains("Campaign hello"))

        let json = try await preview("all", "--format", "json", in: workspace)
        let lines = json.output.split(separator: "\n")
        let names = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return (object as? [String: Any])?["campaign"] as? String
        }
        #expect(names == ["notice", "hello"])
    }

    @Test("A campaign with errors does not hide the others")
    func campaignWithErrorsDoesNotHideTheOthers() async throws {
        let workspace = try Workspace([
            "bad.yaml": "campaign: Bad Name\nkind: alert\n", "good.yaml": Campaigns.secure(),
        ])
        let result = try await preview(
            "bad.yaml", "good.yaml", "--format", "markdown", in: workspace, status: 1)
        #expect(result.output.contains("### `bad.yaml` has errors and will not be sent"))
        #expect(result.output.contains("### Campaign `notice`"))
        #expect(result.complaints.contains("bad.yaml: "))
    }

    @Test("A preview in CI names the hub and does not claim that this is the first send")
    func previewInCINamesTheHubAndDoesNotClaimThatThisIsTheFirstSend() async throws {
        let workspace = try Workspace([
            "repo/.git/HEAD": "", "repo/push/notice.yaml": Campaigns.secure(),
            "repo/push/hubsend.yaml": "hub: { name: my-hub }\n",
            "repo/push/bad.yaml": "campaign: bad\nkind: alarm\n",
        ])
        for file in ["notice.yaml", "bad.yaml"] {
            let result = try await Binary.run(
                ["preview", "--format", "markdown", workspace.file("repo/push/\(file)")],
                in: workspace, environment: ["CI": "true"])
            #expect(!result.output.contains(workspace.path), "\(result.output)")
            #expect(!result.output.contains("first sending"))
            #expect(
                result.output.contains(
                    file == "bad.yaml" ? "### `push/bad.yaml` has errors" : "- **hub**: `my-hub`"))
        }
    }

    @Test("--detailed-exitcode shows whether anything would be sent")
    func detailedExitcodeShowsWhetherAnythingWouldBeSent() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "other.yaml": Campaigns.secure("other"),
        ])
        #expect(try await Binary.run(["run", "other.yaml"], in: workspace).status == 0)
        let before = try await preview(
            "--detailed-exitcode", "notice.yaml", in: workspace, status: 10)
        #expect(
            before.output.contains("! first sending of this campaign to this hub"),
            "\(before.output)")
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        let after = try await preview("--detailed-exitcode", "notice.yaml", in: workspace)
        #expect(!after.output.contains("first sending"), "\(after.output)")
    }

    @Test("People who got two silent pushes in the last hour are counted")
    func peopleWhoGotTwoSilentPushesInTheLastHourAreCounted() async throws {
        let workspace = try Workspace([
            "one.yaml": Campaigns.secure("one"), "two.yaml": Campaigns.secure("two"),
            "three.yaml": Campaigns.secure("three", to: ["alice", "carol"]),
        ])
        try await Binary.run(["run", "one.yaml", "two.yaml"], in: workspace, status: 0)
        let result = try await preview("three.yaml", in: workspace)
        #expect(
            result.output.contains("! 1 of 2 people have had two pushes on apns in the last hour"),
            "\(result.output)")
    }
}
