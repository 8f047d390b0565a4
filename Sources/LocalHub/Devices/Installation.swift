/// One installation as the hub keeps it: where to push to, and by which tags it is found.
struct Installation: Sendable, Hashable {
    /// The id, unique in the hub.
    var id: String
    /// The push service.
    var platform: LocalHubPlatform
    /// The handle at the push service.
    var handle: String
    /// The plain tags.
    var tags: Set<String>
    /// The user id that `$UserId:{…}` finds.
    var userID: String?

    /// Whether the installation carries a term of a tag expression.
    func carries(_ term: TagTerm) -> Bool {
        switch term {
        case .tag(let tag): tags.contains(tag)
        case .installation(let id): id == self.id
        case .user(let user): user == userID
        }
    }
}
