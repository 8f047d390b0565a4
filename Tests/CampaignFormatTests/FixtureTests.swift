import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct FixtureTests {
    @Test(
        "Every error in a campaign is explained with its position",
        arguments: try Fixtures.names(in: "campaigns"))
    func everyErrorInACampaignIsExplainedWithItsPosition(_ name: String) throws {
        let loaded = try CampaignFile.read(Fixtures.path("campaigns/\(name).yaml"))
        let all = (loaded.diagnostics + loaded.checkAudienceFiles()).sorted()
        try Fixtures.expect(TextDiagnosticRenderer().render(all), is: "campaigns/\(name).txt")
        #expect((loaded.campaign == nil) == loaded.diagnostics.hasErrors)
    }

    @Test(
        "Every error in a config is explained with its position",
        arguments: try Fixtures.names(in: "config"))
    func everyErrorInAConfigIsExplainedWithItsPosition(_ name: String) throws {
        let folder = try TemporaryFolder()
        let text = try Fixtures.text("config/\(name).yaml")
        let path = try folder.write(text, to: "hubsend.yaml", mode: 0o600)
        let loaded = try ConfigFile.read(path, isNamed: false)
        let output = TextDiagnosticRenderer().render(loaded.diagnostics)
        try Fixtures.expect(
            output.replacing(folder.path + "/", with: ""), is: "config/\(name).txt")
        #expect((loaded.config == nil) == loaded.diagnostics.hasErrors)
        #expect(!output.contains("c2VjcmV0"))
    }

    @Test(
        "Every error in a devices file is explained with its position",
        arguments: try Fixtures.names(in: "devices"))
    func everyErrorInADevicesFileIsExplainedWithItsPosition(_ name: String) throws {
        let loaded = try DevicesFile.read(Fixtures.path("devices/\(name).yaml"))
        try Fixtures.expect(
            TextDiagnosticRenderer().render(loaded.diagnostics), is: "devices/\(name).txt")
        #expect((loaded.devices == nil) == loaded.diagnostics.hasErrors)
    }

    @Test(
        "Every error in a faults file is explained with its position",
        arguments: try Fixtures.names(in: "faults"))
    func everyErrorInAFaultsFileIsExplainedWithItsPosition(_ name: String) throws {
        let loaded = try FaultsFile.read(Fixtures.path("faults/\(name).yaml"))
        try Fixtures.expect(
            TextDiagnosticRenderer().render(loaded.diagnostics), is: "faults/\(name).txt")
        #expect((loaded.faults == nil) == loaded.diagnostics.hasErrors)
    }
}
