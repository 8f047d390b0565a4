/// Which hub a config names.
package enum HubSetting: Hashable, Sendable {
    /// Where the right to use a hub comes from.
    package enum ConnectionString: Hashable, Sendable {
        /// It stands in the config.
        case text(SecretText)
        /// A file that holds it; the path is resolved against the config's folder.
        case file(String)
        /// A command that prints it.
        case command(String)
    }

    /// An Azure notification hub; `name` is nil where the connection string has it.
    case remote(ConnectionString?, name: String?)
    /// The local hub with the devices of a file; the path is resolved against the config's folder.
    case local(devices: String)
}
