/// What a template registration makes of a template send (reference, section 6.4).
struct RegistrationTemplate: Sendable, Hashable, Codable {
    /// A header that goes to the push service with each push.
    struct Header: Sendable, Hashable, Codable {
        /// The header's name as given.
        var name: String
        /// The header's value, which may hold template expressions.
        var value: String
    }

    /// The body, with template expressions.
    var body: String
    /// The template's name, 1 to 200 characters; nil for a template registration without one.
    var name: String?
    /// The headers of APNs, WNS or MPNS, in the order given.
    var headers: [Header] = []
    /// The expiry of Apple's pushes, as given.
    var expiry: String?
    /// The priority of Apple's pushes, as given.
    var priority: String?
    /// The message type of Baidu's pushes, as given.
    var messageType: String?
}
