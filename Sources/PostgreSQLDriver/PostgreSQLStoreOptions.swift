package import PostgreSQLClient
package import Storage

package struct PostgreSQLStoreOptions: Sendable {
    /// The options shared with a store in a file; a call waits for others' locks for its
    /// `busyTimeout`.
    package var common: StoreOptions
    /// The folder of this host's key file, made with it.
    package var keyFolder: String
    /// The most connections, besides one for each locked campaign, and one to listen for runs.
    package var connections: Int
    /// How long a process keeps its part in a run without renewing it, by the server's clock.
    package var lease = Duration.seconds(15)
    /// How long the calls of a part in a run wait for a server that is away.
    package var patience = Duration.seconds(30)
    /// Connection options other than those above.
    package var pool = PostgreSQLPoolOptions()
    /// Opens a store that is being filled from another one, only to continue that.
    package var isCopyTarget = false

    package init(
        _ common: StoreOptions = StoreOptions(), keyFolder: String, connections: Int = 4
    ) {
        self.common = common
        self.keyFolder = keyFolder
        self.connections = connections
    }
}
