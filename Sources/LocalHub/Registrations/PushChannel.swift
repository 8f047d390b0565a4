/// Where a push service reaches a device (reference, sections 6.4 and 7).
enum PushChannel: Sendable, Hashable, Codable {
    /// A token, channel URI or registration id.
    case handle(String)
    /// A secondary tile of a Windows app, with a channel URI of its own.
    case tile(channelURI: String, name: String)
    /// A web push subscription.
    case browser(endpoint: String, p256dh: String, auth: String)
    /// A Baidu device.
    case baidu(userID: String, channelID: String)

    /// What the push service knows the device by; Baidu's two parts are joined by `-`, as installations do.
    var handle: String {
        switch self {
        case .handle(let handle): handle
        case .tile(let channelURI, _): channelURI
        case .browser(let endpoint, _, _): endpoint
        case .baidu(let userID, let channelID): "\(userID)-\(channelID)"
        }
    }
}
