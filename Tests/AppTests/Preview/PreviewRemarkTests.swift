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

    @Test func aRunIsNamedByItsDay() {
        #expect(
            PreviewRemark.fewerPeople(by: 1_200, than: run(28)).phrase.text
                == "1,200 fewer people than the run of 2026-11-03")
        #expect(
            PreviewRemark.morePeople(by: 1, than: run(365)).phrase.text
                == "1 more person than the run of 2025-12-01")
    }

    @Test func wordsFitTheirNumbers() throws {
        let swiss = try PreviewSamples.language("gsw")
        #expect(
            PreviewRemark.missingLanguage(swiss, people: 1).phrase.text
                == "1 person has gsw, which no text has: they read default")
        #expect(
            PreviewRemark.unusedLanguage(swiss, texts: ["title", "wns.message"]).phrase.text
                == "nobody has gsw, though \"title\", \"wns.message\" do")
        #expect(
            PreviewRemark.defaultRead(variable: "first_name", people: 640, of: 988).phrase.text
                == "640 people have no \"first_name\", 64.8 % of all: they read its default")
        #expect(
            PreviewRemark.manyExcluded(300, of: 1_000, last: 12).phrase.text
                == "300 people are excluded, 30.0 % of all who are named; the run before had 12")
        #expect(
            PreviewRemark.capped(3, of: 10, cap: FrequencyCap(pushes: 2, period: .seconds(3_600)))
                .phrase.text
                == "3 of 10 pushes would be skipped now by \"frequency_cap\" (2 pushes per 1h)")
    }

    @Test func whatComesFromAFileIsCutToALine() {
        let phrase: Phrase = "see \(given: String(repeating: "x", count: 500) + "\n")"
        #expect(phrase.text.count < 140)
        #expect(phrase.text.hasSuffix("…\""))
    }
}
