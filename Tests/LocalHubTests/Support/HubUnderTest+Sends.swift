import HTTPTypes
import TestServing

@testable import LocalHub

extension HubUnderTest {
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

    func batch(
        _ body: String, contentType: String = "multipart/mixed; boundary=B",
        format: String? = "apple", flag: String = "direct"
    ) async throws -> TestResponse {
        try await send(
            body, format: format, tags: nil, headers: ["Content-Type": contentType],
            uri: "/hubsend/messages/$batch?api-version=2020-06&\(flag)")
    }

    func schedule(
        _ time: String?, tags: String? = "username:alice",
        uri: String = "/hubsend/schedulednotifications"
    ) async throws -> TestResponse {
        var headers: [String: String] = [:]
        headers["ServiceBusNotification-ScheduleTime"] = time
        return try await send(tags: tags, headers: headers, uri: "\(uri)?api-version=2020-06")
    }

    /// The token is valid for ten years.
    func telemetry(_ id: String) async throws -> TestResponse {
        try await request(
            .get, "/hubsend/messages/\(id)?api-version=2020-06",
            token: TestToken.make(.developmentFull, expiry: 2_082_758_400))
    }
}

extension TestResponse {
    /// The last segment of `Location`.
    var locationID: String? {
        header("Location")?.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    }
}
