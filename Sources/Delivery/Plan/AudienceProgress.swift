/// How far an audience is on its way from its files into the store; nothing of it was sent yet.
package enum AudienceProgress: Hashable, Sendable {
    /// Names are read from the files, those to leave out too; so many so far.
    case reading(Int)
    /// That many names were read, and are put in order.
    case sorting(Int)
    /// The first number of the second's people stand in the store.
    case staging(Int, of: Int)
}
