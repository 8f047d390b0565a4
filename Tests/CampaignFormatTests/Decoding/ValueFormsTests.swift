import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct ValueFormsTests {
    @Test(
        "Durations are whole numbers with a unit",
        arguments: [
            ("30s", 30), ("15m", 900), ("2h", 7_200), ("7d", 604_800), ("366d", 31_622_400),
            ("0s", nil), ("367d", nil), ("-1s", nil), ("+1s", nil), ("1.5h", nil), ("1", nil),
            ("", nil), ("s", nil), ("1 h", nil), ("1w", nil), ("99999999999999999999s", nil),
            ("１s", nil),
        ] as [(String, Int?)])
    func durationsAreWholeNumbersWithAUnit(_ text: String, _ seconds: Int?) {
        #expect(DurationText.usual.parse(text) == seconds.map { .seconds($0) })
    }

    @Test(
        "Retention times are given in whole days",
        arguments: [
            ("1d", 1), ("400d", 400), ("3660d", 3_660), ("0d", nil), ("3661d", nil), ("400", nil),
            ("24h", nil), ("1.5d", nil), ("-1d", nil), ("d", nil), ("", nil), ("１d", nil),
        ] as [(String, Int?)])
    func retentionTimesAreGivenInWholeDays(_ text: String, _ days: Int?) {
        #expect(DurationText.days.parse(text) == days.map { .seconds($0 * 86_400) })
    }

    @Test(
        "Rates are given in requests per second",
        arguments: [
            ("500/s", 500), ("1/s", 1), ("1000000/s", 1_000_000), ("0/s", nil), ("1000001/s", nil),
            ("500", nil), ("500/m", nil), ("500 /s", nil), ("-5/s", nil), ("", nil),
        ] as [(String, Double?)])
    func ratesAreGivenInRequestsPerSecond(_ text: String, _ expected: Double?) {
        #expect(RateText.parse(text) == expected.map { .some($0) })
    }

    @Test("The rate `unlimited` has no limit") func rateUnlimitedHasNoLimit() {
        #expect(RateText.parse("unlimited") == .some(nil))
    }

    @Test(
        "Typos are recognised",
        arguments: [
            ("knid", "kind"), ("Kind", "kind"), ("audiance", "audience"), ("platform", "platforms"),
            ("dilevery", "delivery"), ("“kind”", "kind"), ("redelivery", nil), ("apiDelivery", nil),
            ("zzz", nil), ("", nil),
            (String(repeating: "k", count: 500), nil),
        ] as [(String, String?)])
    func typosAreRecognised(_ written: String, _ expected: String?) {
        let known = ["kind", "platforms", "audience", "payload", "delivery"]
        #expect(NearestName.nearest(to: written, among: known) == expected)
    }

    @Test(
        "Case and hyphens are ignored in names, but digits are not",
        arguments: [
            ("ann-b", "Ann-B", true), ("ann_b", "Ann-B", true), ("ANNB", "Ann-B", true),
            ("spring-sale-2025", "spring-sale-2026", false), ("user0002", "user0001", false),
            ("line3", "line1", false), ("ES265", "ES256", true), ("a", "-", false),
        ])
    func caseAndHyphensAreIgnoredInNamesButDigitsAreNot(
        written: String, known: String, isNear: Bool
    ) {
        #expect(NearestName.nearest(to: written, among: [known]) == (isNear ? known : nil))
    }

    @Test("The schema and the decoder accept the same amounts")
    func schemaAndTheDecoderAcceptTheSameAmounts() throws {
        let forms: [(TextForm, (String) -> Bool)] = [
            (.duration, { DurationText.usual.parse($0) != nil }),
            (.wait, { DurationText.usual.parse($0).map { $0 >= .seconds(60) } == true }),
            (.days, { DurationText.days.parse($0) != nil }), (.rate, { RateText.parse($0) != nil }),
            (.latency, { DurationText.latency.parse($0) != nil }),
            (.share, { ShareText.parse($0) != nil }),
        ]
        let numbers =
            [0, 1, 9, 10, 59, 60, 61, 100, 101, 365, 366, 367, 599, 600, 601, 3_660, 3_661, 8_784]
            + [8_785, 527_040, 527_041, 600_000, 600_001, 1_000_000, 1_000_001, 31_622_400]
            + [31_622_401, 99_999_999, 100_000_000]
        for (form, isRead) in forms {
            let pattern = try Regex(try #require(form.pattern))
            for number in numbers {
                for zeros in ["", "0", "000000000000000"] {
                    for unit in ["", "s", "m", "h", "d", "ms", "/s", "%", ".5%", "S", " s"] {
                        let text = "\(zeros)\(number)\(unit)"
                        let matches = try pattern.firstMatch(in: text) != nil
                        #expect(matches == isRead(text), "\(text)")
                    }
                }
            }
        }
    }
}
