import DeviceClient
import TestSupport
import Testing

/// The backend's names of the push services.
@Suite(.bounded) struct DevicePlatformTests {
    @Test func theNamesAreThoseOfTheProtocol() {
        #expect(
            DevicePlatform.allCases.map(\.rawValue) == ["apns", "fcm", "wns", "adm", "browser"])
    }
}
