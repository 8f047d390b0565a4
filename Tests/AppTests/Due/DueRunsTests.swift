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

    @Test func aMissedOccurrenceIsSentOnceWhicheverWayTheClockSteps() async throws {
        let place = try DuePlace()
        try place.write("spring")
        try await place.withHub { hub in
            // Starts from before the store knew the schedule are not made up for.
            #expect(await place.call(0, at: hub) == [])
            #expect(place.connected == 0)
            #expect(await place.call(1_860, at: hub) == ["done"])
            for seconds in [1_861.0, 600, 1_900, 3_000, 0, 5_399] {
                #expect(await place.call(seconds, at: hub) == [])
            }
            // Of half past nine and ten only the last.
            #expect(await place.call(3 * 3_600, at: hub) == ["done"])
        }
        let runs = try await place.runs()
        #expect(
            runs.map(\.occurrence.text) == ["2027-01-15T08:30:00Z", "2027-01-15T10:30:00Z"])
        #expect(runs.allSatisfy { $0.state == .finished && $0.requests == 2 })
        #expect(place.connected == 2)
    }

    @Test func whatIsNotKeptAnyLongerIsDeletedToo() async throws {
        let place = try DuePlace()
        try place.write("spring", schedule: "at: \"2027-01-15T08:30\"")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            #expect(await place.call(1_860, at: hub) == ["done"])
            #expect(await place.call(40 * Self.day, at: hub) == [])
            #expect(try await place.runs().map(\.deliveriesDeleted) == [nil])
            try place.folder.write(
                "store: store.sqlite\nretention: { payloads: 3d, deliveries: 30d }\n",
                to: "hubsend.yaml", mode: 0o600)
            #expect(await place.call(40 * Self.day, at: hub) == [])
        }
        let runs = try await place.runs()
        #expect(runs.map(\.deliveriesDeleted) == [DuePlace.start + 40 * Self.day])
        #expect(runs.first?.state == .finished)
    }

    @Test func whatWasMissedByMoreThanTheDeadlineIsSkipped() async throws {
        let place = try DuePlace()
        try place.write("spring", schedule: "at: \"2027-01-15T08:30\", start_deadline: 10m")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            #expect(await place.call(1_800 + 601, at: hub) == [])
            #expect(await place.call(1_800 + 600, at: hub) == ["done"])
        }
    }

    @Test("A start that passed before its campaign was first seen is sent if the store is older")
    func startBeforeFirstSight() async throws {
        let place = try DuePlace()
        try place.write("autumn")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            try place.write("spring", schedule: "at: \"2027-01-15T08:10\"")
            #expect(await place.call(665, at: hub) == ["done"])
            #expect(await place.call(725, at: hub) == [])
        }
        #expect(try await place.runs().map(\.occurrence.text) == ["2027-01-15T08:10:00Z"])
    }

    @Test(
        "A store that another machine started schedules from starts nothing until a person says so")
    func clonedMachine() async throws {
        let place = try DuePlace()
        try place.write("spring")
        let mark = StoreMachine(besideStoreAt: place.folder.file("store.sqlite"))
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            try place.folder.write(
                "hubsend machine \(String(repeating: "0", count: 32))\n",
                to: "store.sqlite.machine",
                mode: 0o600)
            for call in [1_860.0, 1_920] {
                #expect(await place.call(call, at: hub) == ["failed: StoreElsewhere"])
            }
            #expect(place.said.count == 1)
            #expect(place.said.first?.hasSuffix("rm \(mark.path)") == true)
            try FileManager.default.removeItem(atPath: mark.path)
            #expect(await place.call(1_980, at: hub) == ["done"])
        }
    }

    @Test func ofCallsAtOnceOneSendsAndTheOthersAreSilent() async throws {
        let place = try DuePlace()
        try place.write("spring")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            for round in 0..<5 {
                let seconds = 1_860 + 3_600 * Double(round)
                let ends = await withTaskGroup(of: [String].self) { calls in
                    for _ in 0..<3 { calls.addTask { await place.call(seconds, at: hub) } }
                    var ends: [String] = []
                    for await end in calls { ends += end }
                    return ends
                }
                #expect(ends == ["done"])
            }
        }
        let runs = try await place.runs()
        #expect(runs.count == 5 && Set(runs.map(\.occurrence)).count == 5)
        #expect(runs.allSatisfy { $0.requests == 2 })
        #expect(place.said.isEmpty)
    }

    @Test func anInvalidCampaignHoldsUpNoOtherAndIsToldOnce() async throws {
        let place = try DuePlace()
        try place.write("spring")
        try place.write("broken", kind: "loud")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == ["faults"])
            #expect(await place.call(60, at: hub) == [])
            #expect(await place.call(1_860, at: hub) == ["done"])
            // It has another problem.
            try place.write("broken", schedule: "cron: nonsense", kind: "loud")
            #expect(await place.call(1_920, at: hub) == ["faults"])
            #expect(await place.call(1_920 + Self.day, at: hub).contains("faults"))
            try place.write("broken", schedule: nil)
            _ = await place.call(2_000 + Self.day, at: hub)
            try place.write("broken", schedule: "cron: nonsense", kind: "loud")
            #expect(await place.call(2_060 + Self.day, at: hub) == ["faults"])
        }
    }

    @Test func twoFilesOfOneNameAreBothLeft() async throws {
        let place = try DuePlace()
        try place.write("spring")
        try place.write("spring", to: "twin.yaml")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == ["failed: Refused"])
            #expect(await place.call(1_860, at: hub) == [])
        }
        #expect(try await place.runs().isEmpty)
        #expect(place.said.first?.contains("twin.yaml") == true)
    }

    @Test(
        arguments: [(.stopped, nil, "stopped"), (.paused, .person, "paused: tooManyFailures")]
            as [(RunState, RunPause?, String)])
    func whatWaitsForAPersonIsToldOnceAndAgainAfterADay(
        _ state: RunState, _ pause: RunPause?, _ word: String
    ) async throws {
        let place = try DuePlace()
        try place.write("spring")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            let id = try await place.leave("spring", "aaaaaa", as: .once, state, pause)
            #expect(await place.call(60, at: hub) == [word])
            // Nothing new begins next to it.
            #expect(await place.call(1_860, at: hub) == [])
            #expect(await place.call(60 + Self.day, at: hub) == [word])
            try await place.store().setState(
                .stopped, reason: nil, of: id, at: DuePlace.start)
            let changed = await place.call(120 + Self.day, at: hub)
            #expect(changed == (state == .stopped ? [] : ["stopped"]))
            try await place.store().setState(
                .finished, reason: nil, of: id, at: DuePlace.start)
            // It is over, and the start that it held back begins.
            #expect(await place.call(1_860 + Self.day, at: hub) == ["done"])
        }
    }

    @Test func refusedCredentialsAreToldWhenTheyAreFoundAndAgainAfterADay() async throws {
        let place = try DuePlace()
        try place.write("spring")
        try await place.withHub { hub in
            let wrong = hub.replacing(/SharedAccessKey=[^;]+/, with: "SharedAccessKey=d3Jvbmc=")
            #expect(await place.call(0, at: wrong) == [])
            #expect(await place.call(1_860, at: wrong) == ["paused: credentials"])
            // Also with the right ones: somebody has to look at it first.
            #expect(await place.call(1_920, at: hub) == [])
            #expect(await place.call(3_600 + 1_860, at: hub) == [])
            #expect(await place.call(1_860 + Self.day, at: hub) == ["paused: credentials"])
            #expect(place.connected == 1)
        }
        let runs = try await place.runs()
        #expect(runs.map(\.pause) == [.credentials])
    }

    @Test(
        "A run at a hub that does not exist is ended, and told of if it is not due any more",
        arguments: [(1_860, ["done"], [0, 2]), (91_860, ["troubled"], [0])]
            as [(Double, [String], [Int])])
    func missingHub(seconds: Double, ends: [String], requests: [Int]) async throws {
        let place = try DuePlace()
        try place.write("spring", schedule: "at: \"2027-01-15T08:30\"")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            try await place.leave(
                "spring", "aaaaaa", as: .scheduled(DuePlace.start + 1_800), .paused, .missingHub,
                at: "wrong")
            #expect(await place.call(seconds, at: hub) == ends)
            #expect(await place.call(seconds + 60, at: hub) == [])
        }
        let runs = try await place.runs()
        #expect(runs.allSatisfy { $0.state == .finished })
        #expect(runs.map(\.requests).sorted() == requests)
    }

    @Test(arguments: [(.running, nil), (.paused, .passing)] as [(RunState, RunPause?)])
    func whatACrashASignalOrTheHubEndedGoesOnWithoutASchedule(
        _ state: RunState, _ pause: RunPause?
    ) async throws {
        let place = try DuePlace()
        try place.write("spring", schedule: nil)
        try await place.leave("spring", "aaaaaa", as: .once, state, pause)
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == ["done"])
            #expect(await place.call(60, at: hub) == [])
        }
        let runs = try await place.runs()
        #expect(runs.map(\.state) == [.finished] && runs.map(\.requests) == [2])
    }

    /// Another host has the files, or somebody removed them after the staging.
    @Test func aRunThatIsStagedGoesOnWithoutTheFilesThatItsCampaignNames() async throws {
        let place = try DuePlace()
        try place.folder.write(
            """
            campaign: spring
            kind: alert
            platforms: [apns]
            audience: { files: [people.txt] }
            payload: { message: Hello }
            """, to: "spring.yaml")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == ["faults"])
            try await place.leave("spring", "aaaaaa", as: .once, .running)
            try await place.bury("spring", beneath: 1_000)
            #expect(await place.call(60, at: hub) == ["done"])
            // Nothing continues, and the obstacle to another sending is reported.
            #expect(await place.call(120, at: hub) == ["faults"])
            #expect(await place.call(180, at: hub) == [])
        }
        let run = try await place.store().run(RunID(checked: "20270115T080000Z-aaaaaa"))
        #expect(run?.state == .finished && run?.requests == 2)
    }

    @Test func aRunWhoseFileIsGoneIsToldOnceAndGoesOnWhenItIsBack() async throws {
        let place = try DuePlace()
        try place.write("spring", schedule: nil)
        try place.write("summer", schedule: nil)
        let id = try await place.leave("spring", "aaaaaa", as: .once, .running)
        try await place.store().setWaiting(id, until: DuePlace.start + 600, at: DuePlace.start)
        let stopped = try await place.leave("autumn", "bbbbbb", as: .once, .stopped)
        #expect(
            try await place.store().run(stopped)?.campaignPath.hasSuffix("/autumn.yaml") == true)
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            try FileManager.default.removeItem(atPath: place.folder.file("spring.yaml"))
            // Before its wave is due, so there is time to fix it.
            #expect(await place.call(60, at: hub) == ["unfinished"])
            #expect(await place.call(120, at: hub) == [])
            #expect(await place.call(660, at: hub) == [])
            #expect(await place.call(120 + Self.day, at: hub) == ["unfinished"])
            try place.write("spring", schedule: nil)
            #expect(await place.call(180 + Self.day, at: hub) == ["done"])
        }
    }

    @Test func aRunWhoseFileStoodElsewhereIsLeftToOthers() async throws {
        let place = try DuePlace()
        try place.write("summer", schedule: nil)
        try place.folder.write(
            "store: ../store.sqlite\n", to: "campaigns/hubsend.yaml", mode: 0o600)
        try place.write("winter", schedule: nil, to: "campaigns/winter.yaml")
        try await place.leave("spring", "aaaaaa", as: .once, .running)
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub, beneath: "campaigns") == [])
            // Both configs name the store.
            #expect(await place.call(60, at: hub) == ["unfinished"])
        }
    }

    @Test func aCampaignWithoutAScheduleIsNeverBegunAndLeavesNoStore() async throws {
        let place = try DuePlace()
        try place.write("spring", schedule: nil)
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
        }
        #expect(!place.hasStore)
        #expect(place.connected == 0)
    }

    @Test func whatAnotherProcessWorksOnIsSilence() async throws {
        let place = try DuePlace()
        try place.write("spring")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            let store = try place.store()
            let held = try #require(
                try StoreLock(ofStoreAt: store.path).acquire(campaign: "spring"))
            #expect(await place.call(1_860, at: hub) == [])
            held.release()
            #expect(await place.call(1_920, at: hub) == ["done"])
        }
    }

    @Test func aSettingThatCannotBeReadIsToldOnceAndAgainAfterADay() async throws {
        let place = try DuePlace()
        try place.write("spring")
        let missing = ["HUBSEND_PAYLOAD_KEY_FILE": place.folder.file("no.key")]
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub, missing) == ["failed: UnusableFile"])
            #expect(await place.call(60, at: hub, missing) == [])
            #expect(await place.call(60 + Self.day, at: hub, missing) == ["failed: UnusableFile"])
            #expect(await place.call(120 + Self.day, at: hub) == [])
            #expect(await place.call(180 + Self.day, at: hub, missing) == ["failed: UnusableFile"])
        }
    }

    @Test func whereNoCampaignCanBeReadItIsNoMatterWhatElseIsMissing() async throws {
        let place = try DuePlace()
        try place.write("broken", kind: "loud")
        let missing = ["HUBSEND_PAYLOAD_KEY_FILE": place.folder.file("no.key")]
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub, missing) == ["faults"])
            try place.write("spring")
            #expect(await place.call(60, at: hub, missing) == ["failed: UnusableFile"])
        }
    }

    @Test func aHeartbeatTellsOfRunsAndNotThatNothingWasDue() async throws {
        let place = try DuePlace()
        try place.write("spring")
        try await ScriptedBackend.run({ _, _ in .text("OK") }) { origin, service in
            let heartbeat = ["HUBSEND_HEARTBEAT": origin + "/abc"]
            try await place.withHub { hub in
                #expect(await place.call(0, at: hub, heartbeat) == [])
                #expect(service.requests.isEmpty)
                #expect(await place.call(1_860, at: hub, heartbeat) == ["done"])
                #expect(service.requests.map(\.line) == ["GET /abc/start", "GET /abc"])
                try place.write("broken", kind: "loud")
                #expect(await place.call(1_920, at: hub, heartbeat) == ["faults"])
                #expect(service.requests.map(\.line).last == "POST /abc/fail")
                #expect(await place.call(1_980, at: hub, heartbeat) == [])
                #expect(service.requests.count == 3)
            }
        }
    }

    @Test func campaignsOfSeveralConfigsAreWorkedOnOneGroupAfterTheOther() async throws {
        let place = try DuePlace()
        try place.folder.write("store: other.sqlite\n", to: "b/hubsend.yaml", mode: 0o600)
        try place.folder.write("limits: { nonsense: 1 }\n", to: "a/hubsend.yaml", mode: 0o600)
        try place.write("first", to: "a/first.yaml")
        try place.write("second", to: "b/second.yaml")
        try place.write("third")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == ["failed: ConfigFaults"])
            #expect(await place.call(1_860, at: hub).count { $0 == "done" } == 2)
        }
        #expect(try await place.runs().map(\.campaign) == ["third"])
        let other = try SQLiteStore.openForReading(at: place.folder.file("b/other.sqlite"))
        #expect(try await other.runs(campaign: nil, limit: 10).map(\.campaign) == ["second"])
    }
}

