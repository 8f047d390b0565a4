import CampaignCore
import Files
import PostgreSQLClient

enum StoreAddress: Hashable, Sendable, CustomStringConvertible {
    /// A file, given by its absolute path without links.
    case file(String)
    /// A PostgreSQL server, and a local folder for the store's other files.
    ///
    /// Only an address that comes from a variable may have a password.
    case server(PostgreSQLAddress, localFolder: String)

    var file: String? { if case .file(let path) = self { path } else { nil } }

    /// The absolute local folder for the store's other files, next to a store in a file.
    var localFolder: String {
        switch self {
        case .file(let path): Path.folder(of: path)
        case .server(_, let folder): folder
        }
    }

    /// The address without a password.
    var description: String {
        switch self {
        case .file(let path): VisibleText.path(path)
        case .server(let address, _): address.description
        }
    }

    /// The value for `--store`; nil if it would reveal a password.
    var option: String? {
        switch self {
        case .file(let path): path
        case .server(let address, _): address.hasPassword ? nil : address.text
        }
    }
}
