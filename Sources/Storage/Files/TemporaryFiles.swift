@unsafe @preconcurrency import GRDBSQLite
import Glibc
import Synchronization

/// Where SQLite keeps what does not fit into its caches: files without a name, mode 0600, that are gone with their connection.
///
/// Beside the store, never in a folder that others share (contract, section 8.7). SQLite has one such place for the whole process
/// (`sqlite3_temp_directory`), and reads it without a lock: it is set before the first connection is made, and never changed. A
/// process has one store; where several are opened, all their temporary files stand beside the first.
enum TemporaryFiles {
    private static let turn = Mutex(())

    /// Sends the process's temporary files to a folder, unless an earlier store has sent them to its own.
    ///
    /// - Parameter folder: an existing folder that can be written; SQLite would go to a shared one instead of any other.
    static func keep(in folder: String) {
        turn.withLock { _ in
            guard unsafe sqlite3_temp_directory == nil else { return }
            // For as long as the process lives.
            unsafe sqlite3_temp_directory = strdup(folder)
        }
    }
}
