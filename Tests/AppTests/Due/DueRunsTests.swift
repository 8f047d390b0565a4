import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestBackend
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DueRunsTests {
    private static let day = 86_400.0

    @Test("A missed occurrence is sent once, even if the clock jumps")
    func missedOccurrenceIsSentOnceEvenIfTheClockJumps() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try await fixture.withHub { hub in
            // Starts before the time when the store first saw the schedule are skipped.
            #expect(await fixture.call(0, at: hub) == [])
            #expect(fixture.connected == 0)
            #expect(await fixture.call(1_860, at: hub) == ["done"])
            for seconds in [1_861.0, 600, 1_900, 3_000, 0, 5_399] {
                #expect(await fixture.call(seconds, at: hub) == [])
            }
            // Both 09:30 and 10:30 were missed; only the later one is sent.
            #expect(await fixture.call(3 * 3_600, at: hub) == ["done"])
        }
        let runs = try await fixture.runs()
        #expect(
            runs.map(\.occurrence.text) == ["2027-01-15T08:30:00Z", "2027-01-15T10:30:00Z"])
        #expect(runs.allSatisfy { $0.state == .finished && $0.requests == 2 })
        #expect(fixture.connected == 2)
    }

    @Test("A --due call also deletes data whose retention has expired")
    func dueCallAlsoDeletesDataWhoseRetentionHasExpired() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring", schedule: "at: \"2027-01-15T08:30\"")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            #expect(await fixture.call(1_860, at: hub) == ["done"])
            #expect(await fixture.call(40 * Self.day, at: hub) == [])
            #expect(try await fixture.runs().map(\.deliveriesDeleted) == [nil])
            try fixture.folder.write(
                "store: store.sqlite\nretention: { payloads: 3d, deliveries: 30d }\n",
                to: "hubsend.yaml", mode: 0o600)
            #expect(await fixture.call(40 * Self.day, at: hub) == [])
        }
        let runs = try await fixture.runs()
        #expect(runs.map(\.deliveriesDeleted) == [DueFixture.start + 40 * Self.day])
        #expect(runs.first?.state == .finished)
    }

    @Test("A start that is later than its deadline is skipped")
    func startThatIsLaterThanItsDeadlineIsSkipped() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring", schedule: "at: \"2027-01-15T08:30\", start_deadline: 10m")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            #expect(await fixture.call(1_800 + 601, at: hub) == [])
            #expect(await fixture.call(1_800 + 600, at: hub) == ["done"])
        }
    }

    @Test("If the store is older, a campaign added after its start time is still sent")
    func ifTheStoreIsOlderACampaignAddedAfterItsStartTimeIsStillSent() async throws {
        let fixture = try DueFixture()
        try fixture.write("autumn")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            try fixture.write("spring", schedule: "at: \"2027-01-15T08:10\"")
            #expect(await fixture.call(665, at: hub) == ["done"])
            #expect(await fixture.call(725, at: hub) == [])
        }
        #expect(try await fixture.runs().map(\.occurrence.text) == ["2027-01-15T08:10:00Z"])
    }

    @Test(
        "A store copied from another machine starts nothing until somebody confirms it")
    func storeCopiedFromAnotherMachineStartsNothingUntilSomebody() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        let mark = StoreMachine(besideStoreAt: fixture.folder.file("store.sqlite"))
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            try fixture.folder.write(
                "hubsend machine \(String(repeating: "0", count: 32))\n",
                to: "store.sqlite.machine",
                mode: 0o600)
            for call in [1_860.0, 1_920] {
                #expect(await fixture.call(call, at: hub) == ["failed: StoreElsewhere"])
            }
            #expect(fixture.said.count == 1)
            #expect(fixture.said.first?.hasSuffix("rm \(mark.path)") == true)
            try FileManager.default.removeItem(atPath: mark.path)
            #expect(await fixture.call(1_980, at: hub) == ["done"])
        }
    }

    @Test("If several calls run at once, one sends and the others print nothing")
    func ifSeveralCallsRunAtOnceOneSendsAndTheOthersPrintNothing() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            for round in 0..<5 {
                let seconds = 1_860 + 3_600 * Double(round)
                let ends = await withTaskGroup(of: [String].self) { calls in
                    for _ in 0..<3 { calls.addTask { await fixture.call(seconds, at: hub) } }
                    var ends: [String] = []
                    for await end in calls { ends += end }
                    return ends
                }
                #expect(ends == ["done"])
            }
        }
        let runs = try await fixture.runs()
        #expect(runs.count == 5 && Set(runs.map(\.occurrence)).count == 5)
        #expect(runs.allSatisfy { $0.requests == 2 })
        #expect(fixture.said.isEmpty)
    }

    @Test("An invalid campaign does not stop the others and is reported once")
    func invalidCampaignDoesNotStopTheOthersAndIsReportedOnce() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try fixture.write("broken", kind: "loud")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == ["faults"])
            #expect(await fixture.call(60, at: hub) == [])
            #expect(await fixture.call(1_860, at: hub) == ["done"])
            // The file now has a different problem.
            try fixture.write("broken", schedule: "cron: nonsense", kind: "loud")
            #expect(await fixture.call(1_920, at: hub) == ["faults"])
            #expect(await fixture.call(1_920 + Self.day, at: hub).contains("faults"))
            try fixture.write("broken", schedule: nil)
            _ = await fixture.call(2_000 + Self.day, at: hub)
            try fixture.write("broken", schedule: "cron: nonsense", kind: "loud")
            #expect(await fixture.call(2_060 + Self.day, at: hub) == ["faults"])
        }
    }

    @Test("Two files with the same campaign name are both refused")
    func twoFilesWithTheSameCampaignNameAreBothRefused() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try fixture.write("spring", to: "twin.yaml")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == ["failed: Refused"])
            #expect(await fixture.call(1_860, at: hub) == [])
        }
        #expect(try await fixture.runs().isEmpty)
        #expect(fixture.said.first?.contains("twin.yaml") == true)
    }

    @Test(
        "A run that waits for a person is reported once, then again after a day",
        arguments: [(.stopped, nil, "stopped"), (.paused, .person, "paused: tooManyFailures")]
            as [(RunState, RunPause?, String)])
    func runThatWaitsForAPersonIsReportedOnceThenAgainAfterADay(
        _ state: RunState, _ pause: RunPause?, _ word: String
    ) async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            let id = try await fixture.leave("spring", "aaaaaa", as: .once, state, pause)
            #expect(await fixture.call(60, at: hub) == [word])
            // No other run begins in the meantime.
            #expect(await fixture.call(1_860, at: hub) == [])
            #expect(await fixture.call(60 + Self.day, at: hub) == [word])
            try await fixture.store().setState(
                .stopped, reason: nil, of: id, at: DueFixture.start)
            let changed = await fixture.call(120 + Self.day, at: hub)
            #expect(changed == (state == .stopped ? [] : ["stopped"]))
            try await fixture.store().setState(
                .finished, reason: nil, of: id, at: DueFixture.start)
            // The run is over, so the start that was waiting for it can begin.
            #expect(await fixture.call(1_860 + Self.day, at: hub) == ["done"])
        }
    }

    @Test("Refused credentials are reported immediately, then again after a day")
    func refusedCredentialsAreReportedImmediatelyThenAgainAfterADay() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try await fixture.withHub { hub in
            let wrong = hub.replacing(/SharedAccessKey=[^;]+/, with: "SharedAccessKey=d3Jvbmc=")
            #expect(await fixture.call(0, at: wrong) == [])
            #expect(await fixture.call(1_860, at: wrong) == ["paused: credentials"])
            // Correct credentials are not enough, because somebody has to resume the run.
            #expect(await fixture.call(1_920, at: hub) == [])
            #expect(await fixture.call(3_600 + 1_860, at: hub) == [])
            #expect(await fixture.call(1_860 + Self.day, at: hub) == ["paused: credentials"])
            #expect(fixture.connected == 1)
        }
        let runs = try await fixture.runs()
        #expect(runs.map(\.pause) == [.credentials])
    }

    @Test(
        "A run whose hub is missing is ended, and also reported if it is no longer due",
        arguments: [(1_860, ["done"], [0, 2]), (91_860, ["troubled"], [0])]
            as [(Double, [String], [Int])])
    func runWhoseHubIsMissingIsEndedAndAlsoReportedIfItIsNoLongerDue(
        seconds: Double, ends: [String], requests: [Int]
    ) async throws {
        let fixture = try DueFixture()
        try fixture.write("spring", schedule: "at: \"2027-01-15T08:30\"")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            try await fixture.leave(
                "spring", "aaaaaa", as: .scheduled(DueFixture.start + 1_800), .paused, .missingHub,
                at: "wrong")
            #expect(await fixture.call(seconds, at: hub) == ends)
            #expect(await fixture.call(seconds + 60, at: hub) == [])
        }
        let runs = try await fixture.runs()
        #expect(runs.allSatisfy { $0.state == .finished })
        #expect(runs.map(\.requests).sorted() == requests)
    }

    @Test(
        "An interrupted run continues even without a schedule",
        arguments: [(.running, nil), (.paused, .passing)] as [(RunState, RunPause?)])
    func interruptedRunContinuesEvenWithoutASchedule(
        _ state: RunState, _ pause: RunPause?
    ) async throws {
        let fixture = try DueFixture()
        try fixture.write("spring", schedule: nil)
        try await fixture.leave("spring", "aaaaaa", as: .once, state, pause)
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == ["done"])
            #expect(await fixture.call(60, at: hub) == [])
        }
        let runs = try await fixture.runs()
        #expect(runs.map(\.state) == [.finished] && runs.map(\.requests) == [2])
    }

    /// Another host has the files, or somebody removed them after the staging.
    @Test("A staged run continues without the files that its campaign names")
    func stagedRunContinuesWithoutTheFilesThatItsCampaignNames() async throws {
        let fixture = try DueFixture()
        try fixture.folder.write(
            """
            campaign: spring
            kind: alert
            platforms: [apns]
            audience: { files: [people.txt] }
            payload: { message: Hello }
            """, to: "spring.yaml")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == ["faults"])
            try await fixture.leave("spring", "aaaaaa", as: .once, .running)
            try await fixture.bury("spring", beneath: 1_000)
            #expect(await fixture.call(60, at: hub) == ["done"])
            // There is no run to continue, so hubsend reports what prevents a new one.
            #expect(await fixture.call(120, at: hub) == ["faults"])
            #expect(await fixture.call(180, at: hub) == [])
        }
        let run = try await fixture.store().run(RunID(checked: "20270115T080000Z-aaaaaa"))
        #expect(run?.state == .finished && run?.requests == 2)
    }

    @Test("A run without its file is reported once and continues when it is back")
    func runWithoutItsFileIsReportedOnceAndContinuesWhenItIsBack() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring", schedule: nil)
        try fixture.write("summer", schedule: nil)
        let id = try await fixture.leave("spring", "aaaaaa", as: .once, .running)
        try await fixture.store().setWaiting(
            id, until: DueFixture.start + 600, at: DueFixture.start)
        let stopped = try await fixture.leave("autumn", "bbbbbb", as: .once, .stopped)
        #expect(
            try await fixture.store().run(stopped)?.campaignPath.hasSuffix("/autumn.yaml") == true)
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            try FileManager.default.removeItem(atPath: fixture.folder.file("spring.yaml"))
            // The problem is reported before the wave is due, so that there is time to fix it.
            #expect(await fixture.call(60, at: hub) == ["unfinished"])
            #expect(await fixture.call(120, at: hub) == [])
            #expect(await fixture.call(660, at: hub) == [])
            #expect(await fixture.call(120 + Self.day, at: hub) == ["unfinished"])
            try fixture.write("spring", schedule: nil)
            #expect(await fixture.call(180 + Self.day, at: hub) == ["done"])
        }
    }

    @Test("A run whose file is gone is reported only by calls that cover its folder")
    func runWhoseFileIsGoneIsReportedOnlyByCallsThatCoverItsFolder() async throws {
        let fixture = try DueFixture()
        try fixture.write("summer", schedule: nil)
        try fixture.folder.write(
            "store: ../store.sqlite\n", to: "campaigns/hubsend.yaml", mode: 0o600)
        try fixture.write("winter", schedule: nil, to: "campaigns/winter.yaml")
        try await fixture.leave("spring", "aaaaaa", as: .once, .running)
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub, beneath: "campaigns") == [])
            // Both configs name the store.
            #expect(await fixture.call(60, at: hub) == ["unfinished"])
        }
    }

    @Test("A campaign without a schedule is never started and creates no store")
    func campaignWithoutAScheduleIsNeverStartedAndCreatesNoStore() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring", schedule: nil)
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
        }
        #expect(!fixture.hasStore)
        #expect(fixture.connected == 0)
    }

    @Test("A campaign that another process is working on is skipped silently")
    func campaignThatAnotherProcessIsWorkingOnIsSkippedSilently() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == [])
            let store = try fixture.store()
            let held = try #require(
                try StoreLock(ofStoreAt: store.path).acquire(campaign: "spring"))
            #expect(await fixture.call(1_860, at: hub) == [])
            held.release()
            #expect(await fixture.call(1_920, at: hub) == ["done"])
        }
    }

    @Test("An unreadable setting is reported once, then again after a day")
    func unreadableSettingIsReportedOnceThenAgainAfterADay() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        let missing = ["HUBSEND_PAYLOAD_KEY_FILE": fixture.folder.file("no.key")]
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub, missing) == ["failed: UnusableFile"])
            #expect(await fixture.call(60, at: hub, missing) == [])
            #expect(await fixture.call(60 + Self.day, at: hub, missing) == ["failed: UnusableFile"])
            #expect(await fixture.call(120 + Self.day, at: hub) == [])
            #expect(
                await fixture.call(180 + Self.day, at: hub, missing) == ["failed: UnusableFile"])
        }
    }

    @Test("If no campaign can be read, missing settings are not reported")
    func ifNoCampaignCanBeReadMissingSettingsAreNotReported() async throws {
        let fixture = try DueFixture()
        try fixture.write("broken", kind: "loud")
        let missing = ["HUBSEND_PAYLOAD_KEY_FILE": fixture.folder.file("no.key")]
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub, missing) == ["faults"])
            try fixture.write("spring")
            #expect(await fixture.call(60, at: hub, missing) == ["failed: UnusableFile"])
        }
    }

    @Test("The heartbeat is called for runs, but not if nothing is due")
    func heartbeatIsCalledForRunsButNotIfNothingIsDue() async throws {
        let fixture = try DueFixture()
        try fixture.write("spring")
        try await ScriptedBackend.run({ _, _ in .text("OK") }) { origin, service in
            let heartbeat = ["HUBSEND_HEARTBEAT": origin + "/abc"]
            try await fixture.withHub { hub in
                #expect(await fixture.call(0, at: hub, heartbeat) == [])
                #expect(service.requests.isEmpty)
                #expect(await fixture.call(1_860, at: hub, heartbeat) == ["done"])
                #expect(service.requests.map(\.line) == ["GET /abc/start", "GET /abc"])
                try fixture.write("broken", kind: "loud")
                #expect(await fixture.call(1_920, at: hub, heartbeat) == ["faults"])
                #expect(service.requests.map(\.line).last == "POST /abc/fail")
                #expect(await fixture.call(1_980, at: hub, heartbeat) == [])
                #expect(service.requests.count == 3)
            }
        }
    }

    @Test("Campaigns with different configs are processed one config at a time")
    func campaignsWithDifferentConfigsAreProcessedOneConfigAtATime() async throws {
        let fixture = try DueFixture()
        try fixture.folder.write("store: other.sqlite\n", to: "b/hubsend.yaml", mode: 0o600)
        try fixture.folder.write("limits: { nonsense: 1 }\n", to: "a/hubsend.yaml", mode: 0o600)
        try fixture.write("first", to: "a/first.yaml")
        try fixture.write("second", to: "b/second.yaml")
        try fixture.write("third")
        try await fixture.withHub { hub in
            #expect(await fixture.call(0, at: hub) == ["failed: ConfigErrors"])
            #expect(await fixture.call(1_860, at: hub).count { $0 == "done" } == 2)
        }
        #expect(try await fixture.runs().map(\.campaign) == ["third"])
        let other = try SQLiteStore.openForReading(at: fixture.folder.file("b/other.sqlite"))
        #expect(try await other.runs(campaign: nil, limit: 10).map(\.campaign) == ["second"])
    }
}

