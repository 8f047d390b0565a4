import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    private static let day = Duration.seconds(86_400)

    package static let troubles = [
        StorePromise(
            "A problem is reported once, then again if it changes or an interval has passed"
        ) {
            test in
            let calls: [(key: String, digest: String, Double, isTold: Bool)] = [
                ("file a", "1", 0, true), ("file a", "1", 60, false), ("file b", "1", 60, true),
                ("file a", "2", 120, true), ("file a", "2", 86_519, false),
                ("file a", "2", 86_520, true),
                // A clock that is set back a little, and a clock that is set back permanently.
                ("file a", "2", 86_000, false), ("file a", "2", -1_000_000, true),
            ]
            for call in calls {
                let isTold = try await test.reopen().recordTrouble(
                    about: call.key, digest: call.digest, againAfter: day,
                    now: Samples.start + call.2)
                #expect(isTold == call.isTold)
            }
        },
        StorePromise("A problem that ends is forgotten, and is reported if it returns") { test in
            for key in ["a", "b"] {
                _ = try await test.store.recordTrouble(
                    about: key, digest: "1", againAfter: day, now: Samples.start)
            }
            try await test.reopen().forgetTroubles(about: ["a", "c"])
            #expect(try await test.reopen().reportedTroubles() == ["b"])
            let isTold = try await test.store.recordTrouble(
                about: "a", digest: "1", againAfter: day, now: Samples.start)
            #expect(isTold)
        },
        StorePromise("Only one of several processes reports a problem") { test in
            let stores = try (0..<4).map { _ in try test.reopen() }
            let told = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for store in stores {
                    tasks.addTask {
                        try await store.recordTrouble(
                            about: "a", digest: "1", againAfter: day, now: Samples.start)
                    }
                }
                var told = 0
                for try await isTold in tasks where isTold { told += 1 }
                return told
            }
            #expect(told == 1)
        },
        StorePromise("A campaign's unfinished runs are found, newest first") {
            test in
            let runs = [
                Samples.run("aaaaaa"),
                Samples.run(
                    "bbbbbb", occurrence: .again(Samples.runID("bbbbbb")),
                    started: Samples.start + 1),
                Samples.run("cccccc", occurrence: Occurrence(checked: "c")),
                Samples.run("dddddd", isRehearsal: true), Samples.run("eeeeee", campaign: "other"),
                Samples.run("ffffff", hub: "elsewhere"),
            ]
            for run in runs { try await test.store.begin(run) }
            try await test.store.setState(
                .finished, reason: nil, of: runs[2].id, at: Samples.start)
            let found = try await test.reopen().unfinished(
                campaign: runs[0].campaign, at: runs[0].hub)
            #expect(found.map(\.id) == [runs[1].id, runs[0].id])
            let all = try await test.store.unfinished(campaign: nil, at: runs[0].hub)
            #expect(all.map(\.id).sorted() == [runs[0].id, runs[1].id, runs[4].id].sorted())
        },
    ]
}
