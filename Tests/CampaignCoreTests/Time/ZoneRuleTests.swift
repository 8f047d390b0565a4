import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct ZoneRuleTests {
    @Test(
        "Clocks change at the time that the rule specifies",
        arguments: [
            // 2040-03-25T01:00Z and 2040-10-28T01:00Z.
            ("CET-1CEST,M3.5.0,M10.5.0/3", 2_216_250_000, 3_600, 7_200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", 2_234_998_800, 7_200, 3_600),
            // Lord Howe Island: the offset changes by half an hour, and summer time includes New
            // Year. 2039-10-01T15:30Z.
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2_201_095_800, 37_800, 39_600),
            // Greenland: summer time starts on the evening before the last Sunday of March.
            // 2040-03-25T01:00Z.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2_216_250_000, -7_200, -3_600),
        ])
    func clocksChangeAtTheTimeThatTheRuleSpecifies(
        _ text: String, _ instant: Int, _ before: Int, _ after: Int
    ) throws {
        let rule = try #require(ZoneRule(text))
        #expect(rule.offset(at: instant - 1) == before)
        #expect(rule.offset(at: instant) == after)
    }

    @Test(
        "A zone without summer time has no clock changes",
        arguments: ["EST5", "<+0545>-5:45", "UTC0"])
    func zoneWithoutSummerTimeHasNoClockChanges(_ text: String) throws {
        let rule = try #require(ZoneRule(text))
        #expect(rule.changes(in: 2030).isEmpty)
    }

    /// The example of RFC 9636, section 3.3.1, in which the zone is called XXX.
    @Test("Summer time can last all year") func summerTimeCanLastAllYear() throws {
        let rule = try #require(ZoneRule("XXX3EDT4,0/0,J365/23"))
        // 2030-01-01T00:00Z and the hours around it.
        for hour in -30...30 {
            #expect(rule.offset(at: 1_893_456_000 + hour * 3_600) == -4 * 3_600)
        }
    }

    @Test(
        "A malformed zone rule is refused",
        arguments: [
            "", "CET", "CE-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
            "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365",
            "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0 ", "<+01-1", "CET-168",
        ])
    func malformedZoneRuleIsRefused(_ text: String) {
        #expect(ZoneRule(text) == nil)
    }
}
