import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Sends a message to one device, whether it is registered or not.
    ///
    /// ```swift
    /// try await client.send(notification, to: DeviceHandle("5F1C…"))
    /// ```
    ///
    /// - Parameters:
    ///   - notification: the message, for the device's push service.
    ///   - handle: the device.
    /// - Returns: what the hub said: the message is queued, not delivered.
    /// - Throws: ``HubError``, whose disposition says whether to send it again.
    @discardableResult
    public func send(
        _ notification: NativeNotification, to handle: DeviceHandle
    ) async throws(HubError) -> SendReceipt {
        SendReceipt(
            try await answer(
                to: HubCall(
                    sending: "direct send", notification, flag: "direct", headers: handle.headers)))
    }

    /// Sends one message to a list of devices, whether they are registered or not.
    ///
    /// ```swift
    /// for part in stride(from: 0, to: handles.count, by: DirectBatch.handleLimit) {
    ///     let some = Array(handles[part...].prefix(DirectBatch.handleLimit))
    ///     try await client.send(DirectBatch(notification, to: some))
    /// }
    /// ```
    ///
    /// - Parameter batch: message and devices; hubs of the free tier do not take one.
    /// - Returns: what the hub said: the messages are queued, not delivered.
    /// - Throws: ``HubError``, whose disposition says whether to send it again.
    @discardableResult
    public func send(_ batch: DirectBatch) async throws(HubError) -> SendReceipt {
        let notification = batch.notification
        let headers = [
            (name: "Content-Type", value: "multipart/mixed; boundary=\"\(batch.boundary)\""),
            (name: "ServiceBusNotification-Format", value: notification.formatName),
        ]
        let call = HubCall(
            operation: "direct send of a batch", method: .POST, path: ["messages", "$batch"],
            query: [(name: "direct", value: nil)], headers: headers + notification.options,
            body: ByteBuffer(bytes: batch.body), accepts: 200...201, isRepeatable: false,
            bodyLimit: 0)
        return SendReceipt(try await answer(to: call))
    }
}
