import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct NotificationLogTests {
    private func record(_ number: Int, bytes: Int = 2) throws -> NotificationRecord {
        let send = try SendRequest(
            ["servicebusnotification-format": "browser"],
            payload: Array(repeating: 1, count: bytes),
            to: .everyone)
        return NotificationRecord(
            id: "\(number)", send: send, enqueued: HubUnderTest.now, sent: HubUnderTest.now,
            wasScheduled: false)
    }

    @Test("The notification log keeps the newest entries")
    func notificationLogKeepsTheNewestEntries() throws {
        var limits = LocalHubLimits()
        limits.notifications = 5
        var log = NotificationLog(limits: limits)
        for number in 0..<1_000 {
            log.add(try record(number))
            #expect(log["\(number)"] != nil)
            #expect(log["\(number - 5)"] == nil)
        }
        #expect(log.all.map(\.id) == ["995", "996", "997", "998", "999"])
    }

    @Test("The notification log is limited by size") func notificationLogIsLimitedBySize() throws {
        var limits = LocalHubLimits()
        limits.notificationBytes = 10_000
        var log = NotificationLog(limits: limits)
        for number in 0..<100 { log.add(try record(number, bytes: 3_000)) }
        #expect(log.all.map(\.id) == ["97", "98", "99"])
        log.add(try record(100, bytes: 9_000))
        #expect(log.all.map(\.id) == ["100"])
        // An entry larger than the whole log is dropped immediately.
        log.add(try record(101, bytes: 20_000))
        #expect(log.all.isEmpty)
        log.add(try record(102))
        #expect(log.all.map(\.id) == ["102"])
    }
}
