import Foundation
import FoundationNetworking
import TestSupport
import Testing

extension HeavyTests {
    @Suite struct KilledBackendTests {
        private struct Row: Decodable {
            let notification: String
            let read_at: String?
        }

        /// Kills the backend early, midway and late during requests; requests that were answered
        /// must have been recorded.
        @Test("Every acknowledged read survives SIGKILL")
        func everyAcknowledgedReadSurvivesSIGKILL() async throws {
            let campaigns = (1...12).map { "notice-\($0)" }
            var files: [String: String] = [:]
            for name in campaigns { files["\(name).yaml"] = Campaigns.secure(name, to: ["alice"]) }
            var backend = try await BackendFixture.start(files)
            _ = try await backend.run(["run"] + campaigns.map { "\($0).yaml" }, status: 0)
            let ids = try campaigns.map { name in
                let row = try #require(try backend.workspace.reportRows(of: name).first)
                return String(row.split(separator: ",", omittingEmptySubsequences: false)[4])
            }

            var answered: Set<String> = []
            // Each round marks notifications as read that earlier rounds did not.
            for (round, share) in [6, 3, 2].enumerated() {
                if round > 0 { backend = try await backend.again() }
                let open = ids.filter { !answered.contains($0) }
                let seen = await Self.read(open, of: backend, killingAfter: open.count / share)
                #expect(try await backend.serve.result().status == 128 + SIGKILL)
                #expect(seen.count >= open.count / share)
                answered.formUnion(seen)
            }
            // Reports that were lost in a kill remain lost, because nobody repeats them.
            let read = try await Self.recorded(by: backend)
            #expect(answered.subtracting(read).isEmpty)
            backend.hub.signal(SIGTERM)
            _ = try await backend.hub.result()
        }

        /// Marks some notifications as read, then all others simultaneously, and kills the backend
        /// while it handles these requests.
        ///
        /// - Returns: the notifications whose requests were answered.
        private static func read(
            _ ids: [String], of backend: BackendFixture, killingAfter limit: Int
        ) async -> Set<String> {
            let first = await answered(ids.prefix(limit), of: backend)
            return await answered(ids.dropFirst(limit), of: backend) {
                backend.serve.signal(SIGKILL)
            }.union(first)
        }

        /// Marks all of them as read simultaneously; returns those whose requests were answered.
        private static func answered(
            _ ids: ArraySlice<String>, of backend: BackendFixture, once: () -> Void = {}
        ) async -> Set<String> {
            await withTaskGroup(of: String?.self) { group in
                for id in ids {
                    group.addTask {
                        do {
                            let answer = try await backend.ask(
                                "PUT", "/api/notifications/\(id)/read", as: "alice")
                            return answer.status == 204 ? id : nil
                        } catch {
                            return nil  // The backend was killed before it answered.
                        }
                    }
                }
                once()
                return await group.reduce(into: Set<String>()) { answered, id in
                    if let id { answered.insert(id) }
                }
            }
        }

        /// The IDs that the report lists as read.
        private static func recorded(by backend: BackendFixture) async throws -> [String] {
            let report = try await backend.run(
                ["report", "--user", "alice", "--format", "jsonl"], status: 0)
            return try report.output.split(separator: "\n")
                .map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
                .filter { $0.read_at != nil }.map(\.notification)
        }
    }
}