@Suite(.bounded) struct TroubleTests {
    private struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private func digest(_ text: String) -> String {
        Trouble(.settings("a"), Fault(description: text)).digest
    }

    @Test func whereNothingIsDueItSaysWhatComesNext() {
        func sentence(_ next: DueGroup.Coming?) -> String {
            DueRuns.nothingIsDue(next: next, at: DuePlace.start)
        }
        let date = DuePlace.start.addingTimeInterval(7_200)
        #expect(
            sentence(DueGroup.Coming(campaign: "spring", date: date))
                == "Nothing is due. Next is campaign spring at 2027-01-15 10:00:00 UTC, in 2h 00m.")
        #expect(
            sentence(DueGroup.Coming(campaign: "spring", date: date, isWave: true))
                == "Nothing is due. Next, a run of campaign spring goes on at 2027-01-15 10:00:00 UTC, in 2h 00m."
        )
        #expect(sentence(nil) == "Nothing is due. No campaign has another start.")
    }

    @Test func anAgeThatGrowsIsNoOtherTrouble() {
        #expect(
            digest("The file a.csv is 59m 12s old.") == digest("The file a.csv is 1h 02m old."))
        #expect(digest("The file a.csv is 2 days old.") == digest("The file a.csv is 1h old."))
        #expect(digest("The file a.csv is old.") != digest("The file b.csv is old."))
    }

    @Test func aRunIsAnotherTroubleInEachState() {
        var run = RunRecord(
            id: RunID(checked: "20270115T080000Z-aaaaaa"), campaign: "spring",
            hub: HubIdentity(host: "hub.example", name: "main"), occurrence: .once,
            isRehearsal: false, state: .paused, reason: "Why.", pause: .person, kind: .alert,
            platforms: [.apns], isMessagePrivate: false, campaignPath: "/spring.yaml",
            delivery: DeliveryPolicy(), fingerprints: [:], started: DuePlace.start,
            expires: DuePlace.start)
        let paused = Trouble(run)
        run.state = .stopped
        #expect(Trouble(run).key == paused.key)
        #expect(Trouble(run).digest != paused.digest)
    }
}
