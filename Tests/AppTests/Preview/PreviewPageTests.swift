import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PreviewPageTests {
    private func page(_ models: PreviewModel...) -> String {
        PreviewPage(models.map { .campaign($0) }, made: ReportSamples.start).html()
    }

    /// The start tags of a page, without the style.
    private func tags(_ html: String) -> [Substring] {
        html.matches(of: /<([a-zA-Z!][^>]*)>/).map(\.1)
    }

    @Test(
        "Text from files never becomes markup",
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='x",
            "</style>",
            "--><svg/onload=x>", "&lt;", "\u{202E}evil\u{1B}[2J", "a\n::error::b", "{{x}}</title>",
            "\u{D4E}<b>", "<\u{301}b>", "\u{D4E}\"\u{301} onload=x",
        ])
    func textFromFilesNeverBecomesMarkup(text: String) {
        let plain = page(PreviewSamples.alert("plain"))
        let clean = tags(plain)
        let html = PreviewPage(
            [.campaign(PreviewSamples.alert(text))], made: ReportSamples.start
        ).html()
        #expect(tags(html).map(name) == clean.map(name))
        for sign in ["<", ">", "\""] as [Unicode.Scalar] {
            #expect(
                html.unicodeScalars.count { $0 == sign }
                    == plain.unicodeScalars.count { $0 == sign })
        }
        for line in html.split(separator: "\n") {
            #expect(!line.drop { $0 == " " }.hasPrefix("::"))
        }
        #expect(!html.contains("\u{202E}") && !html.contains("\u{1B}"))
    }

    private func name(_ tag: Substring) -> Substring { tag.prefix { $0 != " " } }

    @Test("The page says why a file cannot be previewed and shows the others")
    func pageSaysWhyAFileCannotBePreviewedAndShowsTheOthers() {
        let html = PreviewPage(
            [.campaign(PreviewSamples.secure()), .refused(path: "a<b.yaml", why: "No <people>.")],
            made: ReportSamples.start
        ).html()
        #expect(html.contains("<h1>a&lt;b.yaml</h1>\n<p class=\"lead\">This file cannot be"))
        #expect(html.contains("<pre>No &lt;people&gt;."))
        #expect(html.contains("<h1>notice "))
    }

    @Test("The page is self-contained") func pageIsSelfContained() throws {
        let html = try page(PreviewSamples.rich())
        #expect(html.contains("default-src 'none'"))
        for word in ["<script", "<link", "@import", "url(", "href=\"http", "src=\"http"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.contains("prefers-color-scheme: dark"))
        #expect(html.contains("@media print"))
    }

    @Test("The page shows every platform") func pageShowsEveryPlatform() throws {
        let html = try page(PreviewSamples.rich())
        // The sample has two messages.
        #expect(html.ranges(of: #"<figure class="device phone ios">"#).count == 2)
        #expect(html.ranges(of: #"<figure class="device phone android">"#).count == 2)
        #expect(html.ranges(of: #"<figure class="device tablet">"#).count == 2)
        #expect(html.ranges(of: #"<figure class="device desktop windows">"#).count == 2)
        #expect(html.ranges(of: #"<figure class="device desktop browser">"#).count == 2)
        #expect(html.contains(#"<p class="text" dir="auto" lang="de">Hallo Bob!</p>"#))
        #expect(html.contains(#"src="data:image/png;base64,AQID""#))
    }

    @Test("A notification on the page shows the name of the app, not of the campaign")
    func notificationOnThePageShowsTheNameOfTheAppNotOfTheCampaign() {
        let html = page(PreviewSamples.alert("Down at 8"))
        #expect(html.contains("<p class=\"app\"><span>Your app</span>"))
    }

    @Test("The page shows the figures of the file separately from those of the run")
    func pageShowsTheFiguresOfTheFileSeparatelyFromThoseOfTheRun() {
        var model = PreviewSamples.secure()
        #expect(!page(model).contains("now has"))
        model.outlook = PreviewOutlook(action: .nothing, run: ReportSamples.record(), deliveries: 0)
        #expect(
            page(model).contains(
                "<p class=\"lead\">With --again it would go to everybody in the file:</p>\n<dl "))
    }

    @Test("The audience bar includes everybody") func audienceBarIncludesEverybody() throws {
        let html = try page(PreviewSamples.rich())
        #expect(html.contains(#"<i class="final" style="flex-grow:988"></i>"#))
        #expect(html.contains(#"<i class="excluded" style="flex-grow:4"></i>"#))
        #expect(html.contains(#"<i class="duplicate" style="flex-grow:8"></i>"#))
        #expect(html.contains("<b>1,000</b> in the list"))
    }

    @Test("The page for several campaigns begins with a list of links")
    func pageForSeveralCampaignsBeginsWithAListOfLinks() throws {
        let html = try page(PreviewSamples.rich(), PreviewSamples.secure())
        #expect(html.contains("<title>Preview of 2 campaigns</title>"))
        #expect(html.contains(##"<a href="#c2"><b>notice</b> 2 people</a>"##))
        #expect(html.contains(#"<article id="c2">"#))
    }
}
