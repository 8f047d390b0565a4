/// Whom a send is for.
enum SendAudience: Sendable, Hashable, Codable {
    /// Every device that the content fits.
    case everyone
    /// The devices for which a tag expression holds.
    case matching(TagExpression)
    /// The devices of these handles, whatever their tags.
    case channels([PushChannel])

    /// The condition for registrations; nil: there is none.
    var expression: TagExpression? {
        switch self {
        case .everyone, .channels: nil
        case .matching(let expression): expression
        }
    }
}
