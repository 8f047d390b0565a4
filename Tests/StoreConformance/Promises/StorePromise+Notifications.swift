import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    package static let notifications = [
        StorePromise("Nobody can fetch a revoked run's payloads") { test in
            let (kept, taken) = (Samples.run("keptts"), Samples.run("takenn", campaign: "other"))
            var ids: [NotificationID] = []
            for run in [kept, taken] {
                try await test.store.begin(run)
                let notification = Samples.notification()
                try await test.store.store(notification, of: run.id)
                try await test.store.append(
                    Samples.names(2).map { StagedRecipient(username: $0) }, to: run.id)
                try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 2))
                ids.append(notification.id)
            }
            try await test.store.revoke(taken.id, at: Samples.start)
            try await test.store.revoke(taken.id, at: Samples.start + 1)
            let other = try test.reopen()
            let shown = try await other.notification(ids[1])
            #expect(shown?.revoked == Samples.start)
            #expect(shown?.bytes == Array("the content".utf8))
            #expect(try await other.notification(ids[1], for: Samples.names(1)[0]) == nil)
            #expect(try await other.notification(ids[0], for: Samples.names(1)[0]) != nil)
        },
        StorePromise("Only recipients can fetch a shared notification") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let bytes: [UInt8] = [0x89, 0x50, 0x00, 0xFF]
            let file = PayloadFile(path: "logo.png", mediaType: "image/png", bytes: bytes)
            let notification = Samples.notification("Look", type: "img", content: .file(file))
            try await test.store.store(notification, of: run.id)
            try await test.store.append(
                Samples.names(2).map { StagedRecipient(username: $0) }, to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 2))

            let other = try test.reopen()
            let received = try await other.notification(
                notification.id, for: Username(checked: "user-00002"))
            let stored = received?.notification
            #expect(received?.place.number == 2)
            #expect(received?.fetched == nil)
            #expect(received?.read == nil)
            #expect(
                stored
                    == StoredNotification(
                        id: notification.id, run: run.id, kind: .rich, type: "img",
                        texts: Texts(message: "Look"), mediaType: "image/png", bytes: bytes,
                        digest:
                            "bdbaeb5461965483dc4a6d3f7ac8791caa77df6161646fb377f8df30eaac6359",
                        created: run.started, expires: run.expires))
            #expect(try await other.notification(notification.id) == stored)
            for name in ["user-00003", "USER-00001", "user-0000"] {
                #expect(
                    try await other.notification(notification.id, for: Username(checked: name))
                        == nil)
            }
        },
        StorePromise("A public payload can be described without its content") { test in
            let names = Samples.names(2)
            let file = PayloadFile(path: "a.png", mediaType: "image/png", bytes: [1, 2, 3, 4])
            let shared = try await test.stage(
                names,
                notification: Samples.notification("Look", type: "img", content: .file(file)))
            let own = try await test.stagePersonal(
                names, of: Samples.run("bbbbbb", campaign: "b"), file: file)
            try await test.receive(shared, [.fetched], by: names[1])
            for id in [shared, own[1]] {
                let whole = try #require(try await test.store.notification(id, for: names[1]))
                var expected = whole
                expected.notification.bytes = nil
                let other = try test.reopen()
                let found = try await other.notification(id, for: names[1], hasContent: false)
                #expect(found == expected)
                #expect(found?.byteCount == 4)
                #expect(found?.notification.digest != nil)
                #expect(found?.notification.texts.message != nil)
            }
        },
        StorePromise("The description of a secret payload says only that it exists") { test in
            let names = Samples.names(2)
            let secure = try await test.stage(
                names, of: Samples.run(kind: .secure),
                notification: Samples.notification(
                    nil, type: nil, content: .text("sesame", mediaType: "text/plain")))
            let own = try await test.stagePersonal(names, of: Samples.run("bbbbbb", campaign: "b"))
            for id in [secure, own[1]] {
                let whole = try #require(try await test.store.notification(id, for: names[1]))
                #expect(whole.byteCount == whole.notification.bytes?.count)
                let found = try await test.store.notification(id, for: names[1], hasContent: false)
                #expect(found?.place == whole.place)
                #expect(found?.notification.expires == whole.notification.expires)
                #expect(found?.notification.mediaType == "text/plain")
                #expect(found?.byteCount == nil)
                #expect(found?.notification.bytes == nil)
                #expect(found?.notification.digest == nil)
                #expect(found?.notification.texts.message == nil)
            }
            #expect(try await test.store.revoke(secure, at: Samples.start))
            for id in [secure, own[0], .placeholder] {
                #expect(
                    try await test.store.notification(id, for: names[1], hasContent: false) == nil)
            }
        },
        StorePromise("Only its recipient can fetch a personal notification") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let names = Samples.names(2)
            let own = names.map {
                Samples.notification("Hi", content: .text("for \($0) ü", mediaType: "text/plain"))
            }
            try await test.store.append(
                zip(names, own).map { StagedRecipient(username: $0, notification: $1) },
                to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 2))
            for (index, notification) in own.enumerated() {
                let mine = try await test.store.notification(
                    notification.id, for: names[index])?.notification
                #expect(mine?.recipient == names[index])
                #expect(try await test.store.notification(notification.id) == mine)
                #expect(mine?.bytes == Array("for \(names[index]) ü".utf8))
                #expect(mine?.mediaType == "text/plain")
                #expect(mine?.digest?.count == 64)
                #expect(
                    try await test.store.notification(notification.id, for: names[1 - index])
                        == nil)
            }
        },
        StorePromise("An alert has nothing to fetch") { test in
            let run = Samples.run(kind: .alert)
            try await test.store.begin(run)
            let notification = Samples.notification("Down at 8", type: nil, content: .none)
            try await test.store.store(notification, of: run.id)
            let alice = Username(checked: "alice")
            try await test.store.append([StagedRecipient(username: alice)], to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 1))
            #expect(try await test.store.notification(notification.id, for: alice) == nil)
            let stored = try #require(try await test.store.notification(notification.id))
            #expect(stored.kind == .alert)
            #expect(stored.texts.message == "Down at 8")
            #expect(stored.bytes == nil)
            #expect(stored.mediaType == nil)
            #expect(stored.digest == nil)
        },
        StorePromise("An unknown ID has no notification") { test in
            let alice = Username(checked: "alice")
            let found = try await test.store.notification(.placeholder)
            let fetched = try await test.store.notification(.placeholder, for: alice)
            #expect(found == nil)
            #expect(fetched == nil)
        },
    ]
}
