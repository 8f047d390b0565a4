import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct LanguageRunTests {
    @Test("A run stores one payload for each language in use")
    func runStoresOnePayloadForEachLanguageInUse() async throws {
        let workspace = try Workspace([
            "people.csv": "username,lang\nalice,de-AT\nbob,\ncarol,DE\ndave,it\n",
            "sale.yaml": """
            campaign: sale
            kind: secure
            platforms: [apns, adm, browser]
            audience:
              files: [people.csv]
              language_column: lang
            payload:
              text: { default: Hello, de: Hallo, fr: Bonjour }
              placeholder: { default: News, de: Neues }
              link: https://shop.example/
              data: { campaign: spring }
            delivery:
              rate: unlimited
              recipients_per_push: 20

            """,
        ])
        let run = try await Binary.run(["run", "--json", "sale.yaml"], in: workspace, status: 0)
        let summary = try run.output.object()
        #expect(summary["deliveries"] as? Int == 12)
        #expect(summary["requests"] as? Int == 6)
        var payloads: [String: Set<String>] = [:]
        for row in try workspace.reportRows(of: "sale") {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            payloads[cells[2], default: []].insert(cells[4])
        }
        #expect(payloads.count == 4 && payloads.values.allSatisfy { $0.count == 1 })
        #expect(payloads["alice"] == payloads["carol"])
        #expect(payloads["bob"] == payloads["dave"])
        #expect(payloads["alice"] != payloads["bob"])

        let german = try #require(payloads["alice"]?.first)
        let shown = try await Binary.run(["payload", "show", german], in: workspace, status: 0)
        #expect(shown.output.contains("Hallo"))
    }
}
