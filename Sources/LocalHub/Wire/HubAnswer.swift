import Hummingbird

/// What becomes of a request.
indirect enum HubAnswer {
    /// A response goes out.
    case response(Response)
    /// A stream of events goes out until the client goes away or the hub shuts down.
    case events(PushEvents)
    /// Nothing goes out until the client goes away or the hub shuts down.
    case hang
    /// The connection is closed.
    case drop
    /// Another answer goes out after a time, and at a speed in bytes a second where there is one.
    case late(HubAnswer, delay: Duration, bytesPerSecond: Int?)
}
