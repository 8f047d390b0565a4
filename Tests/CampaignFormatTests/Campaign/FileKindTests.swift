import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that the kind of a file is determined from its content, and that a broken campaign is
/// still treated as a campaign.
@Suite(.bounded) struct FileKindTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func kind(_ bytes: [UInt8]) throws -> FileKind {
        try CampaignFile.kind(of: folder.write(bytes, to: "x.yaml"))
    }

    @Test(
        "YAML files of other tools are recognised",
        arguments: [
            // Compose files, one of them with a merge key, at which reading stops.
            "services:\n  web: { image: nginx }\nvolumes: {}\n",
            "x-a: &a { image: nginx }\nservices:\n  web: { <<: *a }\n",
            // A workflow.
            "name: CI\non: [push]\njobs:\n  test: { runs-on: ubuntu-latest }\n",
            // Manifests, one with two documents and one that is a template.
            "apiVersion: v1\nkind: Secret\ndata: { x: horse }\n",
            "apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\nmetadata: { name: campaign }\n",
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Values.name }}-x: [\n",
            // mkdocs, with a Python tag.
            "site_name: x\nnav: []\nmarkdown_extensions:\n  - x: !!python/name:a.b\n",
            // snapcraft.
            "name: x\ndescription: An app\nplatforms:\n  amd64:\nparts: {}\n",
            "- hosts: all\n  tasks: []\n", "# Nothing but this.\n", "{}\n", "[]\n", "words\n",
            "~\n",
            "audience: app\nclient: x\n", "payload: { x: y }\n", "labels:\n  campaign: x\n",
            "labels:\n  campaign: x\n\tbroken: [\n",
            // A chart's template, which does not begin with a mapping in braces.
            "{{- if .Values.on }}\nkind: CronJob\nspec:\n  schedule: x\n{{- end }}\n",
        ])
    func yamlFilesOfOtherToolsAreRecognised(text: String) throws {
        #expect(try kind(Array(text.utf8)) == .other)
        let loaded = try CampaignFile.read(folder.file("x.yaml"), searched: folder.path)
        #expect(loaded.kind == .other)
        #expect(loaded.diagnostics.isEmpty)
    }

    @Test(
        "A file that may be a broken campaign is treated as a campaign",
        arguments: [
            "campaign: x\n", "campaign:\n", "campain: x\n", "Campaign: x\n", "campaigns: [x]\n",
            "kind: secure\nplatforms: [apns]\n", "knid: secure\npayloads: {}\n", "- campaign: x\n",
            "{ \"campaign\": \"x\" }\n", "campaign:x\nkind:secure\n",
            "\u{FEFF}campaign: x\nkind: [\n",
            "# x\r\ncampaign: x\r\nkind: [\r\n", "\"campaign\": x\nkind: [\n",
            "{\n  \"campaign\": \"x\",\n  \"kind\": [\n",
            "a: b\n\tc: d\naudience: {}\npayload: {}\n",
            "  campaign: x\n   kind: y\n", "# x\n---\n\tcampaign: x\n",
            "- campaign: x\n   kind: y\n",
            "# x\n{ \"campaign\": \"x\", }}\n", "[ campaign: x, kind: y\n", "campaign = x\n",
            "campaign: x\n---\ncampaign: y\n", "campaign: a\0b\n", "", " \n\t\n",
        ])
    func fileThatMayBeABrokenCampaignIsTreatedAsACampaign(text: String) throws {
        #expect(try kind(Array(text.utf8)) == .campaign)
        let loaded = try CampaignFile.read(folder.file("x.yaml"), searched: folder.path)
        #expect(loaded.diagnostics.hasErrors)
    }

    @Test(
        "A file that is not text is not skipped",
        arguments: [
            [0xFF, 0xFE, 0x63, 0x00, 0x61, 0x00], [0x89, 0x50, 0x4E, 0x47],
            [0x61, 0x3A, 0x20, 0xE9],
        ] as [[UInt8]])
    func fileThatIsNotTextIsNotSkipped(bytes: [UInt8]) throws {
        #expect(try kind(bytes) == .campaign)
    }

    @Test(
        "Config, devices and faults files are recognised",
        arguments: [
            ("devices: [{ user: alice, platform: apns }]\n", FileKind.devices),
            ("devices: [\n", .devices), ("faults: [{ status: 500 }]\n", .faults),
            ("hub: { local: devices.yaml }\n", .config), ("store: x.sqlite\nkind: x\n", .config),
        ])
    func configDevicesAndFaultsFilesAreRecognised(text: String, expected: FileKind) throws {
        #expect(try kind(Array(text.utf8)) == expected)
    }

    private static let plan = """
        {
          "audience" : { "final" : 2, "named" : 2 },
          "campaign" : "spring",
          "campaign_keys" : [ { "key" : "kind", "lines" : [ "1f" ] } ],
          "config_keys" : [],
          "format" : 1,
          "hub" : { "host" : "local", "name" : "hub" },
          "salt" : "00ff"
        }

        """

    @Test("A plan given as a campaign is refused, and the command to send it is shown")
    func planGivenAsACampaignIsRefusedAndTheCommandToSendItIsShown() throws {
        let path = try folder.write(Self.plan, to: "w a.plan")
        let loaded = try CampaignFile.read(path)
        #expect(loaded.kind == .plan)
        #expect(
            loaded.diagnostics.map(\.message.text) == ["This is a plan, not a campaign."])
        #expect(
            loaded.diagnostics.map(\.help?.text)
                == ["To send it: hubsend run CAMPAIGN --plan '\(path)'"])
        #expect(loaded.diagnostics.map(\.rule) == ["not-a-campaign"])
        #expect(try kind(Array(Self.plan.dropLast(3).utf8)) == .plan)
        #expect(try kind(Array("campaign: x\nsalt: y\n".utf8)) == .campaign)
        let given = CampaignFile.read(standardInput: Array(Self.plan.utf8))
        #expect(
            given.diagnostics.map(\.help?.text)
                == ["To send it: hubsend run CAMPAIGN --plan PLAN"])
    }

    @Test("Only a limited number of keys is examined to recognise a file")
    func onlyALimitedNumberOfKeysIsExaminedToRecogniseAFile() throws {
        let keys = (1...2_000).map { "key\($0): x\n" }.joined()
        #expect(try kind(Array((keys + "campaign: x\n").utf8)) == .other)
        #expect(try kind(Array((keys + "campaign: x\nkind: [\n").utf8)) == .other)
        #expect(try kind(Array(("campaign: x\n" + keys + "kind: [\n").utf8)) == .campaign)
    }
}
