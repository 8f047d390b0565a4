import HTTPTypes
import TestServing

@testable import LocalHub

extension HubUnderTest {
    static func job(_ kind: String, output: String?, input: String? = nil) -> String {
        let output = output.map { "<OutputContainerUri><![CDATA[\($0)]]></OutputContainerUri>" }
        let input = input.map { "<ImportFileUri><![CDATA[\($0)]]></ImportFileUri>" }
        return
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
            + "<content type=\"application/atom+xml;type=entry;charset=utf-8\"><NotificationHubJob "
            + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns=\"http://schemas."
            + "microsoft.com/netservices/2010/10/servicebus/connect\"><Type>\(kind)</Type>"
            + "\(output ?? "")\(input ?? "")</NotificationHubJob></content></entry>"
    }

    func submit(
        _ kind: String, _ container: String, input: String? = nil, hub: String = "hubsend"
    ) async throws -> TestResponse {
        let signature = "?" + BlobStore.signature
        return try await request(
            .post, "/\(hub)/jobs?api-version=2020-06",
            body: Self.job(
                kind, output: container + signature,
                input: input.map { "\(container)/\($0)\(signature)" }))
    }

    func finish(
        _ kind: String, _ container: String, input: String? = nil, hub: String = "hubsend"
    ) async throws -> (id: String, text: String) {
        let submitted = try await submit(kind, container, input: input, hub: hub)
        guard let id = submitted.locationID else { throw NotTaken(text: submitted.text) }
        _ = await server.endedJobs.first { $0 == id }
        let job = try await request(.get, "/\(hub)/jobs/\(id)?api-version=2020-06")
        return (id, job.text)
    }

    struct NotTaken: Error {
        let text: String
    }
}
