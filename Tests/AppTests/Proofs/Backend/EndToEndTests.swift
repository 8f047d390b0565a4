import Foundation
import TestSupport
import Testing

extension HeavyTests {
    /// Tests everything together: a hub, the app backend, three devices, two campaigns and the
    /// report.
    @Suite struct EndToEndTests {
        private static let people = ["alice": "apns", "bob": "fcm", "carol": "wns"]

        /// A picture of one pixel, followed by bytes that are not valid text.
        private static let picture =
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
            ) ?? Data()

        private static let files = [
            "people.csv": "username,code\nalice,K-4711\nbob,K-0815\ncarol,K-1337\n",
            "codes.yaml": """
            campaign: codes
            kind: secure
            platforms: [apns, fcm, wns]
            audience: { files: [people.csv] }
            payload: { text: "Your code is {{code}} \\"<é👋>\\"." }
            """,
            "picture.yaml": """
            campaign: picture
            kind: rich
            platforms: [apns, fcm, wns]
            audience: { usernames: [alice, bob, carol] }
            payload: { message: "Look!", type: img, file: picture.png }
            """,
        ]

        /// A row of a report in JSON Lines.
        private struct Row: Decodable {
            let recipient: String
            let platform: String
            let notification: String
            let outcome: String
            let detail: String?
            let fetched_at: String?
            let read_at: String?
        }

        private struct Shown: Decodable {
            let kind: String
            let message: String?
            let read: Bool
        }

        private func report(_ run: String?, of backend: BackendFixture) async throws -> [Row] {
            let result = try await backend.run(
                ["report", "--format", "jsonl", "--output", "-"] + (run.map { [$0] } ?? []),
                status: 0)
            return try result.output.split(separator: "\n").map {
                try JSONDecoder().decode(Row.self, from: Data($0.utf8))
            }
        }

        @Test("Notifications are sent, fetched, read and reported")
        func notificationsAreSentFetchedReadAndReported() async throws {
            let backend = try await BackendFixture.start(Self.files)
            try backend.workspace.write(Self.picture, to: "picture.png")
            var devices: [String: ChildProcess] = [:]
            for (user, platform) in Self.people {
                devices[user] = try await backend.device(of: user, on: platform, messages: 2)
            }

            var runs: [String] = []
            for campaign in ["codes", "picture"] {
                let result = try await backend.run(
                    ["run", "\(campaign).yaml", "--json"], status: 0)
                let object =
                    try JSONSerialization.jsonObject(with: Data(result.output.utf8))
                    as? [String: Any]
                runs.append(try #require(object?["run"] as? String))
            }
            for (user, device) in devices {
                try await expectBothShown(by: device, of: user, backend)
            }

            var ids: Set<String> = []
            var pictures: [String] = []
            for run in runs {
                let rows = try await report(run, of: backend)
                #expect(rows.count == 9)
                #expect(rows.allSatisfy { $0.outcome == "accepted" })
                #expect(rows.allSatisfy { $0.fetched_at != nil && $0.read_at != nil })
                pictures = rows.map(\.notification)
                ids.formUnion(pictures)
            }
            #expect(ids.count == 4, "one payload for each of three people, and one for all")

            for id in ids.union(["a b", "aaaaaaaaaaaaaaaaaaaaaaaaaa"]).map({
                $0.replacing(" ", with: "%20")
            }) {
                let answer = try await backend.ask("GET", "/api/notifications/\(id)", as: "dave")
                #expect(answer.status == 404, "\(id)")
            }

            let picture = try #require(pictures.first)
            let served = try await backend.ask("GET", "/api/notifications/\(picture)", as: "alice")
            #expect(served.status == 200)
            #expect(served.body == Self.picture)
            #expect(served.headers["content-type"] == "image/png")
            _ = try await backend.run(["payload", "revoke", picture], status: 0)
            let gone = try await backend.ask("GET", "/api/notifications/\(picture)", as: "alice")
            #expect(gone.status == 404)
            let rows = try await report(runs[1], of: backend)
            #expect(rows.allSatisfy { $0.detail?.contains("payload revoked") == true })
            #expect(rows.allSatisfy { $0.read_at != nil }, "what happened before stays")

            let text = try await backend.run(["report", runs[0], "--format", "text"])
            #expect(
                text.output.contains("for 3 people, 3 fetched (100 %), 3 read (100 %)"),
                "\(text.output)")
            let end = try await backend.stop()
            #expect(end.status == 0, "\(end.complaints)")
            let audit = try backend.workspace.text(".hubsend/audit.jsonl")
            for secret in ["K-4711", "alice-secret", "Your code"] {
                #expect(!audit.contains(secret))
                #expect(!end.output.contains(secret))
                #expect(!end.complaints.contains(secret))
            }
        }

        private func expectBothShown(
            by device: ChildProcess, of user: String, _ backend: BackendFixture
        ) async throws {
            let result = try await device.end(0)
            let shown = try result.output.split(separator: "\n").filter { $0.contains("\"kind\"") }
                .map { try JSONDecoder().decode(Shown.self, from: Data($0.utf8)) }
            let code = ["alice": "K-4711", "bob": "K-0815", "carol": "K-1337"][user] ?? ""
            #expect(
                shown.first { $0.kind == "secure" }?.message == "Your code is \(code) \"<é👋>\".")
            #expect(shown.first { $0.kind == "rich" }?.message == "Look!")
            let isRead = shown.allSatisfy(\.read)
            #expect(isRead, "\(user): \(result.output)")
            let folder = backend.workspace.file("saved-\(user)")
            let pictures = try FileManager.default.contentsOfDirectory(atPath: folder).map {
                try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))
            }.filter { $0.starts(with: Self.picture.prefix(8)) }
            #expect(pictures == [Self.picture], "\(user): byte for byte")
        }
    }
}
