import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// What a devices file becomes.
@Suite(.bounded) struct DevicesFileTests {
    @Test func devicesAreReadInOrder() throws {
        let loaded = try DevicesFile.read(Fixtures.path("devices/good.yaml"))
        #expect(
            loaded.devices == [
                Device(user: try Username("alice"), platform: .apns, handle: "abcd"),
                Device(user: try Username("bob"), platform: .fcm, handle: nil),
            ])
    }

    @Test func anEmptyListHasNoDevices() throws {
        let folder = try TemporaryFolder()
        let loaded = try DevicesFile.read(folder.write("devices: []\n", to: "devices.yaml"))
        #expect(loaded.devices == [])
        #expect(loaded.diagnostics.isEmpty)
    }

    @Test func aHandleIsInNoDiagnostic() throws {
        let folder = try TemporaryFolder()
        let text = "devices: [{ user: alice, platform: fcm, handle: hunter2, x: hunter2 }]\n"
        let loaded = try DevicesFile.read(folder.write(text, to: "devices.yaml"))
        #expect(loaded.diagnostics.map(\.rule) == ["unknown-key"])
        #expect(!TextDiagnosticRenderer().render(loaded.diagnostics).contains("hunter2"))
    }
}
