import CampaignCore
import Files
import SQLiteStorage
package import Settings
import Storage
import Terminal

/// A backup of the store.
package struct StoreCopy {
    private let settings: EffectiveSettings
    private let isQuiet: Bool

    /// - Parameters:
    ///   - settings: which store, and where standard streams lead.
    ///   - isQuiet: whether only failures are told.
    package init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
    }

    /// Writes the backup, and says how large it is.
    ///
    /// A missing store is not made. A store on a server is refused, since servers have their own backups.
    ///
    /// - Parameters:
    ///   - file: the backup's file, as it was named.
    ///   - isReplacing: whether an existing file may be replaced.
    /// - Throws: ``OperationFault/serverBackup(_:localFolder:)``; `StoreError`; `TerminalFault` when stdout is closed.
    package func write(to file: String, isReplacing: Bool) async throws {
        // An older store is brought up to date first, so that this version can read the backup.
        guard case .file(let path) = settings.store else {
            throw OperationFault.serverBackup(
                .server("\(settings.store)"), localFolder: settings.localFolder)
        }
        let store = try SQLiteStore.openForReading(at: path)
        let size = try await store.backUp(
            to: settings.invocation.absolute(file), isReplacing: isReplacing)
        try store.close()
        guard !isQuiet else { return }
        for sentence in Self.sentences(
            file, size: size, key: try Self.keyFile(beside: store.path))
        {
            try Console.say(sentence)
        }
    }

    /// What is said of it.
    ///
    /// - Parameters:
    ///   - file: the backup's file, as it was named.
    ///   - size: its size in bytes.
    ///   - key: the file of the key that its payloads are encrypted with; nil when no key file lies beside the store.
    static func sentences(_ file: String, size: Int, key: String?) -> [String] {
        let done = "The store was copied to \(VisibleText.path(file)) (\(Figures.size(size)))."
        guard let key else { return [done] }
        return [
            done,
            """
            Its secure and personal payloads are encrypted with the key in \(VisibleText.path(key)), which is not in it: \
            keep a copy of that at another place.
            """,
        ]
    }

    private static func keyFile(beside store: String) throws -> String? {
        let path = store + ".key"
        return try FileStatus.find(path) == nil ? nil : path
    }
}
