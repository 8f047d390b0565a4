/// What a send pushes.
enum SendContent: Sendable, Hashable, Codable {
    /// The payload as it is, to the devices of one push service.
    ///
    /// The refusal is what that push service says to the payload; it is found out once, however many
    /// devices there are.
    case native(LocalHubPlatform, refusal: PushRefusal?)
    /// What each template registration makes of these properties.
    case template(TemplateProperties)

    /// The push service of a native send.
    var platform: LocalHubPlatform? {
        switch self {
        case .native(let platform, _): platform
        case .template: nil
        }
    }
}
