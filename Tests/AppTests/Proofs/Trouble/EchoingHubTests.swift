import Foundation
import TestBackend
import TestSupport
import Testing

/// Tests a hub, or a proxy in front of it, that repeats the token of a request.
@Suite(.bounded) struct EchoingHubTests {
    private static let key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    /// A request's signature as sent, and percent-decoded.
    private static func signature(
        of request: ScriptedRequest?
    ) throws -> (sent: String, plain: String) {
        let part = request?.authorization?.split(separator: "&").first { $0.hasPrefix("sig=") }
        let sent = String(try #require(part).dropFirst(4))
        return (sent, try #require(sent.removingPercentEncoding))
    }

    private static func refusal(_ detail: String) -> ScriptedAnswer {
        .text(
            "<Error><Code>400</Code><Detail>\(detail)</Detail></Error>", status: 400)
    }

    /// Each response repeats a different part of the request.
    private static func answers(_ request: ScriptedRequest) throws -> [ScriptedAnswer] {
        let (sent, plain) = try signature(of: request)
        let whole = request.authorization ?? ""
        return [
            refusal("wrong token: \(plain)"), refusal("wrong token: \(sent)"),
            refusal("wrong token: \(Data(whole.utf8).base64EncodedString())"),
            refusal("wrong token: \(plain.prefix(20)) \(plain.dropFirst(20))"),
            refusal("wrong key: \(key)"),
            .status(201, ["Location": "https://hub/news/messages/\(sent)?api-version=2020-06"]),
            .status(201, ["Location": "https://hub/news/messages/\(plain.suffix(30))"]),
        ]
    }

    /// Pieces of ten characters from every fifth position of a secret, in each of the secret's
    /// forms.
    private static func pieces(_ secrets: [String]) -> [Data] {
        secrets.flatMap { secret in
            let forms = [Array(secret.utf8), Array(Data(secret.utf8).base64EncodedString().utf8)]
            return forms.flatMap { form in
                stride(from: 0, through: form.count - 10, by: 5).map { Data(form[$0..<$0 + 10]) }
            }
        }
    }

    @Test("The store, reports and output contain no part of the token")
    func storeReportsAndOutputContainNoPartOfTheToken() async throws {
        let people = Campaigns.people(14)
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(to: people)])
        try await ScriptedBackend.run { request, number in
            do {
                let answers = try Self.answers(request)
                return answers[number % answers.count]
            } catch {
                return .status(500)
            }
        } _: { origin, hub in
            let environment = [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=\(origin)/;SharedAccessKeyName=Send;SharedAccessKey=\(Self.key)",
                "HUBSEND_HUB_NAME": "news",
            ]
            let run = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 3)
            let lines = try await Binary.run(
                ["report", "--format", "jsonl", "--output", "-"], in: workspace, status: 0)
            #expect(lines.output.split(separator: "\n").count == people.count)
            let rows = try workspace.outcomeRows(of: "notice")
            #expect(rows.count(where: { $0.outcome == "accepted" }) == 4)
            #expect(rows.count(where: { $0.outcome == "rejected" }) == 10)

            let signatures = try hub.requests.map { try Self.signature(of: $0) }
            let secrets = Set(signatures.flatMap { [$0.sent, $0.plain] }).union([Self.key])
            var places = [
                "complaints": Data(run.complaints.utf8), "lines": Data(lines.output.utf8),
            ]
            for file in try workspace.listing() where file.hasPrefix(".hubsend/") {
                // nil for a folder.
                places[file] = FileManager.default.contents(atPath: workspace.file(file))
            }
            #expect(places.keys.contains { $0.hasSuffix(".sqlite") })
            #expect(places.keys.contains { $0.hasSuffix(".csv") })
            for (place, bytes) in places {
                for piece in Self.pieces(Array(secrets)) {
                    #expect(bytes.range(of: piece) == nil, "\(place)")
                }
            }
        }
    }
}
