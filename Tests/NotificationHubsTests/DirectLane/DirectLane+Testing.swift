import NIOCore

@testable import NotificationHubs

extension DirectLane {
    /// Channels that are not closed yet.
    func openChannels() async throws -> Int {
        try await eventLoop.submit { [loop] in loop.value?.channels ?? 0 }.get()
    }

    /// Connections that another request could go out over.
    func usableConnections() async throws -> Int {
        try await eventLoop.submit { [loop] in loop.value?.connections.count ?? 0 }.get()
    }
}
