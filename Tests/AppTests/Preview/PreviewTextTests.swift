import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PreviewTextTests {
    private func text(_ model: PreviewModel, width: Int = 80, requests: Bool = false) -> String {
        PreviewDocument(model: model, showsRequests: requests).text(width: width)
    }

    @Test("A preview shows the summary, the messages and the sizes")
    func previewShowsTheSummaryTheMessagesAndTheSizes() throws {
        #expect(
            try text(PreviewSamples.rich()) == """
                Campaign spring-sale (rich) would reach 988 people with 4,940 pushes:

                  about       "Spring sale, loyalty members"
                  shows       "You have a new message" at first; after the app has fetched it:
                              "Spring sale", "Hi Alice, check this out!", "images/logo.png"
                              (image/png, 3 bytes)
                  people      988 (1,000 in the list, 8 duplicates, 4 excluded)
                  languages   default 640, German (de) 348
                  platforms   apns, fcm, adm, wns, browser
                  when        as soon as you run it; the app can fetch it for 7 days
                  requests    4,940, about 10 s at 500 a second
                  hub         contoso.example/news

                Unusual
                  ! 1,200 fewer people than in the run of 2026-12-01
                  ! nobody reads French (fr), although "message" has a text in it

                What people read

                  640 people, as alice reads it
                  on apns, fcm, adm, browser:
                  at first    | You have a new message
                  title       | Spring sale
                  fetched     | Hi Alice, check this out!
                  on wns:
                  at first    | You have a new message
                  title       | Spring sale
                  fetched     | Short
                  opens       | https://shop.example/sale
                  data        | campaign: spring
                  fetches     | "images/logo.png" (image/png, 3 bytes)

                  German (de), 348 people, as bob reads it
                  on apns, fcm, adm, browser:
                  at first    | You have a new message
                  title       | Frühlingsangebot
                  fetched     | Hallo Bob!
                  on wns:
                  at first    | You have a new message
                  title       | Frühlingsangebot
                  fetched     | Short
                  opens       | https://shop.example/sale
                  data        | campaign: spring
                  fetches     | "images/logo.png" (image/png, 3 bytes)

                Largest body
                  apns     118  of 4,096 bytes  2.9 %
                  fcm      118  of 4,096 bytes  2.9 %
                  adm      118  of 4,096 bytes  2.9 %
                  wns      118  of 4,096 bytes  2.9 %
                  browser  118  of 4,096 bytes  2.9 %

                Nothing was sent and nothing was stored.

                """)
    }

    @Test("A secure push shows nothing until the app has fetched its text")
    func securePushShowsNothingUntilTheAppHasFetchedItsText() {
        let shown = text(PreviewSamples.secure())
        #expect(shown.contains("  at first    nothing is shown until the app has fetched it\n"))
        #expect(shown.contains("  fetched     | There is news.\n"))
        #expect(
            shown.contains(
                "  shows       nothing at first; after the app has fetched it: \"There is news.\"\n"
            ))
        let visible = text(PreviewSamples.secure(placeholder: "News for you"))
        #expect(visible.contains("  at first    | News for you\n"))
        #expect(!visible.contains("nothing is shown"))
    }

    @Test("A long secure text is cut in the summary and complete below it")
    func longSecureTextIsCutInTheSummaryAndCompleteBelowIt() {
        let long = Array(repeating: "word", count: 60).joined(separator: " ")
        let shown = PreviewDocument(model: PreviewSamples.secure(text: long)).text()
        #expect(
            shown.contains(
                "  shows       nothing at first; after the app has fetched it: \"word word"))
        #expect(shown.contains("…\"\n"))
        #expect(shown.contains("  fetched     | \(long)\n"))
    }

    @Test("The text that a rich message fetches is shown")
    func textThatARichMessageFetchesIsShown() {
        let shown = text(PreviewSamples.richText("First line\nSecond line"))
        #expect(shown.contains("  fetched     | Look\n"))
        #expect(
            shown.contains(
                """
                  fetches     | First line
                              | Second line

                """))
        let comment = PreviewMarkdown(
            [.campaign(PreviewSamples.richText("First line\nSecond line"))], showsRequests: false
        ).text()
        #expect(
            comment.contains("  fetches     | First line\n              | Second line\n```\n"))
    }

    @Test("Requests are shown with --requests") func requestsAreShownWithRequests() throws {
        #expect(try !text(PreviewSamples.rich()).contains("POST"))
        let shown = try text(PreviewSamples.rich(), requests: true)
        #expect(shown.contains("  POST https://<hub>/messages/?api-version=2015-01\n"))
        #expect(shown.contains("  ServiceBusNotification-Tags: username:alice\n"))
        #expect(shown.contains("  | {\"aps\":{\"content-available\":1}}\n"))
    }

    @Test("No line is wider than the terminal", arguments: [40, 80, 120])
    func noLineIsWiderThanTheTerminal(width: Int) {
        let long = String(repeating: "漢字 e\u{301}👨‍👩‍👧 wörter ", count: 60)
        let model = PreviewSamples.alert(long)
        for line in text(model, width: width).split(separator: "\n") {
            #expect(VisibleText.width(of: line) <= width, "\(line)")
        }
    }

    @Test("Text from files never becomes a build log command")
    func textFromFilesNeverBecomesABuildLogCommand() {
        let hostile = String(repeating: "word ", count: 20) + "::error::x ##[error]y\n::error::z"
        let shown = text(PreviewSamples.alert(hostile), width: 60)
        let commands = shown.split(separator: "\n").filter { line in
            line.drop { $0 == " " }.hasPrefix("::") || line.contains("##[")
        }
        #expect(commands.isEmpty)
    }

    @Test("If nothing would be sent, the headline says so")
    func ifNothingWouldBeSentTheHeadlineSaysSo() throws {
        var model = PreviewSamples.secure()
        model.outlook = PreviewOutlook(action: .nothing, run: ReportSamples.record(), deliveries: 0)
        #expect(!model.wouldSend)
        #expect(
            text(model).hasPrefix(
                "Campaign notice (secure) has been sent: run \(ReportSamples.run) is"))
        model.outlook = PreviewOutlook(action: .begin, deliveries: 2, capped: 2)
        #expect(!model.wouldSend)
        #expect(
            text(model, width: 120).hasPrefix(
                "Campaign notice (secure) would reach nobody now: frequency_cap would skip 2 of 2 pushes:\n"
            ), "\(text(model, width: 120))")
        model.outlook = PreviewOutlook(
            action: .proceed, run: ReportSamples.record(state: .paused), deliveries: 1, capped: 1)
        #expect(
            text(model, width: 120).replacing("\n", with: " ").hasPrefix(
                "Campaign notice (secure) would continue run \(ReportSamples.run), but frequency_cap would skip 1 of 1 push. The file now has:"
            ), "\(text(model, width: 120))")
        model.outlook = PreviewOutlook(
            action: .nothing,
            run: ReportSamples.record(
                state: .waiting, finished: nil,
                resumes: ReportSamples.start.addingTimeInterval(18_000)),
            deliveries: 1)
        #expect(!model.wouldSend)
        #expect(
            text(model, width: 120).replacing("\n", with: " ").hasPrefix(
                "Campaign notice (secure) would send nothing now: run \(ReportSamples.run) waits until 2026-12-01 14:00:00 UTC, with 1 push to go. The file now has:"
            ), "\(text(model, width: 120))")
        model.outlook = PreviewOutlook(action: .begin, deliveries: 2, capped: 1)
        // The sample has a platform with 988 people.
        #expect(text(model).contains("would reach 2 people with 988 pushes:\n"))
        model.outlook = .unknown(because: .olderStore)
        #expect(model.wouldSend)
        #expect(text(model).contains("older version of hubsend"))
    }

    @Test("A preview without recipients names no platforms")
    func previewWithoutRecipientsNamesNoPlatforms() {
        var model = PreviewSamples.secure()
        (model.audience, model.platforms, model.messages) = (AudienceCounts(named: 2), [], [])
        let shown = text(model)
        #expect(shown.contains("would reach 0 people with 0 pushes:\n"))
        #expect(!shown.contains("  platforms"), "\(shown)")
        let comment = PreviewMarkdown([.campaign(model)], showsRequests: false).text()
        #expect(!comment.contains("platforms"), "\(comment)")
        #expect(!comment.contains("<details>"), "\(comment)")
        let page = PreviewPage([.campaign(model)], made: ReportSamples.start).html()
        #expect(!page.contains("Largest body") && !page.contains("What people read"))
    }

    @Test("A preview says that values are hidden") func previewSaysThatValuesAreHidden() {
        var model = PreviewSamples.alert("Hi {{name}}")
        model.isMasked = true
        #expect(!text(model).contains("hidden"))
        model.isPersonal = true
        #expect(text(model).contains("People's names and values are hidden"))
    }
}
