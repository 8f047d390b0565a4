/// What tells one device from another: its push service, and what that knows it by.
struct DeviceAddress: Sendable, Hashable, Codable {
    /// The push service.
    let platform: LocalHubPlatform
    /// The handle; that of an Apple device in upper case, since it is hexadecimal.
    let handle: String

    /// Names a device.
    ///
    /// - Parameters:
    ///   - platform: the push service.
    ///   - handle: the handle, in any case for Apple.
    init(platform: LocalHubPlatform, handle: String) {
        self.platform = platform
        self.handle = platform == .apns ? handle.uppercased() : handle
    }
}
