import Foundation

extension SendRequest {
    /// Reads a send to one handle; throws a 400 if the handle, the format or the keys of a browser
    /// are missing.
    init(direct request: HubRequest) throws(HubFailure) {
        let fields = request.headers
        guard let handle = fields["servicebusnotification-devicehandle"], !handle.isEmpty else {
            throw .badRequest(
                "A direct send requires the header ServiceBusNotification-DeviceHandle.")
        }
        let isBrowser = fields["servicebusnotification-format"]?.lowercased() == "browser"
        let channel =
            isBrowser ? try Self.subscription(handle, fields) : PushChannel.handle(handle)
        try self.init(fields, payload: request.body, toChannels: [channel])
        origin = SendOrigin(request)
    }

    init(
        _ fields: [String: String], payload: [UInt8], toChannels channels: [PushChannel]
    ) throws(HubFailure) {
        let format = fields["servicebusnotification-format"]
        guard let format, format.lowercased() != "template" else {
            throw .badRequest(
                "A direct send requires the header ServiceBusNotification-Format with a platform; "
                    + "a handle has no template.")
        }
        try self.init(fields, payload: payload, to: .channels(channels))
    }

    private static func subscription(
        _ endpoint: String, _ fields: [String: String]
    ) throws(HubFailure) -> PushChannel {
        guard let p256dh = fields["p256dh"], let auth = fields["auth"], !p256dh.isEmpty,
            !auth.isEmpty
        else {
            throw .badRequest(
                "A direct send to a browser requires the headers P256DH and Auth of the "
                    + "subscription.")
        }
        return .browser(endpoint: endpoint, p256dh: p256dh, auth: auth)
    }
}

extension SendRequest {
    private static let mostHandles = 1_000

    /// Reads a send to many handles from a multipart body; throws a 400 for any other body, or if
    /// there are no handles or too many.
    init(batch request: HubRequest) throws(HubFailure) {
        let parts = try MultipartReader.parts(
            of: request.body, contentType: request.headers["content-type"] ?? "")
        let notification = try Self.part("notification", of: parts)
        let devices = try Self.part("devices", of: parts)
        var fields = request.headers
        fields["content-type"] = notification.headers["content-type"]
        try self.init(
            fields, payload: Array(notification.body),
            toChannels: try Self.handles(devices.body).map(PushChannel.handle))
        origin = SendOrigin(request)
    }

    private static func part(
        _ name: String, of parts: [MultipartReader.Part]
    ) throws(HubFailure) -> MultipartReader.Part {
        let found = parts.filter { $0.name?.lowercased() == name }
        guard let part = found.first, found.count == 1 else {
            throw .badRequest("A batch send must have exactly one part named \(name).")
        }
        return part
    }

    private static func handles(_ body: ArraySlice<UInt8>) throws(HubFailure) -> [String] {
        let handles: [String]
        do {
            handles = try JSONDecoder().decode([String].self, from: Data(body))
        } catch {
            // The decoder's error message may contain a handle.
            throw .badRequest("The part devices is not a JSON array of strings.")
        }
        guard (1...mostHandles).contains(handles.count) else {
            throw .badRequest("The part devices must contain 1 to \(mostHandles) handles.")
        }
        guard !handles.contains("") else {
            throw .badRequest("The part devices contains an empty handle.")
        }
        return handles
    }
}
