package import PostgreSQLClient
package import Storage

package struct PostgreSQLStoreOptions: Sendable {
    /// The options shared with a store in a file; `busyTimeout` is how long a call waits for locks.
    package var common: StoreOptions
    /// The folder of this host's key file, which is created together with the file.
    package var keyFolder: String
    /// The maximum number of connections, in addition to one for each locked campaign and one to
    /// listen for runs.
    package var connections: Int
    /// How long a process keeps its part in a run without renewing it, by the server's clock.
    package var lease = Duration.seconds(15)
    /// How long the calls of a part in a run wait for an unavailable server.
    package var patience = Duration.seconds(30)
    /// Any other options for connections.
    package var pool = PostgreSQLPoolOptions()
    /// Whether to open a store that is still being filled from another store, only to continue the
    /// transfer.
    package var isCopyTarget = false

    package init(
        _ common: StoreOptions = StoreOptions(), keyFolder: String, connections: Int = 4
    ) {
        self.common = common
        self.keyFolder = keyFolder
        self.connections = connections
    }
}
