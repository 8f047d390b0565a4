import CampaignCore
import FoundationEssentials
import Testing

extension StorePromise {
    package static let languages = [
        StorePromise("People with the same language share a notification that nobody else gets") {
            test in
            let staged = try await StagedLanguages(in: test, kind: .rich)
            let names = staged.names
            let other = try test.reopen()
            try await other.verify(Samples.runID())
            for (index, name) in names.enumerated() {
                for (language, id) in staged.ids {
                    let found = try await other.notification(id, for: name)
                    #expect((found != nil) == (language == staged.languages[index]))
                    #expect(found?.notification.recipient == nil)
                    #expect(found?.place.number == found.map { _ in index + 1 })
                }
            }
            let rows = try await other.reportPage(Samples.runID(), after: 0, recipients: 9).rows
            #expect(
                rows.filter { $0.platform == .apns }.map(\.notification)
                    == staged.languages.map { staged.ids[$0] })
            let list = try await other.overviews(run: nil, after: nil, limit: 9)
            #expect(list.count == 3)
            #expect(
                Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0.recipients) })
                    == [staged.id("de"): 2, staged.id("pt-BR"): 1, staged.id(nil): 1])
            let last = try await other.overviews(run: nil, after: list[1].id, limit: 9)
            #expect(last == [list[2]])
        },
        StorePromise("Receipts are counted for the language that was fetched") { test in
            let staged = try await StagedLanguages(in: test, kind: .rich)
            try await test.receive(staged.id("de"), [.fetched, .read], by: staged.names[2])
            let list = try await test.store.overviews(run: nil, after: nil, limit: 9)
            #expect(
                Dictionary(uniqueKeysWithValues: list.map { ($0.id, [$0.fetched, $0.read]) })
                    == [
                        staged.id("de"): [1, 1], staged.id("pt-BR"): [0, 0],
                        staged.id(nil): [0, 0],
                    ])
        },
        StorePromise("An inbox shows title, link and data in the person's language") { test in
            let staged = try await StagedLanguages(in: test, kind: .rich)
            try await test.accept(1...4, of: Samples.runID())
            let found = try await test.store.notifications(
                for: staged.names[1], isUnread: false, after: nil, limit: 9, at: Samples.start)
            let shown = try #require(found.first?.notification)
            #expect(found.count == 1)
            #expect(shown.id == staged.id("pt-BR"))
            #expect(shown.language == LanguageTag("pt-BR"))
            #expect(shown.texts.title == "title pt-BR")
            #expect(shown.link == "https://shop.example/pt-BR")
            #expect(shown.data == ["lang": "pt-BR"])
        },
        StorePromise("A claim contains the texts for its language and platform") { test in
            let staged = try await StagedLanguages(in: test, kind: .rich)
            for platform in [Platform.apns, .fcm] {
                let claims = try await test.store.claimNext(
                    Samples.runID(), platform: platform, limit: 9)
                #expect(claims.map(\.notification) == staged.languages.map { staged.ids[$0] })
                for (claim, language) in zip(claims, staged.languages) {
                    let word = language?.text ?? "else"
                    #expect(claim.isShared)
                    #expect(claim.pushed.texts.title == "title \(word)")
                    #expect(
                        claim.pushed.texts.message
                            == (platform == .fcm ? "short \(word)" : "message \(word)"))
                    #expect(claim.pushed.texts.placeholder == "news \(word)")
                    #expect(claim.pushed.link == "https://shop.example/\(word)")
                    #expect(claim.pushed.data == ["lang": word])
                }
            }
        },
        StorePromise("A claim for a secure notification contains only what its push shows") {
            test in
            let staged = try await StagedLanguages(in: test, kind: .secure)
            let claims = try await test.store.claimNext(Samples.runID(), platform: .apns, limit: 9)
            #expect(
                claims.map(\.pushed.texts.placeholder)
                    == staged.languages.map { "news \($0?.text ?? "else")" })
            let fetched = try await test.store.notification(staged.id("de"), for: staged.names[0])
            #expect(fetched?.notification.link == "https://shop.example/de")
            #expect(fetched?.notification.bytes == Array("content de".utf8))
        },
        StorePromise("A personal notification also has its texts") { test in
            let names = Samples.names(2)
            let own = names.map { name in
                StagedLanguages.notification(LanguageTag("de"), word: name.text)
            }
            var run = Samples.run(platforms: [.apns, .fcm])
            run.pushOptions.placeholders = [.apns, .fcm]
            try await test.store.begin(run)
            try await test.store.append(
                zip(names, own).map { StagedRecipient(username: $0, notification: $1) }, to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 2))
            try await test.store.verify(run.id)
            let claims = try await test.store.claimNext(run.id, platform: .fcm, limit: 9)
            #expect(claims.map(\.pushed.texts.message) == names.map { "short \($0)" })
            #expect(claims.map(\.pushed.texts.placeholder) == names.map { "news \($0)" })
            #expect(claims.allSatisfy { !$0.isShared })
            let found = try await test.store.notification(own[1].id, for: names[1])
            #expect(found?.notification.language == LanguageTag("de"))
            #expect(found?.notification.data == ["lang": names[1].text])
            #expect(try await test.store.run(run.id)?.pushOptions == run.pushOptions)
        },
        StorePromise("Languages staged by a process that died are removed") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let (first, second) = (
                StagedLanguages.notification(LanguageTag("de"), word: "de"),
                StagedLanguages.notification(LanguageTag("fr"), word: "fr")
            )
            try await test.store.store(first, of: run.id)
            try await test.store.append(
                [StagedRecipient(username: Samples.names(1)[0], language: LanguageTag("de"))],
                to: run.id)
            try await test.store.clearStaging(run.id)
            try await test.store.store(second, of: run.id)
            try await test.store.append(
                [StagedRecipient(username: Samples.names(1)[0], language: LanguageTag("fr"))],
                to: run.id)
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 1))
            try await test.store.verify(run.id)
            let list = try await test.store.overviews(run: nil, after: nil, limit: 9)
            #expect(list.map(\.id) == [second.id])
        },
        StorePromise("A purge deletes expired payloads in every language") { test in
            let staged = try await StagedLanguages(in: test, kind: .rich)
            let later = Samples.start + 604_801
            let counts = try await test.store.purge(at: later, isDryRun: false)
            #expect(counts.notifications == 3)
            for id in staged.ids.values {
                let found = try #require(try await test.store.notification(id))
                #expect(
                    found.bytes == nil && found.texts.message == nil && found.texts.title == nil)
                #expect(found.data.isEmpty)
            }
            #expect(try await test.store.purge(at: later, isDryRun: true).notifications == 0)
        },
    ]
}

