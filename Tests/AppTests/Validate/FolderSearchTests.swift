import Foundation
import TestSupport
import Testing

/// Tests that `hubsend validate` checks the campaigns in a folder, and ignores the YAML files of
/// other tools.
@Suite(.bounded) struct FolderSearchTests {
    private static let others = [
        "compose.yaml": "services:\n  web: { image: nginx, ports: [\"80:80\"] }\n",
        "ci/workflow.yml": "name: CI\non: [push]\njobs: { test: { runs-on: ubuntu-latest } }\n",
        "deploy/secret.yaml": "apiVersion: v1\nkind: Secret\n---\napiVersion: v1\nkind: Pod\n",
        "faults.yaml": "faults: [{ status: 500 }]\n",
        "mkdocs.yml": "site_name: x\nplugins:\n  - x: !!python/name:a.b\n",
    ]
    private static let skipped = """
        ci/workflow.yml: skipped; it is not a hubsend file.
        compose.yaml: skipped; it is not a hubsend file.
        deploy/secret.yaml: skipped; it is not a hubsend file.
        devices.yaml: skipped; it is a devices file.
        faults.yaml: skipped; it is a faults file.
        mkdocs.yml: skipped; it is not a hubsend file.

        """
    private static let exports = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=sb://contoso.servicebus.windows.net/;SharedAccessKeyName=r;SharedAccessKey=a2V5",
        "HUBSEND_HUB_NAME": "news",
    ]

    @Test("The kind of a file does not depend on the environment", arguments: [[:], exports])
    func kindOfAFileDoesNotDependOnTheEnvironment(environment: [String: String]) async throws {
        let workspace = try Workspace(
            Self.others.merging(["notice.yaml": Campaigns.secure()]) { $1 })
        let result = try await Binary.run(
            ["validate", "--verbose"], in: workspace, environment: environment, status: 0)
        #expect(result.output.isEmpty, "\(result.output)")
        #expect(result.complaints == Self.skipped)
        let silent = try await Binary.run(
            ["validate"], in: workspace, environment: environment, status: 0)
        #expect((silent.output + silent.complaints).isEmpty)
    }

    @Test("A file is found once, regardless of the case of its extension")
    func fileIsFoundOnceRegardlessOfTheCaseOfItsExtension() async throws {
        let workspace = try Workspace([
            "NOTICE.YAML": Campaigns.secure(), "broken.Yml": "campaign: [\n",
        ])
        let result = try await Binary.run(
            ["validate", ".", "./NOTICE.YAML", workspace.path + "/./NOTICE.YAML"], in: workspace,
            status: 1)
        #expect(result.output.contains("broken.Yml:"), "\(result.output)")
        #expect(result.complaints.hasPrefix("2 campaign files checked: 1 error"))
        #expect(!result.output.contains("duplicate-name"), "\(result.output)")
    }

    @Test("The config's devices file is never a campaign")
    func configsDevicesFileIsNeverACampaign() async throws {
        let workspace = try Workspace([
            "devices.yaml": "campaign: x\n", "notice.yaml": Campaigns.secure(),
        ])
        for environment in [[:], Self.exports] {
            let result = try await Binary.run(
                ["validate", "--verbose"], in: workspace, environment: environment, status: 0)
            #expect(result.complaints == "devices.yaml: skipped; it is a devices file.\n")
        }
    }

    @Test("A broken campaign is reported, and skipped files are counted")
    func brokenCampaignIsReportedAndSkippedFilesAreCounted() async throws {
        let workspace = try Workspace([
            "slip.yaml": "campain: x\nkind: secure\n", "broken.yaml": "campaign: x\nkind: [\n",
            "compose.yaml": "services: {}\n",
        ])
        let result = try await Binary.run(["validate"], in: workspace, status: 1)
        #expect(result.output.contains("slip.yaml:1:1: error: There is no key \"campain\"."))
        #expect(result.output.contains("broken.yaml:"))
        #expect(!result.output.contains("compose.yaml"))
        #expect(result.complaints.hasPrefix("2 campaign files checked: "))
        #expect(result.complaints.hasSuffix("; 2 files skipped: not campaigns.\n"))
    }

    @Test("A search that finds no campaigns causes an error")
    func searchThatFindsNoCampaignsCausesAnError() async throws {
        let workspace = try Workspace(["empty/keep.txt": ""])
        let result = try await Binary.run(["validate"], in: workspace, status: 2)
        #expect(result.output.isEmpty)
        #expect(
            result.complaints == """
                hubsend: There is no campaign file in the current folder. Campaign files end in .yaml or .yml and \
                have the key "campaign"; 1 file skipped: not a campaign (--verbose lists them).

                """)
        let empty = try await Binary.run(["validate", "empty"], in: workspace, status: 2)
        #expect(
            empty.complaints == """
                hubsend: There is no campaign file in empty. Campaign files end in .yaml or .yml and have the key \
                "campaign".

                """)
    }

    @Test("A missing file is reported and does not hide findings")
    func missingFileIsReportedAndDoesNotHideFindings() async throws {
        let workspace = try Workspace(["bad.yaml": "campaign: Bad Name\n"])
        let result = try await Binary.run(
            ["validate", "bad.yaml", "../nope", "campaigns/*.yml"], in: workspace, status: 2)
        #expect(result.output.contains("bad.yaml:1:11: error:"))
        let lines = result.complaints.split(separator: "\n")
        #expect(lines.first?.hasSuffix("; 2 could not be read.") == true, "\(lines)")
        #expect(
            lines.dropFirst() == [
                #"hubsend: There is no file "../nope"; check the path."#,
                #"hubsend: There is no file "campaigns/*.yml": no name matches the pattern; check the pattern, or list the files."#,
            ])
    }

    @Test(
        "The summary does not count files that were not checked",
        arguments: [
            (
                ["a/notice.yaml", "nope"],
                "1 campaign file checked: no findings; 1 could not be read."
            ),
            (["a"], "1 campaign file checked: no findings; 1 file skipped: not a campaign."),
            (["hubsend.yaml"], "The config was checked: no findings."),
        ])
    func summaryDoesNotCountFilesThatWereNotChecked(
        files: [String], sentence: String
    ) async throws {
        let workspace = try Workspace(["a/notice.yaml": Campaigns.secure(), "a/x.yaml": "x: y\n"])
        try await Binary.run(
            ["validate"] + files, onATerminalShowing: [sentence], in: workspace,
            status: files.contains("nope") ? 2 : 0)
    }

    @Test(
        "The config and its devices can be given along with the campaigns",
        arguments: [[:], exports])
    func configAndItsDevicesCanBeGivenAlongWithTheCampaigns(
        environment: [String: String]
    ) async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        // The files to which a shell expands `*.yaml`.
        let all = try await Binary.run(
            ["validate", "devices.yaml", "hubsend.yaml", "notice.yaml"], in: workspace,
            environment: environment, status: 0)
        #expect((all.output + all.complaints).isEmpty, "\(all.output)\(all.complaints)")
        let alone = try await Binary.run(
            ["validate", "devices.yaml"], in: workspace, environment: environment, status: 2)
        #expect(
            alone.complaints == "hubsend: \"devices.yaml\" is a devices file, not a campaign.\n")
    }

    @Test("A file given by name is always checked") func fileGivenByNameIsAlwaysChecked()
        async throws
    {
        let workspace = try Workspace([
            "compose.yaml": "services: {}\n", "others.yaml": "devices: []\n",
        ])
        let other = try await Binary.run(["validate", "compose.yaml"], in: workspace, status: 1)
        #expect(other.output.contains("compose.yaml:1:1: error:"))
        for command in ["validate", "preview", "run"] {
            let devices = try await Binary.run([command, "others.yaml"], in: workspace, status: 1)
            let said = devices.output + devices.complaints
            #expect(
                said.contains("others.yaml:1:1: error: This is a devices file, not a campaign."),
                "\(said)")
        }
    }
}
