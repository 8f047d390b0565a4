import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct DevicesFileTests {
    @Test("Devices are read in order") func devicesAreReadInOrder() throws {
        let loaded = try DevicesFile.read(Fixtures.path("devices/good.yaml"))
        #expect(
            loaded.devices == [
                Device(user: try Username("alice"), platform: .apns, handle: "abcd"),
                Device(user: try Username("bob"), platform: .fcm, handle: nil),
            ])
    }

    @Test("Amazon devices and browsers can be listed")
    func amazonDevicesAndBrowsersCanBeListed() throws {
        let folder = try TemporaryFolder()
        let subscription =
            #"{"endpoint":"https://push.example/1","keys":{"p256dh":"BK","auth":"S"}}"#
        let text = """
            devices:
              - { user: alice, platform: adm }
              - { user: alice, platform: browser, handle: "https://push.example/1" }
              - user: bob
                platform: browser
                handle: '\(subscription)'

            """
        let loaded = try DevicesFile.read(folder.write(text, to: "devices.yaml"))
        #expect(
            loaded.devices == [
                Device(user: try Username("alice"), platform: .adm, handle: nil),
                Device(
                    user: try Username("alice"), platform: .browser,
                    handle: "https://push.example/1"),
                Device(user: try Username("bob"), platform: .browser, handle: subscription),
            ])
    }

    @Test("An empty list contains no devices") func emptyListContainsNoDevices() throws {
        let folder = try TemporaryFolder()
        let loaded = try DevicesFile.read(folder.write("devices: []\n", to: "devices.yaml"))
        #expect(loaded.devices == [])
        #expect(loaded.diagnostics.isEmpty)
    }

    @Test("A handle never appears in a finding") func handleNeverAppearsInAFinding() throws {
        let folder = try TemporaryFolder()
        let text = "devices: [{ user: alice, platform: fcm, handle: hunter2, x: hunter2 }]\n"
        let loaded = try DevicesFile.read(folder.write(text, to: "devices.yaml"))
        #expect(loaded.diagnostics.map(\.rule) == ["unknown-key"])
        #expect(!TextDiagnosticRenderer().render(loaded.diagnostics).contains("hunter2"))
    }
}
