/// Why an address cannot be a backend's.
public enum OriginFault: Hashable, Sendable {
    /// It has no scheme or no host.
    case incomplete
    /// It is plain http to another machine.
    case insecure
    /// It has a user or a password in it.
    case hasCredentials
    /// It has a path, a query or a fragment.
    case hasPath
}
