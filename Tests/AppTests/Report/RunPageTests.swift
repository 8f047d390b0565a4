import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunPageTests {
    private func page(_ details: RunDetails = ReportSamples.details(), _ rows: [[ReportRow]] = [])
        -> String
    {
        let page = RunPage(
            details, command: CommandForm(), made: ReportSamples.start)
        var bytes = page.header()
        for part in rows { page.append(part, to: &bytes) }
        bytes += page.footer()
        return String(decoding: bytes, as: UTF8.self)
    }

    private func tags(_ html: String) -> [Substring] {
        html.matches(of: /<(\/?[a-zA-Z!][a-zA-Z0-9]*)/).map(\.1)
    }

    /// The rows that the page's script would read, one array per script element.
    private func rows(_ html: String) throws -> [[[Value]]] {
        try html.matches(of: /<script type="application\/json">([^<]*)<\/script>/).map {
            try JSONDecoder().decode([[Value]].self, from: Data($0.1.utf8))
        }
    }

    private enum Value: Decodable, Hashable, ExpressibleByStringLiteral,
        ExpressibleByIntegerLiteral
    {
        case text(String)
        case number(Int)
        case nothing

        init(stringLiteral text: String) { self = .text(text) }
        init(integerLiteral number: Int) { self = .number(number) }

        init(from decoder: any Decoder) throws {
            let cell = try decoder.singleValueContainer()
            if cell.decodeNil() {
                self = .nothing
            } else if let number = try? cell.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try cell.decode(String.self))
            }
        }
    }

    @Test("Details leave out tracking IDs, which differ in each response")
    func detailsLeaveOutTrackingIDsWhichDifferInEachResponse() throws {
        let details = ["1", "2"].map { number in
            "HTTP 400: bad. TrackingId:3f2504e0-4f89-11d3-9a0c-0305e82c330\(number)_G0,TimeStamp:1"
        }
        let html = page(
            ReportSamples.details(),
            [details.map { ReportSamples.row(outcome: .rejected, detail: $0) }])
        #expect(!html.contains("TrackingId"))
        #expect(try rows(html).first?.map { $0[3] } == ["HTTP 400: bad", 0])
    }

    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "</style>",
        "--><svg/onload=x>", "<!--<script>", "&lt;", "\u{202E}evil\u{1B}[2J", "a\n::error::b",
        "\u{2028}\u{2029}", "</title>", "\u{D4E}<b>", "<\u{301}b>", "]}\\\"<", "##vso[task.x]",
    ]

    @Test("Text from the store never becomes markup", arguments: hostile)
    func textFromTheStoreNeverBecomesMarkup(text: String) throws {
        let row = { (text: String) in
            ReportSamples.row(outcome: .rejected, detail: "d\(text)", hubMessage: "m\(text)")
        }
        let clean = page(ReportSamples.details("plain"), [[row("plain")]])
        let html = page(ReportSamples.details(text), [[row(text)]])
        #expect(tags(html) == tags(clean))
        for sign in ["<", ">"] as [Unicode.Scalar] where sign == "<" || !text.contains(">") {
            #expect(
                html.unicodeScalars.count { $0 == sign }
                    == clean.unicodeScalars.count { $0 == sign })
        }
        for line in html.split(separator: "\n") {
            #expect(!line.drop { $0 == " " }.hasPrefix("::"))
        }
        for hidden in ["\u{202E}", "\u{1B}", "\u{2028}", "\u{2029}", "##vso["] {
            #expect(!html.contains(hidden))
        }
        let cells = try #require(try rows(html).first?.first)
        #expect(cells[3] == .text(VisibleText.lines(HubText.cleaned("d\(text)"))))
        #expect(cells[8] == .text(VisibleText.lines(HubText.cleaned("m\(text)"))))
    }

    @Test("The page is self-contained") func pageIsSelfContained() {
        let html = page()
        for word in ["<link", "@import", "url(", "href=", "src=", "fetch(", "style=\"", "onclick"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.contains("content=\"default-src 'none'; script-src 'sha256-"))
        #expect(!html.contains("unsafe"))
        #expect(html.contains("prefers-color-scheme: dark"))
        #expect(html.contains("@media print"))
        #expect(WrittenReport.matches(Array(html.utf8)))
        #expect(html.hasSuffix("</body>\n</html>\n"))
    }

    @Test("The funnel is shown first") func funnelIsShownFirst() throws {
        let html = page()
        let steps = html.matches(
            of:
                /<span class="step">([a-z]+)<\/span>.*?<b>([0-9,]+)<\/b><span class="share">([^<]*)</
        )
        #expect(
            steps.map { "\($0.1) \($0.2) \($0.3)" } == [
                "listed 1,000 ", "sent 988 98.8 % of listed", "accepted 985 99.7 % of sent",
                "fetched 640 65.0 % of accepted", "read 312 48.8 % of fetched",
            ])
        let funnel = try #require(html.firstRange(of: "<section class=\"funnel\""))
        let first = try #require(html.firstRange(of: "<section"))
        #expect(funnel.lowerBound == first.lowerBound)
    }

    @Test("The signs < and > in a share are escaped") func signsAndInAShareAreEscaped() {
        var details = ReportSamples.details()
        details.overview.outcomes = OutcomeCounts([.accepted: 1, .rejected: 1_000_000])
        details.platforms = [PlatformOutcomes(.apns, details.overview.outcomes)]
        details.overview.run.counts.named = 1_000_000
        details.tried = 1
        let html = page(details)
        #expect(html.contains("<b>1</b> accepted, &lt;0.1 %: "))
        #expect(html.contains("&lt;0.1 % accepted</span>"))
        #expect(html.contains("&lt;0.1 % of listed</span>"))
        #expect(html.contains("<b>1,000,000</b> rejected, &gt;99.9 %: "))
    }

    @Test("The page of an alert shows no fetches and no reads")
    func pageOfAnAlertShowsNoFetchesAndNoReads() {
        var details = ReportSamples.details()
        details.overview.run.kind = .alert
        let html = page(details)
        #expect(!html.contains(">fetched</span>"))
        #expect(!html.contains("id=\"people\""))
        #expect(html.contains("People, from listed to accepted"))
    }

    @Test("The numbers in charts are also available as text")
    func numbersInChartsAreAlsoAvailableAsText() {
        let html = page()
        #expect(html.contains(#"<desc id="sends-desc">1,970 in total; most in the 5 s from "#))
        #expect(html.contains("<title>2026-12-01 09:00:00 UTC: 1,900 accepted</title>"))
        #expect(html.contains(#"<desc id="errors-desc">5 in total; "#))
        #expect(
            html.contains(
                #"<tr><th scope="row" class="word">2026-12-01 09:00:05 UTC</th><td class="number">70</td>"#
                    + #"<td class="number">4</td><td class="number">0</td><td class="number">1</td></tr>"#
            ))
        #expect(
            html.contains(
                #"<tr><th scope="row">apns</th><td class="number">985</td><td class="number">2</td>"#
            )
        )
    }

    @Test("A run without errors has no error chart") func runWithoutErrorsHasNoErrorChart() {
        var details = ReportSamples.details()
        details.course?.steps = [OutcomeCounts([.accepted: 3])]
        let html = page(details)
        #expect(!html.contains("errors-desc"))
        #expect(html.contains("No push was rejected, failed or stayed unanswered."))
    }

    @Test("Waves are also shown as text, with their numbers and zones")
    func wavesAreAlsoShownAsTextWithTheirNumbersAndZones() {
        var details = ReportSamples.details()
        details.waves = ReportSamples.waves
        let html = page(details)
        #expect(html.contains(#"<h2 id="waves">Waves</h2>"#))
        #expect(
            html.contains(
                #"<tr><th scope="row" class="word">2026-12-01 14:00:00 UTC</th><td class="number">88</td>"#
            ))
        #expect(html.contains(#"<td class="zones">America/New_York</td></tr>"#))
        #expect(
            html.contains(
                "<td class=\"zones\">Europe/Berlin, Europe/Paris, Europe/Rome and 1 more</td>"))
        #expect(!page().contains("id=\"waves\""))
    }

    @Test("A time zone from a file is escaped") func timeZoneFromAFileIsEscaped() {
        var details = ReportSamples.details()
        let wave = ReportSamples.waves[0].wave
        details.waves = [
            WaveOutcomes(
                wave: RunWave(
                    number: 1, recipients: wave.recipients, windows: wave.windows,
                    zones: ["<script>alert(1)</script>"]), outcomes: OutcomeCounts())
        ]
        #expect(
            page(details).contains(
                "<td class=\"zones\">&lt;script&gt;alert(1)&lt;/script&gt;</td>"))
    }

    @Test("Empty sections are left out") func emptySectionsAreLeftOut() {
        var details = ReportSamples.details()
        details.course = nil
        details.overview.outcomes = OutcomeCounts()
        details.overview.reasons = []
        details.platforms = []
        let html = page(details)
        for part in ["id=\"course\"", "id=\"outcomes\"", "id=\"reasons\"", "<aside"] {
            #expect(!html.contains(part), "\(part)")
        }
    }

    @Test("The next step is shown at the top") func nextStepIsShownAtTheTop() {
        var details = ReportSamples.details()
        details.overview.run.state = .paused
        details.overview.run.reason = "The hub refuses the key."
        details.overview.run.finished = nil
        let html = page(details)
        #expect(html.contains("<li>The hub refuses the key.</li>"))
        #expect(html.contains("<li>To continue: hubsend resume 20261201T090000Z-abcdef</li>"))
    }

    @Test("The page of a waiting run says what comes next, but asks for nothing")
    func pageOfAWaitingRunSaysWhatComesNextButAsksForNothing() {
        var details = ReportSamples.details()
        details.overview.run.state = .waiting
        details.overview.run.finished = nil
        let html = page(details)
        #expect(html.contains("<h2>Next steps</h2>"))
        #expect(!html.contains("Needs attention"))
    }

    @Test("Each row is written only once, without repeated text")
    func eachRowIsWrittenOnlyOnceWithoutRepeatedText() throws {
        let time = ReportSamples.start.addingTimeInterval(60.9)
        let parts = [
            [
                ReportSamples.row(fetchedAt: time, readAt: time),
                ReportSamples.row(
                    platform: .fcm, outcome: .rejected, detail: "400: bad", hubMessage: nil,
                    attempts: 3, fetchedAt: time, readAt: time),
            ],
            [
                ReportSamples.row(
                    recipient: "bob", outcome: .notAttempted, attempts: 0, recordedAt: nil)
            ],
            [],
        ]
        let id = Value.text(NotificationID.placeholder.text)
        let expected: [[[Value]]] = [
            [
                [
                    "alice", 0, 0, "", 1, 1_796_115_600, 1_796_115_660, 1_796_115_660,
                    "73622a22-1", id,
                ],
                [
                    0, 1, 1, "400: bad", 3, 1_796_115_600, 1_796_115_660, 1_796_115_660,
                    .nothing, 0,
                ],
            ],
            [["bob", 0, 5, "", 0, .nothing, .nothing, .nothing, "73622a22-1", id]],
            [],
        ]
        #expect(try rows(page(ReportSamples.details(), parts)) == expected)
    }

    @Test("The page's script can read all the rows", arguments: 1...5 as ClosedRange<UInt64>)
    func pagesScriptCanReadAllTheRows(seed: UInt64) throws {
        let given = ReportSamples.rows(200, seed: seed)
        var details = ReportSamples.details()
        details.overview.run.platforms = Platform.allCases
        let read = try #require(try rows(page(details, [given])).first)
        #expect(read.count == given.count)
        var last: [Value] = []
        for (cells, row) in zip(read, given) {
            var cells = cells
            for place in [0, 3, 9] where cells[place] == 0 { cells[place] = last[place] }
            #expect(cells[0] == .text(row.recipient.text))
            #expect(cells[1] == .number(Platform.allCases.firstIndex(of: row.platform) ?? -1))
            #expect(cells[2] == .number(Outcome.allCases.firstIndex(of: row.outcome) ?? -1))
            #expect(cells[3] == .text(VisibleText.lines(HubText.cleaned(row.detail))))
            #expect(cells[4] == .number(row.attempts))
            #expect((cells[8] == .nothing) == (row.hubMessage == nil))
            last = cells
        }
    }
}
