import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that findings show only lines from hubsend's own files.
@Suite(.bounded) struct ForeignFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "Lines of other tools' files are not shown",
        arguments: [
            "DB_PASSWORD=horse\n", "db.example:5432:shop:alice:horse\n",
            "{\"password\": \"horse\"}\n",
            "apiVersion: v1\nkind: Secret\ndata: { x: horse }\n", "audience: app\nclient: horse\n",
            "- campaign: horse\n", "horse: [\n", "\"horse\n", "# horse\n", "a: horse\n\tb: horse\n",
            "machine x login y\n  password horse\ncampaigns: \"\n",
        ])
    func linesOfOtherToolsFilesAreNotShown(_ text: String) throws {
        let path = try folder.write(text, to: "x.yaml", mode: 0o600)
        let found = [
            try CampaignFile.read(path).diagnostics,
            try ConfigFile.read(path, isNamed: true).diagnostics,
            try FaultsFile.read(path).diagnostics, try DevicesFile.read(path).diagnostics,
            CampaignFile.read(standardInput: Array(text.utf8)).diagnostics,
        ]
        for diagnostics in found {
            let output = TextDiagnosticRenderer().render(diagnostics)
            #expect(output.contains(":1: error:") || output.contains(" error: "))
            #expect(!output.contains(" | "), "\(output)")
        }
    }

    @Test(
        "Lines of a campaign are shown even if it is not valid YAML",
        arguments: [
            "campaign: Bad Name\n", "kind: secure\nplatforms: [x]\n",
            "{\"campaign\": \"Bad Name\"}\n",
            "campaign: x\nkind: [\n", "# c\nkind: \"x\npayload:\n", "campaign:\n",
        ])
    func linesOfACampaignAreShownEvenIfItIsNotValidYAML(_ text: String) throws {
        let loaded = try folder.load(text)
        #expect(TextDiagnosticRenderer().render(loaded.diagnostics).contains(" | "))
    }

    @Test("Lines of config and faults files are shown if their keys are known")
    func linesOfConfigAndFaultsFilesAreShownIfTheirKeysAreKnown() throws {
        let config = try folder.write("stoer: x\nstore: y\n", to: "hubsend.yaml")
        let faults = try folder.write("faults: [{ statsu: 1 }]\n", to: "faults.yaml")
        let renderer = TextDiagnosticRenderer()
        #expect(
            try renderer.render(ConfigFile.read(config, isNamed: true).diagnostics)
                .contains(" | stoer: x"))
        #expect(try renderer.render(FaultsFile.read(faults).diagnostics).contains(" | faults:"))
        let flag = FaultsFile.read(text: "statsu: 1", from: "--fault")
        #expect(renderer.render(flag.diagnostics).contains(" | "))
    }
}
