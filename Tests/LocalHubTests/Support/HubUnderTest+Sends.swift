import HTTPTypes
import TestServing

@testable import LocalHub

extension HubUnderTest {
    /// Sends to one handle.
    func direct(
        _ handle: String?, _ body: String = silent, format: String? = "apple",
        headers: [String: String] = [:], flag: String = "direct"
    ) async throws -> TestResponse {
        var headers = headers
        headers["ServiceBusNotification-DeviceHandle"] = handle
        return try await send(
            body, format: format, tags: nil, headers: headers,
            uri: "/hubsend/messages?api-version=2020-06&\(flag)")
    }

    /// Sends a batch.
    func batch(
        _ body: String, contentType: String = "multipart/mixed; boundary=B",
        format: String? = "apple", flag: String = "direct"
    ) async throws -> TestResponse {
        try await send(
            body, format: format, tags: nil, headers: ["Content-Type": contentType],
            uri: "/hubsend/messages/$batch?api-version=2020-06&\(flag)")
    }

    /// Schedules a send.
    func schedule(
        _ time: String?, tags: String? = "username:alice",
        uri: String = "/hubsend/schedulednotifications"
    ) async throws -> TestResponse {
        var headers: [String: String] = [:]
        headers["ServiceBusNotification-ScheduleTime"] = time
        return try await send(
            tags: tags, headers: headers, uri: "\(uri)?api-version=2020-06")
    }

    /// Asks for telemetry; the token is good for ten years.
    func telemetry(_ id: String) async throws -> TestResponse {
        try await request(
            .get, "/hubsend/messages/\(id)?api-version=2020-06",
            token: TestToken.make(.developmentFull, expiry: 2_082_758_400))
    }
}

extension TestResponse {
    /// The last segment of the `Location`.
    var locationID: String? {
        header("Location")?.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    }
}
