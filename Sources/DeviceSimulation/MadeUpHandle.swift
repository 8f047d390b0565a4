import DeviceClient

/// Generates device handles.
enum MadeUpHandle {
    private static let hexadecimal = Array("0123456789ABCDEF")
    private static let token = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// A unique handle in the platform's format.
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
        case .adm:
            "amzn1.adm-registration.v3." + text(120, of: token, using: &generator)
        case .browser:
            subscription(using: &generator)
        }
    }

    /// A subscription in the format of browsers: an endpoint, a public key (65 bytes, beginning
    /// with 4), and a secret (16 bytes; RFC 8291, section 3).
    private static func subscription(
        using generator: inout some RandomNumberGenerator
    ) -> String {
        let endpoint = "https://hubsend.push.invalid/" + text(43, of: token, using: &generator)
        let key = "B" + text(86, of: token, using: &generator)
        let secret = text(22, of: token, using: &generator)
        return #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":"#
            + #"{"p256dh":"\#(key)","auth":"\#(secret)"}}"#
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
