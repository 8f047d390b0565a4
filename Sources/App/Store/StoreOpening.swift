import CampaignCore
import Files
import Foundation
import PostgreSQLDriver
import SQLiteDriver
import Storage

// Only this file distinguishes the kinds of stores.
extension StoreAddress {
    /// Opens the store for writing; creates a missing store, and migrates an older one.
    ///
    /// This waits while another process is opening the store. To work with payloads, pass
    /// `EffectiveSettings.storeOptions`.
    func open(_ options: StoreOptions = StoreOptions()) async throws -> any Store {
        switch self {
        case .file(let path):
            try await BlockingWork.runUnlessCancelled {
                try SQLiteStore.open(at: path, options: options)
            }
        case .server(let address, let folder):
            try await BlockingWork.runUnlessCancelled {
                let store = try PostgreSQLStore.open(
                    at: address, options: PostgreSQLStoreOptions(options, keyFolder: folder))
                try Self.makeLocalFolder(folder)
                return store
            }
        }
    }

    /// Creates the local folder of a store on a server, for its audit log, reports and keys.
    ///
    /// If this is not permitted, as next to a config in `/etc`, the folder is not created. A worker
    /// does not need the folder, and a process that writes there reports what is wrong.
    private static func makeLocalFolder(_ folder: String) throws(StoreError) {
        do {
            try Folder.make(folder)
        } catch {
            switch error.kind {
            case .diskFull, .inputOutput: throw StoreError(error, at: .scratch(folder: folder))
            default: return
            }
        }
    }

    /// Opens a store on a server, or creates it, to copy another one into it; nil for a file.
    func openToFill(_ options: StoreOptions) async throws -> PostgreSQLStore? {
        guard case .server(let address, let folder) = self else { return nil }
        var serverOptions = PostgreSQLStoreOptions(options, keyFolder: folder)
        serverOptions.isCopyTarget = true
        return try await BlockingWork.runUnlessCancelled { [serverOptions] in
            try PostgreSQLStore.open(at: address, options: serverOptions)
        }
    }

    /// Opens the store for reading; never creates a store, but migrates an older store if this is
    /// requested and possible.
    func openForReading(
        _ options: StoreOptions = StoreOptions(), migrates: Bool = true
    ) async throws -> any Store {
        switch self {
        case .file(let path):
            try SQLiteStore.openForReading(
                at: path, options: options, migrates: migrates)
        case .server(let address, let folder):
            try await BlockingWork.runUnlessCancelled {
                try PostgreSQLStore.openForReading(
                    at: address, options: PostgreSQLStoreOptions(options, keyFolder: folder),
                    migrates: migrates)
            }
        }
    }

    /// Opens the store for reading; throws for an older store instead of migrating it.
    ///
    /// Returns nil if the store does not exist.
    func openAsItIs() async throws -> (any Store)? {
        if case .file(let path) = self, !FileManager.default.fileExists(atPath: path) { return nil }
        do {
            return try await openForReading(migrates: false)
        } catch StoreError.notFound where file == nil {
            return nil
        }
    }

    /// Whether something exists at the store's place, even if it cannot be used; the first run
    /// creates a missing store.
    func isThere() async -> Bool {
        if case .file(let path) = self { return FileManager.default.fileExists(atPath: path) }
        do {
            try await openForReading(migrates: false).close()
            return true
        } catch StoreError.notFound {
            return false
        } catch {
            // Opening the store reports why it cannot be used.
            return true
        }
    }

    /// Throws if a missing store could not be created, without creating anything.
    func checkPlace() async throws {
        switch self {
        case .file(let path): try SQLiteStore.checkPlace(forStoreAt: path)
        case .server(let address, _):
            try await BlockingWork.runUnlessCancelled {
                try PostgreSQLStore.checkPlace(at: address)
            }
        }
    }

    /// Migrates an older store, and returns whether it did so; does not change other stores.
    func migrate() async throws -> Bool {
        do {
            try await openForReading(migrates: false).close()
            return false
        } catch StoreError.olderVersion {
            try await open().close()
            return true
        }
    }
}

extension Store {
    /// Refuses a payload key that does not match the store, before a run is begun or continued.
    ///
    /// All hosts that use a server's store need its key. A store in a file whose key was lost can
    /// still be used for campaigns without payloads.
    func requirePayloadKey(for kinds: [CampaignKind]) async throws {
        if case .store = place, !kinds.contains(.secure) { return }
        try await checkPayloadKey()
    }
}
