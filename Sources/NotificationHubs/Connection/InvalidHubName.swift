/// A hub's name that cannot be one.
///
/// The refused text is left out, since a connection string may have been put in its place.
public struct InvalidHubName: Error, Hashable, CustomStringConvertible {
    /// What a hub's name looks like.
    public var description: String {
        "The hub name must be 1 to 260 ASCII letters, digits, hyphens, underscores and full stops. "
            + "Give the hub's own name, not the namespace's and not the connection string."
    }
}