@Suite(.bounded) struct TroubleTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private func digest(_ text: String) -> String {
        Trouble(.settings("a"), Failure(description: text)).digest
    }

    @Test("If nothing is due, the message says what is due next")
    func ifNothingIsDueTheMessageSaysWhatIsDueNext() {
        func sentence(_ next: DueGroup.Upcoming?) -> String {
            DueRuns.nothingIsDue(next: next, at: DueFixture.start)
        }
        let date = DueFixture.start.addingTimeInterval(7_200)
        #expect(
            sentence(DueGroup.Upcoming(campaign: "spring", date: date))
                == "Nothing is due. Next, campaign spring starts at 2027-01-15 10:00:00 UTC, in 2h 00m."
        )
        #expect(
            sentence(DueGroup.Upcoming(campaign: "spring", date: date, isWave: true))
                == "Nothing is due. Next, campaign spring continues at 2027-01-15 10:00:00 UTC, in 2h 00m."
        )
        #expect(sentence(nil) == "Nothing is due, and no further start is scheduled.")
    }

    @Test("A problem counts as the same if only its age has changed")
    func problemCountsAsTheSameIfOnlyItsAgeHasChanged() {
        #expect(
            digest("The file a.csv is 59m 12s old.") == digest("The file a.csv is 1h 02m old."))
        #expect(digest("The file a.csv is 2 days old.") == digest("The file a.csv is 1h old."))
        #expect(digest("The file a.csv is old.") != digest("The file b.csv is old."))
    }

    @Test("A run in another state counts as a different problem")
    func runInAnotherStateCountsAsADifferentProblem() {
        var run = RunRecord(
            id: RunID(checked: "20270115T080000Z-aaaaaa"), campaign: "spring",
            hub: HubIdentity(host: "hub.example", name: "main"), occurrence: .once,
            isRehearsal: false, state: .paused, reason: "Why.", pause: .person, kind: .alert,
            platforms: [.apns], isMessagePrivate: false, campaignPath: "/spring.yaml",
            delivery: DeliveryPolicy(), fingerprints: [:], started: DueFixture.start,
            expires: DueFixture.start)
        let paused = Trouble(run)
        run.state = .stopped
        #expect(Trouble(run).key == paused.key)
        #expect(Trouble(run).digest != paused.digest)
    }
}
