import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct NativeNotificationTests {
    @Test("On the wire, formats have the names that the hub uses")
    func onTheWireFormatsHaveTheNamesThatTheHubUses() {
        #expect(
            NotificationFormat.allCases.map(\.rawValue) == [
                "apple", "fcmv1", "windows", "gcm", "adm", "baidu", "browser", "xiaomi",
                "windowsphone",
            ])
    }

    @Test("A body has between 1 byte and 64 KB") func bodyHasBetween1ByteAnd64KB() throws {
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

    @Test(
        "Only push service options are accepted as headers",
        arguments: [
            "Authorization", "ServiceBusNotification-Tags", "ServiceBusNotification-DeviceHandle",
            "Host", "Content-Length", "Transfer-Encoding", "TrackingId", "apns-a b", "X-a:b",
            "x-a\r\nb", "",
        ])
    func onlyPushServiceOptionsAreAcceptedAsHeaders(name: String) {
        #expect(throws: NotificationError.headerNotAllowed) {
            try NativeNotification(format: .apple, body: [32], headers: [name: "1"])
        }
    }

    @Test(
        "A header's value consists of printable ASCII",
        arguments: ["", "a\r\nTags: x", "ä", " a", String(repeating: "v", count: 1_025)])
    func headersValueConsistsOfPrintableASCII(value: String) {
        #expect(throws: NotificationError.invalidHeaderValue("X-WNS-Type")) {
            try NativeNotification(format: .windows, body: [32], headers: ["X-WNS-Type": value])
        }
    }
}