/// A run for four people in two languages and the language of everybody else.
private struct StagedLanguages {
    let names = Samples.names(4)
    let languages = ["de", "pt-BR", "de", nil].map { $0.flatMap(LanguageTag.init) }
    private(set) var ids: [LanguageTag?: NotificationID] = [:]

    package init(in test: StoreUnderTest, kind: CampaignKind) async throws {
        var run = Samples.run(kind: kind, platforms: [.apns, .fcm])
        run.pushOptions.placeholders = [.apns, .fcm]
        try await test.store.begin(run)
        for language in [languages[0], languages[1], nil] {
            let notification = Self.notification(language, word: language?.text ?? "else")
            ids[language] = notification.id
            try await test.store.store(notification, of: run.id)
        }
        try await test.store.append(
            zip(names, languages).map { StagedRecipient(username: $0, language: $1) }, to: run.id)
        try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 4))
    }

    package func id(_ language: String?) -> NotificationID {
        ids[language.flatMap(LanguageTag.init)] ?? .placeholder
    }

    package static func notification(_ language: LanguageTag?, word: String) -> NewNotification {
        var notification = Samples.notification(
            "message \(word)", content: .text("content \(word)", mediaType: "text/plain"))
        notification.language = language
        notification.texts.title = "title \(word)"
        notification.texts.placeholder = "news \(word)"
        notification.link = "https://shop.example/\(word)"
        notification.data = ["lang": word]
        notification.platformTexts = [.fcm: Texts(message: "short \(word)")]
        return notification
    }
}
