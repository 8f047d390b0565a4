/// Where the registrations of a user are.
enum UserPlaces {
    /// The places of the registrations with the tag `username:<user>`, then those with this user id.
    ///
    /// The hub is only asked for the places; they are sorted without it.
    ///
    /// - Parameters:
    ///   - user: the user's name.
    ///   - hub: the hub.
    /// - Returns: the places, each once.
    static func places(of user: String, in hub: HubStore) -> [Int] {
        let (named, identified) = hub.update { state in
            (
                state.registrations.places(carrying: LocalHubDevice.tag(ofUser: user)),
                state.registrations.places(carrying: TagTerm.user(user).text)
            )
        }
        return named.sorted() + identified.subtracting(named).sorted()
    }
}
