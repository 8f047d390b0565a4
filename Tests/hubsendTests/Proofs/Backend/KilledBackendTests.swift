import Foundation
import FoundationNetworking
import Testing

/// `hubsend serve`, killed in the middle of things.
@Suite(.heavy) struct KilledBackendTests {
    private struct Row: Decodable {
        let notification: String
        let read_at: String?
    }

    /// Reads until the backend is gone; what it had answered by then has to be there afterwards.
    @Test func everyReadThatWasAnsweredIsThereAfterSIGKILL() async throws {
        let campaigns = (1...60).map { "notice-\($0)" }
        var files: [String: String] = [:]
        for name in campaigns { files["\(name).yaml"] = Campaigns.secure(name, to: ["alice"]) }
        let backend = try await BackendFixture(files)
        let runs = try await backend.run(["run"] + campaigns.map { "\($0).yaml" })
        #expect(runs.status == 0, "\(runs.complaints)")
        let ids = try campaigns.map { name in
            let row = try #require(try backend.workspace.reportRows(of: name).first)
            return String(row.split(separator: ",", omittingEmptySubsequences: false)[4])
        }

        let answered = await withTaskGroup(of: String?.self) { group in
            for id in ids {
                group.addTask {
                    do {
                        let answer = try await backend.ask(
                            "PUT", "/api/notifications/\(id)/read", as: "alice")
                        return (200...204).contains(answer.status) ? id : nil
                    } catch {
                        return nil  // It was killed before it answered.
                    }
                }
            }
            var answered: Set<String> = []
            for await id in group {
                guard let id else { continue }
                answered.insert(id)
                if answered.count == ids.count / 3 { backend.serve.signal(SIGKILL) }
            }
            return answered
        }
        let end = try await backend.serve.result()
        #expect(end.status == SIGKILL)
        #expect(answered.count >= ids.count / 3)

        let report = try await backend.run(
            ["report", "--user", "alice", "--format", "jsonl"])
        #expect(report.status == 0, "\(report.complaints)")
        let read = try report.output.split(separator: "\n")
            .map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
            .filter { $0.read_at != nil }
        #expect(answered.subtracting(read.map(\.notification)).isEmpty)
        backend.hub.signal(SIGTERM)
        _ = try await backend.hub.result()
    }
}
