// example
import NotificationHubs

/// Wakes the app on all of a user's Apple devices.
func wakeApps(of user: String, id: String, connectionString: String) async throws {
    let client = try NotificationHubClient(
        connectionString: ConnectionString(parsing: connectionString), hubName: HubName("news"))
    let silent = try NativeNotification.appleBackground(
        #"{"aps":{"content-available":1},"id":"\#(id)"}"#)
    do {
        let receipt = try await client.send(
            silent, to: TagExpression(Tag("username:\(user)")))
        print("The hub accepted it. Tracking id: \(receipt.trackingID)")
    } catch {
        print(error)
    }
    try await client.shutdown()
}
// end
