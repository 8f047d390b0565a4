import Hummingbird

/// What becomes of a request.
indirect enum HubAnswer {
    /// A response goes out.
    case response(Response)
    /// A stream of events goes out until the client goes away or the hub shuts down.
    case events(any EventStream)
    /// A message goes out once there is one, or why there is none.
    case waiting(NextMessage)
    /// What the app backend has goes out, or why it gives nothing.
    case fetching(PayloadFetch)
    /// Nothing goes out until the client goes away or the hub shuts down.
    case hang
    /// The connection is closed.
    case drop
    /// Another answer goes out after a time, and at a speed in bytes a second where there is one.
    case late(HubAnswer, delay: Duration, bytesPerSecond: Int?)

    /// What becomes of the request, in a few words for a log.
    var summary: String {
        switch self {
        case .response(let response): "\(response.status.code)"
        case .events: "a stream of events"
        case .waiting: "a message once there is one"
        case .fetching: "what the app backend gives"
        case .hang: "none, as a fault says"
        case .drop: "none, the connection is closed as a fault says"
        case .late(let answer, let delay, let bytesPerSecond):
            "\(answer.summary), late by \(delay)"
                + (bytesPerSecond.map { ", \($0) bytes a second" } ?? "")
        }
    }
}
