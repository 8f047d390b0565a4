/// One page of a listing.
struct RegistrationPage: Sendable {
    /// The most, and the usual, number of registrations of a page; our own bound.
    static let mostEntries = 100

    /// The registrations.
    let registrations: [Registration]
    /// The place where the next page begins; nil when this is the last.
    let nextPlace: Int?

    /// The continuation token of a place: of letters, digits and `-` only, so that no client's encoding
    /// changes it (reference, section 6.5).
    static func token(_ place: Int) -> String {
        "place-" + String(place, radix: 36)
    }

    /// The place of a continuation token.
    ///
    /// - Throws: a 400 for a text that is no token of this hub.
    static func place(token: String) throws(HubFailure) -> Int {
        guard token.hasPrefix("place-"),
            let place = Int(token.dropFirst("place-".count), radix: 36),
            place >= 0, self.token(place) == token
        else { throw .badRequest("The continuation token is not one of this hub.") }
        return place
    }
}
