extension SendRequest {
    /// Reads a send to one handle (reference, sections 3.2 and 3.3).
    ///
    /// - Parameter request: the request.
    /// - Throws: a 400 when there is no handle, no format of a platform, or, for browsers, no keys.
    init(direct request: HubRequest) throws(HubFailure) {
        let fields = request.headers
        guard let handle = fields["servicebusnotification-devicehandle"], !handle.isEmpty else {
            throw .badRequest("A direct send needs the header ServiceBusNotification-DeviceHandle.")
        }
        let isBrowser = fields["servicebusnotification-format"]?.lowercased() == "browser"
        let channel =
            isBrowser ? try Self.subscription(handle, fields) : PushChannel.handle(handle)
        try self.init(fields, payload: request.body, toChannels: [channel])
        origin = SendOrigin(request)
    }

    /// Reads a send to handles of one platform.
    ///
    /// - Parameters:
    ///   - fields: the headers of the request, names in lower case.
    ///   - payload: the body of the notification.
    ///   - channels: the handles.
    /// - Throws: a 400 when format, type or payload are wrong.
    init(
        _ fields: [String: String], payload: [UInt8], toChannels channels: [PushChannel]
    ) throws(HubFailure) {
        let format = fields["servicebusnotification-format"]
        guard let format, format.lowercased() != "template" else {
            throw .badRequest(
                "A direct send needs the header ServiceBusNotification-Format with a platform; "
                    + "handles have no templates.")
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
                "A direct send to a browser needs the headers P256DH and Auth of the subscription.")
        }
        return .browser(endpoint: endpoint, p256dh: p256dh, auth: auth)
    }
}
