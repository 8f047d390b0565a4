import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct ScheduledSendTests {
    /// A hub with a test clock and a device of alice.
    private func configure(_ clock: TestClock) -> (inout LocalHubConfiguration) -> Void {
        {
            $0.devices = [LocalHubDevice(user: "alice", platform: .apns)]
            $0.now = { clock.now }
            $0.sleep = { try await clock.sleep($0) }
            $0.sleepUntil = { try await clock.sleep(until: $0) }
        }
    }

    @Test("The response to a scheduled send has the recorded format")
    func responseToAScheduledSendHasTheRecordedFormat() async throws {
        try await HubUnderTest.run(configure(TestClock())) { hub in
            let response = try await hub.schedule("2026-01-01T00:00:00")
            #expect(response.status == .created)
            #expect(response.text.isEmpty)
            let location = try #require(response.header("Location"))
            let shape =
                #/http://localhost/hubsend/schedulednotifications/[0-9a-f]{32}_20251231230000_\d+_\d+_QNHQueue[0-9a-f]{32}-S\d+\?api-version=2020-06/#
            #expect(location.wholeMatch(of: shape) != nil, "\(location)")
            #expect(await hub.server.received(by: "alice").isEmpty)
            #expect(hub.server.counts.sends == 0)
            let details = try await hub.telemetry(try #require(response.locationID))
            #expect(details.text.contains("<State>Scheduled</State>"))
            #expect(!details.text.contains("StartTime"))
        }
    }

    @Test("A scheduled send is sent at the scheduled time")
    func scheduledSendIsSentAtTheScheduledTime() async throws {
        let clock = TestClock()
        try await HubUnderTest.run(configure(clock)) { hub in
            let response = try await hub.schedule("2025-12-31T23:10:00Z")
            let id = try #require(response.locationID)
            await clock.waitForSleep(of: .seconds(600))
            #expect(await hub.server.received(by: "alice").isEmpty)
            clock.advance(by: 600)
            // A second send proves that the hub has woken, because it sleeps for this send only
            // after sending the first.
            _ = try await hub.schedule("2025-12-31T23:30:00Z")
            await clock.waitForSleep(of: .seconds(1_200))
            let pushes = await hub.server.received(by: "alice")
            #expect(pushes.map(\.notificationID) == [id])
            #expect(pushes.map(\.time) == [HubUnderTest.now + 600])
            let details = try await hub.telemetry(id)
            #expect(details.text.contains("<State>Completed</State>"))
            #expect(details.text.contains("<EnqueueTime>2025-12-31T23:00:00Z</EnqueueTime>"))
            #expect(details.text.contains("<StartTime>2025-12-31T23:10:00Z</StartTime>"))
            let late = try await hub.request(.delete, "/hubsend/schedulednotifications/\(id)")
            #expect(late.status == .notFound)
        }
    }

    @Test("An earlier send wakes a hub that is waiting for a later send")
    func earlierSendWakesAHubThatIsWaitingForALaterSend() async throws {
        let clock = TestClock()
        try await HubUnderTest.run(configure(clock)) { hub in
            _ = try await hub.schedule("2025-12-31T23:10:00Z")
            await clock.waitForSleep(of: .seconds(600))
            _ = try await hub.schedule("2025-12-31T23:05:00Z")
            await clock.waitForSleep(of: .seconds(300))
            #expect(hub.server.counts.sends == 0)
        }
    }

    @Test("Overdue sends are sent in order") func overdueSendsAreSentInOrder() async throws {
        let clock = TestClock()
        try await HubUnderTest.run(configure(clock)) { hub in
            var ids: [String] = []
            for minute in ["05", "01", "03", "20"] {
                let response = try await hub.schedule("2025-12-31T23:\(minute):00Z")
                ids.append(try #require(response.locationID))
            }
            await clock.waitForSleep(of: .seconds(60))
            clock.advance(by: 600)
            await clock.waitForSleep(of: .seconds(600))
            let pushes = await hub.server.received(by: "alice")
            #expect(pushes.map(\.notificationID) == [ids[1], ids[2], ids[0]])
        }
    }

    @Test("Sends that became due before the hub started are sent immediately")
    func sendsThatBecameDueBeforeTheHubStartedAreSentImmediately() async throws {
        let clock = TestClock()
        var configuration = LocalHubConfiguration()
        configure(clock)(&configuration)
        let hub = try Hub(configuration)
        for (id, wait) in [("late", -60.0), ("later", 60)] {
            let send = try SendRequest(
                ["servicebusnotification-format": "apple"],
                payload: Array(HubUnderTest.silent.utf8), to: .everyone)
            let scheduled = ScheduledSend(
                id: id, enqueued: clock.now - 3_600, due: clock.now + wait, send: send)
            try hub.store.update { state throws(HubFailure) in try state.scheduled.add(scheduled) }
        }
        await withTaskGroup { tasks in
            tasks.addTask { await ScheduledSendService(environment: hub.environment).run() }
            await clock.waitForSleep(of: .seconds(60))
            let (sent, waiting) = hub.store.update { state in
                (state.notifications.all.map(\.id), state.scheduled.all.map(\.id))
            }
            #expect(sent == ["late"])
            #expect(waiting == ["later"])
            tasks.cancelAll()
        }
    }

    @Test("A send whose time is in the past is sent immediately")
    func sendWhoseTimeIsInThePastIsSentImmediately() async throws {
        try await HubUnderTest.run(configure(TestClock())) { hub in
            let response = try await hub.schedule("2025-12-31T22:59:59")
            #expect(response.status == .created)
            #expect(response.header("Location")?.contains("/schedulednotifications/") == true)
            let id = try #require(response.locationID)
            #expect(await hub.server.received(by: "alice").map(\.notificationID) == [id])
        }
    }

    @Test("A cancelled send is never sent") func cancelledSendIsNeverSent() async throws {
        try await HubUnderTest.run(configure(TestClock())) { hub in
            let id = try #require(try await hub.schedule("2026-01-01T00:00:00Z").locationID)
            let path = "/hubsend/ScheduledNotifications/\(id)/"
            let cancelled = try await hub.request(.delete, path)
            #expect(cancelled.status == .ok)
            #expect(cancelled.text.isEmpty)
            let details = try await hub.telemetry(id)
            #expect(details.text.contains("<State>Canceled</State>"))
            let again = try await hub.request(.delete, path)
            #expect(again.status == .notFound)
            let unknown = try await hub.request(.delete, "/hubsend/schedulednotifications/x")
            #expect(unknown.status == .notFound)
            #expect(unknown.text.hasPrefix("<Error><Code>404</Code>"))
        }
    }

    @Test(
        "A send with an invalid time returns 400",
        arguments: [
            (nil, "ServiceBusNotification-ScheduleTime is missing"),
            ("", "is not a time"), ("tomorrow", "is not a time"),
            ("2026-02-30T00:00:00", "is not a time"),
            ("2026-01-07T23:00:01Z", "more than 7 days in the future"),
            ("9999-12-31T23:59:59Z", "more than 7 days in the future"),
        ] as [(String?, String)])
    func sendWithAnInvalidTimeReturns400(time: String?, text: String) async throws {
        try await HubUnderTest.run(configure(TestClock())) { hub in
            let response = try await hub.schedule(time)
            #expect(response.status == .badRequest)
            #expect(response.text.contains(text), "\(response.text)")
        }
    }

    @Test("Too many scheduled sends return 403") func tooManyScheduledSendsReturn403() async throws
    {
        try await HubUnderTest.run({
            configure(TestClock())(&$0)
            $0.limits.scheduledSends = 2
        }
        ) { hub in
            let time = "2026-01-01T00:00:00Z"
            let first = try #require(try await hub.schedule(time).locationID)
            #expect(try await hub.schedule(time).status == .created)
            #expect(try await hub.schedule(time).status == .forbidden)
            _ = try await hub.request(.delete, "/hubsend/schedulednotifications/\(first)")
            #expect(try await hub.schedule(time).status == .created)
        }
    }

    @Test("A scheduled send remains known to telemetry")
    func scheduledSendRemainsKnownToTelemetry() async throws {
        let clock = TestClock()
        let configure = configure(clock)
        try await HubUnderTest.run({
            configure(&$0)
            $0.telemetryDelay = .seconds(60)
        }) { hub in
            let id = try #require(try await hub.schedule("2025-12-31T23:10:00Z").locationID)
            await clock.waitForSleep(of: .seconds(600))
            clock.advance(by: 600)
            _ = try await hub.schedule("2025-12-31T23:30:00Z")
            await clock.waitForSleep(of: .seconds(1_200))
            let details = try await hub.telemetry(id)
            #expect(details.text.contains("<State>Enqueued</State>"))
        }
    }
}
