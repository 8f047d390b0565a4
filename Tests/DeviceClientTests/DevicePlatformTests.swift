import DeviceClient
import Testing

/// The names by which a backend knows the push services.
struct DevicePlatformTests {
    @Test func theNamesAreThoseOfTheProtocol() {
        #expect(DevicePlatform.allCases.map(\.rawValue) == ["apns", "fcm", "wns"])
    }
}
