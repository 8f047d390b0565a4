import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PreviewWaveTests {
    private func wave(
        _ hours: Double?, _ people: Int, _ zones: String..., isTooLate: Bool = false
    ) -> PreviewWave {
        PreviewWave(
            opens: hours.map { Date(timeIntervalSince1970: 1_796_083_200 + $0 * 3_600) },
            zones: zones, people: people, isTooLate: isTooLate)
    }

    private func model(_ waves: [PreviewWave]) throws -> PreviewModel {
        var model = try PreviewSamples.rich()
        model.waves = waves
        return model
    }

    private func text(_ model: PreviewModel, width: Int? = nil) -> String {
        PreviewDocument(model: model).text(width: width)
    }

    @Test("Waves are counted, and each wave is shown") func wavesAreCountedAndEachWaveIsShown()
        throws
    {
        let model = try model([
            wave(nil, 900, "Europe/Berlin", "Europe/Madrid", "Europe/Paris", "Europe/Rome"),
            wave(8, 1, "America/New_York"), wave(30, 87, "Asia/Tokyo", isTooLate: true),
        ])
        let shown = text(model)
        #expect(
            shown.contains(
                "as soon as you run it; sent in 3 waves: the first at once, the last from 2026-12-02 06:00:00 UTC on; the app can fetch it for 7 days\n"
            ), "\(shown)")
        #expect(
            shown.contains(
                """

                Waves
                  at once: 900 people (Europe/Berlin, Europe/Madrid, Europe/Paris and 1 more)
                  2026-12-01 08:00:00 UTC: 1 person (America/New_York)
                  2026-12-02 06:00:00 UTC: 87 people, too late (Asia/Tokyo)

                """), "\(shown)")
        let narrow = text(model, width: 40).split(separator: "\n")
        #expect(narrow.allSatisfy { $0.count <= 40 }, "\(narrow)")
    }

    @Test("A single wave that begins immediately is not mentioned")
    func singleWaveThatBeginsImmediatelyIsNotMentioned() throws {
        for waves in [[], [wave(nil, 988, "Europe/Berlin")]] {
            #expect(try !text(model(waves)).contains("; sent "))
        }
        let night = try text(model([wave(8, 988, "Europe/Berlin")]))
        #expect(night.contains("; sent from 2026-12-01 08:00:00 UTC on;"))
        #expect(!night.contains("\nWaves\n"))
    }

    @Test("If there are many waves, the first are shown and the others are counted")
    func ifThereAreManyWavesTheFirstAreShownAndTheOthersAreCounted() throws {
        let waves = (0..<24).map { wave(Double($0), 2, "Etc/GMT+\($0 % 12)") }
        let all = try model(waves)
        let shown = text(all)
        #expect(shown.contains("2026-12-01 11:00:00 UTC: 2 people (Etc/GMT+11)\n"))
        #expect(!shown.contains("2026-12-01 12:00:00"))
        #expect(shown.contains("\n  12 more waves with 24 people\n"))
        let comment = PreviewMarkdown([.campaign(all)], showsRequests: false).text()
        #expect(comment.contains("\n  2026-12-01 11:00:00 UTC: 2 people (Etc/GMT+11)\n"))
        #expect(comment.contains("\n  12 more waves with 24 people\n```\n"))
        let page = PreviewPage([.campaign(all)], made: ReportSamples.start).html()
        #expect(page.contains("<th scope=\"row\">2026-12-01 11:00:00 UTC</th><td>2 people</td>"))
        #expect(page.contains("12 more waves with 24 people."))
    }

    @Test("The JSON contains all waves") func jsonContainsAllWaves() throws {
        var model = try model([wave(nil, 900, "Europe/Berlin"), wave(8, 1, "America/New_York")])
        model.fallback = PreviewFallback(
            after: .seconds(1_800), message: "Look", people: 901)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(PreviewJSON.object(model).line()))
                as? [String: Any])
        let waves = try #require(json["waves"] as? [[String: Any]])
        #expect(waves.map { $0["opens"] as? String } == [nil, "2026-12-01T08:00:00Z"])
        #expect(waves.map { $0["people"] as? Int } == [900, 1])
        #expect(waves.map { $0["too_late"] as? Bool } == [false, false])
        #expect(
            waves.map { $0["zones"] as? [String] } == [["Europe/Berlin"], ["America/New_York"]])
        let fallback = try #require(json["fallback"] as? [String: Any])
        #expect(fallback["after"] as? Int == 1_800 && fallback["people"] as? Int == 901)
        let none = try #require(
            JSONSerialization.jsonObject(
                with: Data(PreviewJSON.object(PreviewSamples.rich()).line()))
                as? [String: Any])
        #expect(none["fallback"] is NSNull)
        #expect((none["waves"] as? [Any])?.isEmpty == true)
    }

    @Test("The next scheduled start is in its zone in the text and in UTC in the JSON")
    func nextScheduledStartIsInItsZoneInTheTextAndInUTCInTheJSON() throws {
        var model = try PreviewSamples.rich()
        model.next = CampaignSchedule(
            campaign: "spring-sale", path: "sale.yaml",
            schedule: Schedule(.cron(try CronSchedule("0 9 * * mon")), in: .utc),
            upcoming: [Date(timeIntervalSince1970: 1_796_634_000)])
        #expect(
            text(model).contains(
                "when you run it by hand and confirm, or with --now; next scheduled for Mon 2026-12-07 09:00 +00:00, in UTC; the app"
            ), "\(text(model))")
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(PreviewJSON.object(model).line()))
                as? [String: Any])
        #expect(json["next_start"] as? String == "2026-12-07T09:00:00Z")
    }

    @Test("The fallback is shown with its delay") func fallbackIsShownWithItsDelay() throws {
        var model = try PreviewSamples.rich()
        model.fallback = PreviewFallback(
            after: .seconds(1_800), message: "You have a new message", people: 988)
        #expect(
            text(model).contains(
                "  fallback    \"You have a new message\" after 30 min, to everybody who has not fetched it by then, at most 988 people\n"
            ))
    }

    @Test("People whose wave is too late produce a remark")
    func peopleWhoseWaveIsTooLateProduceARemark() {
        let remark = PreviewRemark.waveTooLate(87, of: 988)
        #expect(remark.id == "turn_too_late")
        #expect(
            remark.phrase.text
                == "87 of 988 people would be skipped as too late: their turn comes after \"finish_within\" ends or after the payload expires"
        )
    }
}
