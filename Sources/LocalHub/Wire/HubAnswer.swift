import Hummingbird

/// What becomes of a request.
enum HubAnswer {
    /// A response goes out.
    case response(Response)
    /// Nothing goes out until the client goes away or the hub shuts down.
    case hang
    /// The connection is closed.
    case drop
}
