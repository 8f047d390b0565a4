import HTTPTypes

/// What is asked about a hub itself, or about which hubs there are.
enum EntityOperation: Equatable {
    /// Read its description.
    case read
    /// Create it, or change its description.
    case put
    /// Delete it with all that it knows.
    case delete
    /// List the hubs with their descriptions.
    case list
    /// List the hubs' names.
    case publicList

    /// The operation of a path that is no hub's; nil: the path is one, or the page's.
    ///
    /// - Parameter request: the request.
    /// - Throws: a 405 for a method that the path does not take.
    init?(listing request: HubRequest) throws(HubFailure) {
        let path = request.target.segments
        if path.count == 2, path[0].lowercased() == "$resources",
            path[1].lowercased() == "notificationhubs"
        {
            guard request.method == .get else { throw .methodNotAllowed("GET") }
            self = .list
        } else if PublicListing.isAsked(for: request) {
            self = .publicList
        } else {
            return nil
        }
    }
}
