import CampaignCore
import FoundationEssentials
import Storage
import Testing

extension StorePromise {
    private static let names = Samples.names(3)

    package static let overviews = [
        StorePromise("A list shows stored payloads, newest run first, then by number") { test in
            let old = Samples.run("aaaaaa", campaign: "old", kind: .secure)
            let shared = try await test.stage(
                names, of: old,
                notification: Samples.notification(
                    nil, type: nil, content: .text("sesame", mediaType: "text/plain")))
            let new = Samples.run("bbbbbb", campaign: "new")
            let own = try await test.stagePersonal(names, of: new)
            try await test.receive(shared, [.fetched, .read], by: names[0])
            try await test.receive(shared, [.fetched], by: names[2])
            try await test.receive(own[1], [.fetched], by: names[1])
            #expect(try await test.store.revoke(own[2], at: Samples.start + 3))

            let list = try await test.reopen().overviews(run: nil, after: nil, limit: 10)
            #expect(list.map(\.id) == own + [shared])
            #expect(list.map(\.campaign) == ["new", "new", "new", "old"])
            #expect(list.map(\.kind) == [.rich, .rich, .rich, .secure])
            #expect(list.map(\.recipient) == names + [nil])
            #expect(list.map(\.recipients) == [1, 1, 1, 3])
            #expect(list.map(\.fetched) == [0, 1, 0, 2])
            #expect(list.map(\.read) == [0, 0, 0, 1])
            #expect(list.map(\.revoked) == [nil, nil, Samples.start + 3, nil])
            #expect(list.allSatisfy { $0.mediaType == "text/plain" && $0.isEncrypted })
            // The size of the content, without encryption, type and message.
            #expect(list.map(\.byteCount) == [19, 19, 19, 6])
            #expect(list.allSatisfy { $0.created == Samples.start })
        },
        StorePromise("Public payloads are not encrypted, and alerts have no content") { test in
            let file = PayloadFile(path: "a.png", mediaType: "image/png", bytes: [1, 2, 3, 4])
            try await test.stage(
                names, of: Samples.run("aaaaaa"),
                notification: Samples.notification(content: .file(file)))
            let alert = Samples.run("bbbbbb", campaign: "loud", kind: .alert)
            try await test.stage(
                names, of: alert,
                notification: Samples.notification("Down at 8", type: nil, content: .none))
            let all = try await test.store.overviews(run: nil, after: nil, limit: 10)
            let list = try await test.store.overviews(run: alert.id, after: nil, limit: 10) + all
            #expect(list.map(\.byteCount) == [nil, 4])
            #expect(list.map(\.mediaType) == [nil, "image/png"])
            #expect(list.map(\.isEncrypted) == [false, false])
        },
        StorePromise("Alerts are listed only with their run") { test in
            let alert = Samples.run("bbbbbb", campaign: "loud", kind: .alert)
            let shared = try await test.stage(names)
            try await test.stagePersonal(names, of: alert)
            let all = try await test.store.overviews(run: nil, after: nil, limit: 10)
            #expect(all.map(\.id) == [shared])
            let own = try await test.store.overviews(run: alert.id, after: nil, limit: 10)
            #expect(own.count == names.count)
        },
        StorePromise("A list can be read in pages and limited to one run") { test in
            let run = Samples.run("bbbbbb", campaign: "new")
            let shared = try await test.stage(names)
            let own = try await test.stagePersonal(names, of: run)
            for limit in [1, 2] {
                var found: [NotificationID] = []
                while true {
                    let page = try await test.store.overviews(
                        run: nil, after: found.last, limit: limit)
                    if page.isEmpty { break }
                    found += page.map(\.id)
                }
                #expect(found == own + [shared])
            }
            let one = try await test.store.overviews(run: run.id, after: own[0], limit: 9)
            #expect(one.map(\.id) == Array(own[1...]))
            let foreign = try await test.store.overviews(run: run.id, after: shared, limit: 9)
            #expect(foreign.isEmpty)
            await #expect(throws: StoreError.noSuchRun(Samples.runID("zzzzzz"))) {
                try await test.store.overviews(run: Samples.runID("zzzzzz"), after: nil, limit: 1)
            }
        },
        StorePromise("Runs are listed by their start time, not in the order of storage") { test in
            let late = Samples.run("aaaaaa", campaign: "late", started: Samples.start + 9)
            let early = Samples.run("bbbbbb", campaign: "early")
            let ids = [
                try await test.stage(names, of: late), try await test.stage(names, of: early),
            ]
            for run in [late, early] { try await test.accept(1...3, of: run.id) }
            for first in [nil, ids[0]] {
                let rest = first == nil ? ids : [ids[1]]
                let seen = try await test.store.notifications(
                    for: names[0], isUnread: false, after: first, limit: 9, at: Samples.start)
                #expect(seen.map(\.notification.id) == rest)
                let listed = try await test.store.overviews(run: nil, after: first, limit: 9)
                #expect(listed.map(\.id) == rest)
            }
        },
        StorePromise("A run that is being staged is not listed") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            try await test.store.store(Samples.notification(), of: run.id)
            #expect(try await test.store.overviews(run: nil, after: nil, limit: 9).isEmpty)
        },
    ]
}
