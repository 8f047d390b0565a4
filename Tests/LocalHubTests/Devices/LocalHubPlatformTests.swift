import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct LocalHubPlatformTests {
    @Test(
        "Format names are case-insensitive",
        arguments: [
            ("apple", .apns), ("fcmV1", .fcm), ("FCMV1", .fcm), ("gcm", .gcm), ("Windows", .wns),
            ("windowsphone", .mpns), ("adm", .adm), ("baidu", .baidu), ("browser", .browser),
            ("xiaomi", .xiaomi), ("apns", nil), ("nokiax", nil), ("", nil),
        ] as [(String, LocalHubPlatform?)])
    func formatNamesAreCaseInsensitive(format: String, expected: LocalHubPlatform?) {
        #expect(LocalHubPlatform(format: format) == expected)
    }

    @Test(
        "Platform names of installations are case-insensitive",
        arguments: [
            ("apns", .apns), ("APNS", .apns), ("fcm", .fcm), ("fcmV1", .fcm), ("gcm", .gcm),
            ("wns", .wns), ("mpns", .mpns), ("adm", .adm), ("baidu", .baidu), ("browser", .browser),
            ("xiaomi", .xiaomi), ("apple", nil), ("", nil),
        ] as [(String, LocalHubPlatform?)])
    func platformNamesOfInstallationsAreCaseInsensitive(name: String, expected: LocalHubPlatform?) {
        #expect(LocalHubPlatform(name: name) == expected)
    }
}
