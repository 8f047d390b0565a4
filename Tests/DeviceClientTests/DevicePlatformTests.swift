import DeviceClient
import TestSupport
import Testing

@Suite(.bounded) struct DevicePlatformTests {
    @Test("Platforms have the names of the protocol") func platformsHaveTheNamesOfTheProtocol() {
        #expect(
            DevicePlatform.allCases.map(\.rawValue) == ["apns", "fcm", "wns", "adm", "browser"])
    }
}
