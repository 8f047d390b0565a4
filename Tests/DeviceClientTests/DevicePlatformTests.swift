import DeviceClient
import TestSupport
import Testing

@Suite(.bounded) struct DevicePlatformTests {
    @Test func theNamesAreThoseOfTheProtocol() {
        #expect(
            DevicePlatform.allCases.map(\.rawValue) == ["apns", "fcm", "wns", "adm", "browser"])
    }
}
