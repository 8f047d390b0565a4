public import Foundation

extension BackendClient {
    /// The maximum length of a handle in bytes.
    private static let longestHandle = 4_096

    /// Registers the device with its APNs token.
    ///
    /// ```swift
    /// func application(_: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
    ///     Task { try await client.register(deviceToken: token, tags: ["news"]) }
    /// }
    /// ```
    ///
    /// - Parameter tags: the user's topics; the backend adds the user's name.
    public func register(
        deviceToken: Data, tags: [String] = []
    ) async throws(BackendClientError) {
        try await register(
            platform: .apns, handle: Self.hexadecimal(deviceToken), tags: tags)
    }

    /// Registers the device; call this each time the app starts, and when the handle, the tags or
    /// the user change.
    ///
    /// - Parameters:
    ///   - handle: the device's handle at the push service.
    ///   - tags: the user's topics; the backend adds the user's name.
    public func register(
        platform: DevicePlatform, handle: String, tags: [String] = []
    ) async throws(BackendClientError) {
        guard !handle.isEmpty, handle.utf8.count <= Self.longestHandle else {
            throw .unusableHandle
        }
        let body = try RegistrationBody(
            platform: platform.rawValue, handle: handle, tags: tags
        ).data()
        let kept = try await keptRegistrationID()
        let id = if let kept { kept } else { try await newID(handle) }
        do throws(BackendClientError) {
            try await put(body, under: id)
        } catch .status(410, _), .unaddressable {
            // The id no longer exists, or it never belonged to this user. Retry only once: if the
            // next id also fails, the backend is at fault.
            try await keepRegistrationID(nil)
            try await put(body, under: try await newID(handle))
        }
    }

    /// Removes the device's registration; call this before the user signs out.
    ///
    /// If this throws an error, the stored id is kept for a retry.
    public func unregister() async throws(BackendClientError) {
        guard let kept = try await keptRegistrationID() else { return }
        do throws(BackendClientError) {
            _ = try await send("DELETE", ["api", "register", kept])
        } catch .status(404, _), .status(410, _) {
            // The registration has already been removed.
        } catch .unaddressable {
            // The backend never assigns an id like this, so there is nothing to remove.
        }
        try await keepRegistrationID(nil)
    }

    /// A device token in the form that backends and hubs use: upper-case hexadecimal without
    /// spaces.
    public static func hexadecimal(_ token: Data) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let text = token.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private func put(_ body: Data, under id: String) async throws(BackendClientError) {
        _ = try await send("PUT", ["api", "register", id], body: body)
    }

    /// Requests an id, and stores the id before it is used.
    private func newID(_ handle: String) async throws(BackendClientError) -> String {
        let response = try await send("POST", ["api", "register"], ["handle": handle])
        let text = String(decoding: response.body, as: UTF8.self)
        let id = text.trimmingCharacters(in: CharacterSet(charactersIn: "\" \r\n\t"))
        guard id.utf8.count <= 256, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !id.isEmpty,
            !id.contains("/")
        else { throw .answerUnreadable }
        try await keepRegistrationID(id)
        return id
    }
}

private struct RegistrationBody: Encodable {
    private enum CodingKeys: String, CodingKey {
        case platform = "Platform"
        case handle = "Handle"
        case tags = "Tags"
    }

    let platform: String
    let handle: String
    let tags: [String]

    func data() throws(BackendClientError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            return try encoder.encode(self)
        } catch {
            throw .unusableHandle  // This cannot happen, because all values are strings.
        }
    }
}
