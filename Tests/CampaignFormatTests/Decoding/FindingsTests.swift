import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct FindingsTests {
    @Test("Findings beyond the limit are only counted") func findingsBeyondTheLimitAreOnlyCounted()
        throws
    {
        let folder = try TemporaryFolder()
        let names = Array(repeating: "a b", count: 700).joined(separator: ",\n      ")
        let loaded = try folder.load(TemporaryFolder.campaign(audience: "usernames: [\(names)]"))
        #expect(loaded.diagnostics.count == 501)
        #expect(
            loaded.diagnostics.last?.message.text == "This file has 200 more findings.")
    }
}
