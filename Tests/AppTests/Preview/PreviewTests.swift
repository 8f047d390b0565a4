import Foundation
import TestSupport
import Testing

/// Tests that `hubsend preview` and `validate` are exact and do not store anything.
@Suite(.bounded) struct PreviewTests {
    private let campaign = """
        campaign: sale
        kind: rich
        platforms: [apns, fcm, wns]
        audience:
          usernames: [alice, bob, bob, carol]
          exclude: { usernames: [carol] }
        payload:
          message: "Hi \\"you\\" <&>"
          type: img
          text: The offer
        """

    @Test("The JSON document has exactly the documented keys")
    func jsonDocumentHasExactlyTheDocumentedKeys() async throws {
        let workspace = try Workspace(["sale.yaml": campaign])
        let result = try await Binary.run(
            ["preview", "--format", "json", "sale.yaml"], in: workspace)
        let object = try result.output.object()
        #expect(
            object.keys.sorted() == [
                "campaign", "deliveries", "description", "fallback", "hub", "kind", "languages",
                "masked", "messages", "next_start", "now", "platforms", "reach", "recipients",
                "remarks", "requests", "seconds", "skipped_rows", "waves", "would_send",
            ])
        #expect(
            object["recipients"] as? [String: Int] == [
                "named": 4, "duplicate": 1, "excluded": 1, "final": 2,
            ])
        #expect(object["deliveries"] as? Int == 6)
        let now = try #require(object["now"] as? [String: Any])
        #expect(
            now.keys.sorted() == [
                "action", "capped", "changed_since", "deliveries", "run", "state",
            ])
        #expect(now["action"] as? String == "begin")
        let platforms = try #require(object["platforms"] as? [[String: Any]])
        #expect(platforms.map { $0["platform"] as? String } == ["apns", "fcm", "wns"])
        for platform in platforms {
            #expect(
                platform.keys.sorted() == [
                    "body", "bytes", "headers", "limit", "method", "platform", "url",
                ])
            #expect((platform["body"] as? String)?.contains("aaaaaaaaaaaaaaaaaaaaaaaaaa") == true)
            #expect(platform["bytes"] as? Int == (platform["body"] as? String)?.utf8.count)
        }
        #expect((platforms[0]["url"] as? String)?.contains("<hub>") == true)
    }

    @Test("Warnings printed with a JSON document name nobody in a build log")
    func warningsPrintedWithAJSONDocumentNameNobodyInABuildLog() async throws {
        let workspace = try Workspace([
            "notice.yaml": """
            campaign: notice
            kind: alert
            platforms: [apns]
            audience: { usernames: [alice], exclude: { allow_empty: true, files: [gone.csv] } }
            payload: { message: Hello }
            """
        ])
        let result = try await Binary.run(
            ["preview", "--format", "json", "notice.yaml"], in: workspace,
            environment: ["CI": "true"], status: 0)
        #expect(result.complaints.contains("\"gone.csv\""), "\(result.complaints)")
        #expect(!result.complaints.contains("alice"), "\(result.complaints)")
    }

    @Test("The signature is hidden even if the key is known")
    func signatureIsHiddenEvenIfTheKeyIsKnown() async throws {
        let workspace = try Workspace(["sale.yaml": campaign, "hubsend.yaml": "{}\n"])
        let environment = [
            "HUBSEND_HUB_CONNECTION_STRING":
                "Endpoint=sb://contoso.servicebus.windows.net/;SharedAccessKeyName=rule;SharedAccessKey=a2V5a2V5",
            "HUBSEND_HUB_NAME": "news",
        ]
        let result = try await Binary.run(
            ["preview", "--requests", "sale.yaml"], in: workspace, environment: environment,
            status: 0)
        #expect(result.output.contains("POST https://contoso.servicebus.windows.net/news/messages"))
        #expect(!result.output.contains("a2V5a2V5"))
        #expect(
            !result.output.contains("sig=") || result.output.contains("sig=…")
                || result.output.contains("sig=("))
    }

    @Test("The hub's name is shown even if its address is unknown")
    func hubsNameIsShownEvenIfItsAddressIsUnknown() async throws {
        let workspace = try Workspace([
            "sale.yaml": campaign, "hubsend.yaml": "hub: { name: my-hub }\n",
        ])
        let result = try await Binary.run(["preview", "--requests", "sale.yaml"], in: workspace)
        #expect(result.output.contains("POST https://<hub>/my-hub/messages/"))
    }

    @Test("A preview does not run commands that provide secrets")
    func previewDoesNotRunCommandsThatProvideSecrets() async throws {
        let workspace = try Workspace(["sale.yaml": campaign, "hubsend.yaml": "{}\n"])
        let environment = [
            "HUBSEND_HUB_CONNECTION_STRING_COMMAND": "touch \(workspace.file("ran"))",
            "HUBSEND_HUB_NAME": "news",
        ]
        for command in ["preview", "validate"] {
            try await Binary.run(
                [command, "sale.yaml"], in: workspace, environment: environment, status: 0)
        }
        #expect(try !workspace.listing().contains("ran"))
    }

    @Test("The sample campaigns are valid") func sampleCampaignsAreValid() async throws {
        let workspace = try Workspace()
        let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../campaigns").standardizedFileURL.path
        let result = try await Binary.run(["validate", samples], in: workspace, status: 0)
        #expect(result.output.isEmpty)
    }
}
