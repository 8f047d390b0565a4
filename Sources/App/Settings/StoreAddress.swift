import CampaignCore
import Files
import PostgreSQLClient

enum StoreAddress: Hashable, Sendable, CustomStringConvertible {
    /// A file, absolute and without links.
    case file(String)
    /// A PostgreSQL server, and a local folder for what belongs to the store but is not in it.
    ///
    /// Only a variable may give an address with a password.
    case server(PostgreSQLAddress, localFolder: String)

    var file: String? { if case .file(let path) = self { path } else { nil } }

    /// The local folder for the store's other files, absolute; a store in a file is in it.
    var localFolder: String {
        switch self {
        case .file(let path): Path.folder(of: path)
        case .server(_, let folder): folder
        }
    }

    /// Without a password.
    var description: String {
        switch self {
        case .file(let path): VisibleText.path(path)
        case .server(let address, _): address.description
        }
    }

    /// The value for `--store`; nil if it would show a password.
    var option: String? {
        switch self {
        case .file(let path): path
        case .server(let address, _): address.hasPassword ? nil : address.text
        }
    }
}
