import DeviceClient
import TestSupport
import Testing

@Suite(.bounded) struct DevicePlatformTests {
    @Test("Platforms have the names that the protocol uses")
    func platformsHaveTheNamesThatTheProtocolUses() {
        #expect(
            DevicePlatform.allCases.map(\.rawValue) == ["apns", "fcm", "wns", "adm", "browser"])
    }
}
