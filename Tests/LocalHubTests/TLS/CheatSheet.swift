import AsyncHTTPClient
import Foundation

/// Requests for every operation of the protocol, with the documented status of each.
struct CheatSheet {
    struct Row {
        let name: String
        let method: String
        let path: String
        var headers: [(String, String)] = []
        var body: String?
        let status: Int
    }

    let notification: String
    let scheduled: String

    init(preparing hub: SecureHub) async throws {
        struct NotPrepared: Error {}
        guard let sent = try await hub.send().locationID else { throw NotPrepared() }
        notification = sent
        let row = Self.schedule
        let request = try hub.request(row.method, row.path, headers: row.headers, body: row.body)
        let response = try await hub.client.execute(request, timeout: SecureHub.patience)
        guard let id = response.locationID else { throw NotPrepared() }
        scheduled = id
    }

    /// The requests are in an order in which each of them works.
    var rows: [Row] {
        Self.sends + [
            row("cancel scheduled", "DELETE", "schedulednotifications/\(scheduled)", status: 200),
            row("telemetry", "GET", "messages/\(notification)", status: 200),
            row("feedback container", "GET", "feedbackcontainer", status: 200),
        ] + registrations + installations + entities + [
            row(
                "submit job", "POST", "jobs",
                body: HubUnderTest.job("ExportRegistrations", output: "http://127.0.0.1:1/c"),
                status: 201),
            row("jobs", "GET", "jobs", status: 200),
        ]
    }

    private static let service =
        "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    private static let apple = ("ServiceBusNotification-Format", "apple")
    private static let json = ("Content-Type", "application/json")
    private static let handle = ("ServiceBusNotification-DeviceHandle", "AB12")
    private static let tags = ("ServiceBusNotification-Tags", "username:alice")

    private static var sends: [Row] {
        let silent = HubUnderTest.silent
        let batch =
            "--B\r\nContent-Disposition: inline; name=notification\r\n\r\n\(silent)\r\n"
            + "--B\r\nContent-Disposition: inline; name=devices\r\n\r\n[\"AB12\"]\r\n--B--"
        return [
            row("broadcast", "POST", "messages", [apple, json], body: silent, status: 201),
            row("send", "POST", "messages", [apple, json, tags], body: silent, status: 201),
            row(
                "template send", "POST", "messages",
                [("ServiceBusNotification-Format", "template"), json, tags], body: #"{"a":"b"}"#,
                status: 201),
            row(
                "direct send", "POST", "messages?direct", [apple, json, handle], body: silent,
                status: 201),
            row(
                "batch send", "POST", "messages/$batch?direct",
                [apple, ("Content-Type", "multipart/mixed; boundary=B")], body: batch,
                status: 201),
            row(
                "test send", "POST", "messages?test", [apple, json, tags], body: silent,
                status: 201),
            schedule,
        ]
    }

    private static var schedule: Row {
        let time = (Date() + 3_600).formatted(.iso8601)
        return row(
            "schedule", "POST", "schedulednotifications",
            [apple, json, tags, ("ServiceBusNotification-ScheduleTime", time)],
            body: HubUnderTest.silent, status: 201)
    }

    private var registrations: [Row] {
        let kind = "AppleRegistrationDescription"
        let entry =
            #"<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">"#
            + #"<\#(kind) xmlns="\#(Self.service)"><Tags>a</Tags><DeviceToken>abcd</DeviceToken>"#
            + "</\(kind)></content></entry>"
        let atom = ("Content-Type", "application/atom+xml;type=entry;charset=utf-8")
        let any = ("If-Match", "*")
        let one = "registrations/1-2-3"
        let filter = "registrations?$filter=DeviceToken%20eq%20'ABCD'"
        return [
            row("new registration id", "POST", "registrationids", body: "", status: 201),
            row("create registration", "POST", "registrations", [atom], body: entry, status: 200),
            row("upsert registration", "PUT", one, [atom], body: entry, status: 200),
            row("update registration", "PUT", one, [atom, any], body: entry, status: 200),
            row("read registration", "GET", one, status: 200),
            row("list", "GET", "registrations?$top=10", status: 200),
            row("list by channel", "GET", filter, status: 200),
            row("list by tag", "GET", "tags/a/registrations", status: 200),
            row("delete registration", "DELETE", one, [any], status: 200),
        ]
    }

    private var installations: [Row] {
        let one = "installations/one"
        let body = #"{"installationId":"one","platform":"apns","pushChannel":"AB12"}"#
        let patch = #"[{"op":"add","path":"/tags","value":"b"}]"#
        return [
            row("upsert installation", "PUT", one, [Self.json], body: body, status: 200),
            row("patch installation", "PATCH", one, [Self.json], body: patch, status: 200),
            row("read installation", "GET", one, status: 200),
            row("delete installation", "DELETE", one, status: 204),
        ]
    }

    private var entities: [Row] {
        let kind = "NotificationHubDescription"
        let body =
            #"<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">"#
            + #"<\#(kind) xmlns="\#(Self.service)"/></content></entry>"#
        return [
            Row(name: "read hub", method: "GET", path: "/hubsend?\(Self.version)", status: 200),
            Row(
                name: "create hub", method: "PUT", path: "/other?\(Self.version)", body: body,
                status: 201),
            Row(name: "delete hub", method: "DELETE", path: "/other?\(Self.version)", status: 200),
        ]
    }

    private static let version = "api-version=2020-06"

    private func row(
        _ name: String, _ method: String, _ path: String, _ headers: [(String, String)] = [],
        body: String? = nil, status: Int
    ) -> Row {
        Self.row(name, method, path, headers, body: body, status: status)
    }

    private static func row(
        _ name: String, _ method: String, _ path: String, _ headers: [(String, String)],
        body: String?, status: Int
    ) -> Row {
        Row(
            name: name, method: method,
            path: "/hubsend/\(path)\(path.contains("?") ? "&" : "?")\(version)", headers: headers,
            body: body, status: status)
    }
}
