import DeviceClient

/// Makes up what a push service would know a device by.
enum DeviceHandle {
    private static let hexadecimal = Array("0123456789ABCDEF")
    private static let token = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// A handle of the form that the platform's are, which no other device has.
    static func random(
        for platform: DevicePlatform, using generator: inout some RandomNumberGenerator
    ) -> String {
        switch platform {
        case .apns: text(64, of: hexadecimal, using: &generator)
        case .fcm:
            text(22, of: token, using: &generator) + ":"
                + text(140, of: token, using: &generator)
        case .wns:
            "https://hubsend.notify.windows.com/?token="
                + text(64, of: hexadecimal, using: &generator)
        }
    }

    private static func text(
        _ count: Int, of characters: [Character], using generator: inout some RandomNumberGenerator
    ) -> String {
        String(
            (0..<count).map { _ in
                characters[Int.random(in: characters.indices, using: &generator)]
            })
    }
}
