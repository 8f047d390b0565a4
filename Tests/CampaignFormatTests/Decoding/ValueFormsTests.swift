import TestSupport
import Testing

@testable import CampaignFormat

/// The small forms that values have.
@Suite(.bounded) struct ValueFormsTests {
    @Test(
        arguments: [
            ("30s", 30), ("15m", 900), ("2h", 7_200), ("7d", 604_800), ("366d", 31_622_400),
            ("0s", nil), ("367d", nil), ("-1s", nil), ("+1s", nil), ("1.5h", nil), ("1", nil),
            ("", nil), ("s", nil), ("1 h", nil), ("1w", nil), ("99999999999999999999s", nil),
            ("１s", nil),
        ] as [(String, Int?)])
    func durations(_ text: String, _ seconds: Int?) {
        #expect(DurationText.parse(text) == seconds.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("1d", 1), ("400d", 400), ("3660d", 3_660), ("0d", nil), ("3661d", nil), ("400", nil),
            ("24h", nil), ("1.5d", nil), ("-1d", nil), ("d", nil), ("", nil), ("１d", nil),
        ] as [(String, Int?)])
    func wholeDays(_ text: String, _ days: Int?) {
        #expect(DaysText.parse(text) == days.map { .seconds($0 * 86_400) })
    }

    @Test(
        arguments: [
            ("500/s", 500), ("1/s", 1), ("1000000/s", 1_000_000), ("0/s", nil), ("1000001/s", nil),
            ("500", nil), ("500/m", nil), ("500 /s", nil), ("-5/s", nil), ("", nil),
        ] as [(String, Double?)])
    func rates(_ text: String, _ expected: Double?) {
        #expect(RateText.parse(text) == expected.map { .some($0) })
    }

    @Test func unlimitedIsARateWithoutALimit() {
        #expect(RateText.parse("unlimited") == .some(nil))
    }

    @Test(
        arguments: [
            ("knid", "kind"), ("Kind", "kind"), ("audiance", "audience"), ("platform", "platforms"),
            ("dilevery", "delivery"), ("“kind”", "kind"), ("redelivery", nil), ("apiDelivery", nil),
            ("zzz", nil), ("", nil),
            (String(repeating: "k", count: 500), nil),
        ] as [(String, String?)])
    func slipsOfThePenAreRecognised(_ written: String, _ expected: String?) {
        let known = ["kind", "platforms", "audience", "payload", "delivery"]
        #expect(NearestName.nearest(to: written, among: known) == expected)
    }
}
