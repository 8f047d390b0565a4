import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded) struct FiguresTests {
    @Test(
        "Thousands are separated by commas",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
        ])
    func thousandsAreSeparatedByCommas(number: Int, text: String) {
        #expect(Figures.count(number) == text)
    }

    @Test(
        "A percentage is never rounded to 0 or 100 unless it is exact",
        arguments: [
            (0, 0, ""), (0, 7, "0 %"), (7, 7, "100 %"), (1, 2, "50.0 %"), (2, 3, "66.7 %"),
            (1, 1_000_000, "<0.1 %"), (999_999, 1_000_000, ">99.9 %"), (997, 1000, "99.7 %"),
        ])
    func percentageIsNeverRoundedTo0Or100UnlessItIsExact(part: Int, whole: Int, text: String) {
        #expect(Figures.share(part, of: whole) == text)
    }

    @Test(
        "A duration has at most two units",
        arguments: [
            (0, "0.0s"), (4.12, "4.1s"), (9.94, "9.9s"), (9.96, "10s"), (59.4, "59s"),
            (60, "1m 00s"),
            (64, "1m 04s"), (7380, "2h 03m"), (273_600, "3d 04h"), (-5, "0.0s"),
        ] as [(Double, String)])
    func durationHasAtMostTwoUnits(seconds: Double, text: String) {
        let start = Date(timeIntervalSince1970: 1_796_115_600)
        #expect(Figures.duration(from: start, to: start.addingTimeInterval(seconds)) == text)
    }

    @Test(
        "A size is shown in a suitable unit",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (9_999, "9,999 bytes"), (10_000, "10.0 kB"),
            (12_345_678, "12.3 MB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (5_000_000_000, "5.0 GB"), (1_234_500_000_000_000, "1,234.5 TB"),
        ])
    func sizeIsShownInASuitableUnit(bytes: Int, text: String) {
        #expect(Figures.size(bytes) == text)
    }
}
