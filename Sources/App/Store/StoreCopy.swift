import CampaignCore
import Files
import SQLiteStorage
import Storage

struct StoreCopy {
    private let settings: EffectiveSettings
    private let isQuiet: Bool

    init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
    }

    /// Writes the backup, and says how large it is.
    ///
    /// A missing store is not made. A store on a server is refused: it has its own backups.
    func write(to file: String, isReplacing: Bool) async throws {
        // An older store is migrated first, so that this version can read the backup.
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

    /// - Parameters:
    ///   - size: in bytes.
    ///   - key: the payload key's file, if it lies next to the store.
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
