import ArgumentParser
import CampaignCore
import Files
import SQLiteDriver
import Storage

struct StoreBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the store to a file, even while it is in use.",
        discussion: """
            The copy is a consistent snapshot of the store. It is written completely or not at all, has mode 0600, \
            and is no larger than the used part of the store. It does not contain the payload key. A store on a \
            server is backed up with the server's own tools: see hubsend-postgresql(7).
            """)

    @Argument(help: "The file to create.", completion: .file())
    var file: String

    @Flag(help: "Replace an earlier backup.")
    var force = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        try await StoreCopy(settings, isQuiet: options.quiet)
            .write(to: file, isReplacing: force)
    }
}

struct StoreCopy {
    private let settings: EffectiveSettings
    private let isQuiet: Bool

    init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
    }

    /// Writes the backup and says how large it is.
    ///
    /// A missing store is not created. A store on a server is refused, because the server has its
    /// own backups.
    func write(to file: String, isReplacing: Bool) async throws {
        // An older store is migrated first, so that this version can read the backup.
        guard case .file(let path) = settings.store else {
            throw Refused(
                """
                Back up the \(StoreComponent.server("\(settings.store)")) with the server's own tools, such as `pg_dump` or \
                `pg_basebackup`; see hubsend-postgresql(7). Such a backup does not include the keys in \
                \(VisibleText.path(settings.localFolder)): keep a copy of them elsewhere.
                """)
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

    /// `size` is in bytes; `key` is the payload key's file, if it is next to the store.
    static func sentences(_ file: String, size: Int, key: String?) -> [String] {
        let done = "The store was copied to \(VisibleText.path(file)) (\(Figures.size(size)))."
        guard let key else { return [done] }
        return [
            done,
            """
            Its secure and personal payloads are encrypted with the key in \(VisibleText.path(key)), which is not in the \
            backup: keep a copy of the key elsewhere.
            """,
        ]
    }

    private static func keyFile(beside store: String) throws -> String? {
        let path = store + ".key"
        return try FileStatus.find(path) == nil ? nil : path
    }
}
