import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PreviewRemarkTests {
    private func run(_ days: Double) -> PreviewRemark.EarlierRun {
        PreviewRemark.EarlierRun(
            id: ReportSamples.run, started: ReportSamples.start.addingTimeInterval(-days * 86_400))
    }

    @Test("Remarks identify a run by its day") func remarksIdentifyARunByItsDay() {
        #expect(
            PreviewRemark.fewerPeople(by: 1_200, than: run(28)).phrase.text
                == "1,200 fewer people than in the run of 2026-11-03")
        #expect(
            PreviewRemark.morePeople(by: 1, than: run(365)).phrase.text
                == "1 more person than in the run of 2025-12-01")
    }

    @Test("Remarks use singular and plural correctly")
    func remarksUseSingularAndPluralCorrectly() throws {
        let swiss = try PreviewSamples.language("gsw")
        #expect(
            PreviewRemark.missingLanguage(swiss, people: 1).phrase.text
                == "1 person reads gsw, but there is no text in it: they will see default")
        #expect(
            PreviewRemark.unusedLanguage(swiss, texts: ["title", "wns.message"]).phrase.text
                == "nobody reads gsw, although \"title\", \"wns.message\" have texts in it")
        #expect(
            PreviewRemark.defaultRead(variable: "first_name", people: 640, of: 988).phrase.text
                == "640 people (64.8 %) have no \"first_name\" and will read its default")
        #expect(
            PreviewRemark.defaultRead(variable: "name", people: 1, of: 2, text: "you").phrase.text
                == "1 person (50.0 %) has no \"name\" and will read \"you\" instead")
        #expect(
            PreviewRemark.skippedRows(1).phrase.text
                == "1 row of the audience files has an error and is skipped")
        #expect(
            PreviewRemark.manyExcluded(300, of: 1_000, last: 12).phrase.text
                == "300 people are excluded, 30.0 % of the list; the previous run excluded 12")
        #expect(
            PreviewRemark.capped(3, of: 10, cap: FrequencyCap(pushes: 2, period: .seconds(3_600)))
                .phrase.text
                == "\"frequency_cap\" (2 pushes per 1h) would skip 3 of 10 pushes now")
    }

    @Test("Text from files is cut to one line") func textFromFilesIsCutToOneLine() {
        let phrase: Phrase = "see \(given: String(repeating: "x", count: 500) + "\n")"
        #expect(phrase.text.count < 140)
        #expect(phrase.text.hasSuffix("…\""))
    }
}
