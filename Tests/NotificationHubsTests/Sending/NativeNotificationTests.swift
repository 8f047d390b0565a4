import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct NativeNotificationTests {
    @Test func formatsHaveTheirNamesOnTheWire() {
        #expect(
            NotificationFormat.allCases.map(\.rawValue) == [
                "apple", "fcmv1", "windows", "gcm", "adm", "baidu", "browser", "xiaomi",
                "windowsphone",
            ])
    }

    @Test func aBodyHasOneByteTo64Kilobytes() throws {
        #expect(throws: NotificationError.emptyBody) {
            try NativeNotification(format: .apple, body: [])
        }
        #expect(throws: NotificationError.bodyTooLarge) {
            try NativeNotification(format: .apple, body: Array(repeating: 32, count: 65_537))
        }
        let largest = try NativeNotification(
            format: .windows, body: Array(repeating: 32, count: 65_536))
        #expect(largest.contentType == "application/xml")
    }

    @Test(arguments: [
        "Authorization", "ServiceBusNotification-Tags", "ServiceBusNotification-DeviceHandle",
        "Host", "Content-Length", "Transfer-Encoding", "TrackingId", "apns-a b", "X-a:b",
        "x-a\r\nb", "",
    ])
    func onlyOptionsOfPushServicesAreHeaders(name: String) {
        #expect(throws: NotificationError.headerNotAllowed) {
            try NativeNotification(format: .apple, body: [32], headers: [name: "1"])
        }
    }

    @Test(arguments: ["", "a\r\nTags: x", "ä", " a", String(repeating: "v", count: 1_025)])
    func aHeadersValueIsPrintableASCII(value: String) {
        #expect(throws: NotificationError.invalidHeaderValue("X-WNS-Type")) {
            try NativeNotification(format: .windows, body: [32], headers: ["X-WNS-Type": value])
        }
    }
}
