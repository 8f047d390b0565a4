import CampaignCore
import Files
package import PostgreSQLClient

/// Where the store is.
package enum StoreAddress: Hashable, Sendable, CustomStringConvertible {
    /// A file, absolute and without links.
    case file(String)
    /// A PostgreSQL server; a password may stand in its address only where a variable gave it. The folder is on this host, for
    /// what belongs to the store and is not in it.
    case server(PostgreSQLAddress, localFolder: String)

    /// The store's file; nil: it is on a server.
    package var file: String? { if case .file(let path) = self { path } else { nil } }

    /// The folder on this host for what belongs to the store and is not in it, absolute; a store in a file is in it.
    package var localFolder: String {
        switch self {
        case .file(let path): Path.folder(of: path)
        case .server(_, let folder): folder
        }
    }

    /// As a person may read it, without a password.
    package var description: String {
        switch self {
        case .file(let path): VisibleText.path(path)
        case .server(let address, _): address.description
        }
    }

    /// As `--store` takes it; nil where it would show a password.
    package var option: String? {
        switch self {
        case .file(let path): path
        case .server(let address, _): address.hasPassword ? nil : address.text
        }
    }
}
