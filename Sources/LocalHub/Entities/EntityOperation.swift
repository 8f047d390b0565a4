/// What is asked about a hub itself.
enum EntityOperation: Equatable {
    /// Read its description.
    case read
    /// Create it, or change its description.
    case put
    /// Delete it with all that it knows.
    case delete
}
