import CampaignCore
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct PushScheduleTests {
    private let now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func outgoing(_ page: PushPage) throws -> OutgoingPage {
        let template = try #require(RequestTemplate(target: "/", headers: [:]))
        return OutgoingPage(page, template: template, results: PageResults())
    }

    private struct Scheduled {
        var schedule = PushSchedule()
        var pages: [OutgoingPage] = []

        mutating func add(_ page: OutgoingPage) {
            schedule.add(page, as: pages.count)
            pages.append(page)
        }

        mutating func end(_ platform: Platform) {
            schedule.end(platform)
        }
    }

    /// The platforms of the next pushes, until no more pushes may start.
    private func platforms(_ scheduled: inout Scheduled, most: Int = .max) -> [Platform] {
        var platforms: [Platform] = []
        while platforms.count < most, case .push(let page, _) = scheduled.schedule.next(now: now) {
            platforms.append(scheduled.pages[page].platform)
        }
        return platforms
    }

    @Test("Pages of a platform are sent in order") func pagesOfAPlatformAreSentInOrder() throws {
        var schedule = Scheduled()
        schedule.add(try outgoing(.example(2)))
        schedule.add(try outgoing(.example(2, firstNumber: 2)))
        var numbers: [Int] = []
        while case .push(let page, let index) = schedule.schedule.next(now: now) {
            numbers.append(schedule.pages[page].pushes[index].number)
        }

        #expect(numbers == [0, 1, 2, 3])
    }

    @Test("The platform with the fewest pushes in flight is served next")
    func platformWithTheFewestPushesInFlightIsServedNext() throws {
        var schedule = Scheduled()
        schedule.add(try outgoing(.example(50, platform: .apns)))
        #expect(platforms(&schedule, most: 6) == Array(repeating: .apns, count: 6))

        schedule.add(try outgoing(.example(50, platform: .fcm)))
        #expect(platforms(&schedule, most: 6) == Array(repeating: .fcm, count: 6))
        // The slow platform has not responded yet, and the other platform responds immediately.
        for _ in 0..<20 {
            schedule.end(.fcm)
            #expect(platforms(&schedule, most: 1) == [.fcm])
        }
    }

    @Test("Platforms alternate even over one connection")
    func platformsAlternateEvenOverOneConnection() throws {
        var schedule = Scheduled()
        schedule.add(try outgoing(.example(50, platform: .apns)))
        schedule.add(try outgoing(.example(50, platform: .wns)))
        var taken: [Platform] = []
        for _ in 0..<6 {
            let next = platforms(&schedule, most: 1)
            taken += next
            for platform in next { schedule.end(platform) }
        }

        #expect(taken.count { $0 == .apns } == 3)
        #expect(taken.count { $0 == .wns } == 3)
    }

    @Test("The newest page sets the concurrency of its platform")
    func newestPageSetsTheConcurrencyOfItsPlatform() throws {
        var schedule = Scheduled()
        schedule.add(try outgoing(.example(10, concurrency: 2)))
        #expect(platforms(&schedule).count == 2)
        schedule.add(try outgoing(.example(10, concurrency: 5)))
        #expect(platforms(&schedule).count == 3)
        schedule.end(.apns)
        #expect(platforms(&schedule).count == 1)
        schedule.add(try outgoing(.example(10)))
        #expect(platforms(&schedule).count == 24)
    }

    @Test("A platform's interval does not slow the others")
    func platformsIntervalDoesNotSlowTheOthers() throws {
        var schedule = Scheduled()
        schedule.add(try outgoing(.example(3, platform: .apns, platformInterval: .seconds(1))))
        schedule.add(try outgoing(.example(3, platform: .fcm)))
        #expect(
            platforms(&schedule).sorted { $0.rawValue < $1.rawValue } == [.apns, .fcm, .fcm, .fcm])

        guard case .pause(let until) = schedule.schedule.next(now: now) else {
            Issue.record("the slow platform has to wait")
            return
        }
        #expect(until == now + .seconds(1))
    }

    @Test("The overall interval applies to all platforms together")
    func overallIntervalAppliesToAllPlatformsTogether() throws {
        var schedule = Scheduled()
        schedule.add(try outgoing(.example(3, platform: .apns, interval: .milliseconds(20))))
        schedule.add(try outgoing(.example(3, platform: .fcm, interval: .milliseconds(20))))
        var now = now
        var starts: [NIODeadline] = []
        while starts.count < 6 {
            switch schedule.schedule.next(now: now) {
            case .push: starts.append(now)
            case .pause(let until): now = until
            case .nothing:
                Issue.record("there are pushes left")
                return
            }
        }

        #expect(starts == (0..<6).map { self.now + .milliseconds(20) * $0 })
    }

    @Test("A page that was removed starts no more pushes")
    func pageThatWasRemovedStartsNoMorePushes() throws {
        var schedule = Scheduled()
        schedule.add(try outgoing(.example(3)))
        #expect(platforms(&schedule, most: 1).count == 1)
        #expect(schedule.schedule.remove(0, of: .apns) == 1..<3)
        #expect(platforms(&schedule).isEmpty)
    }
}
