import NIOCore

/// A connection that is being made, and the push that it is made for.
final class OpeningConnection {
    /// When TLS has to be agreed on.
    let deadline: NIODeadline

    /// What goes out over it first; nil when that has ended meanwhile.
    var flight: PushFlight?

    /// The connection, once the network has made it and while TLS is agreed on.
    var connection: PushConnection?

    init(for flight: PushFlight, deadline: NIODeadline) {
        self.flight = flight
        self.deadline = deadline
    }
}
