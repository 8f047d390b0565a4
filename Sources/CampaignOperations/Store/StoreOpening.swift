import CampaignCore
import Files
import Foundation
import PostgreSQLStorage
import SQLiteStorage
package import Settings
package import Storage

// The one place that knows what keeps a store.
extension StoreAddress {
    /// Opens the store for writing; makes a missing store, and brings an older one up to date.
    ///
    /// It may have to wait for another process that opens it, for as long as that takes.
    ///
    /// - Parameter options: those of `EffectiveSettings.storeOptions`, if payloads are written or read.
    /// - Returns: the store.
    /// - Throws: `StoreError`; `CancellationError` as soon as the task is cancelled.
    package func open(_ options: StoreOptions = StoreOptions()) async throws -> any Store {
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

    /// Makes the folder for what belongs to a store on a server and is not in it: audit, reports, keys.
    ///
    /// Where that is not allowed, as beside a config in `/etc`, it stays unmade. A worker needs none, and whoever writes there
    /// says what is wrong.
    ///
    /// - Throws: `StoreError` when the disk is full or does not work.
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

    /// Opens a store on a server to copy another one into it; makes it where there is none.
    ///
    /// - Parameter options: those of `EffectiveSettings.storeOptions`.
    /// - Returns: nil for a store in a file.
    /// - Throws: as ``open(_:)``.
    func openToFill(_ options: StoreOptions) async throws -> PostgreSQLStore? {
        guard case .server(let address, let folder) = self else { return nil }
        var serverOptions = PostgreSQLStoreOptions(options, keyFolder: folder)
        serverOptions.isToBeFilled = true
        return try await BlockingWork.runUnlessCancelled { [serverOptions] in
            try PostgreSQLStore.open(at: address, options: serverOptions)
        }
    }

    /// Opens the store for calls that only read; never makes one.
    ///
    /// - Parameters:
    ///   - options: those of `EffectiveSettings.storeOptions`, if payloads are read.
    ///   - isBroughtUpToDate: whether a store of an older version is brought up to date first, if possible.
    /// - Returns: the store; every writing call throws.
    /// - Throws: `StoreError`, such as `notFound` when nothing was run yet.
    package func openForReading(
        _ options: StoreOptions = StoreOptions(), isBroughtUpToDate: Bool = true
    ) async throws -> any Store {
        switch self {
        case .file(let path):
            try SQLiteStore.openForReading(
                at: path, options: options, isBroughtUpToDate: isBroughtUpToDate)
        case .server(let address, let folder):
            try await BlockingWork.runUnlessCancelled {
                try PostgreSQLStore.openForReading(
                    at: address, options: PostgreSQLStoreOptions(options, keyFolder: folder),
                    isBroughtUpToDate: isBroughtUpToDate)
            }
        }
    }

    /// Opens the store as it is for calls that only read; nil when there is no store.
    ///
    /// - Throws: `StoreError`, even when an older version made the store.
    func openAsItIs() async throws -> (any Store)? {
        if case .file(let path) = self, !FileManager.default.fileExists(atPath: path) {
            return nil
        }
        do {
            return try await openForReading(isBroughtUpToDate: false)
        } catch StoreError.notFound where file == nil {
            return nil
        }
    }

    /// Whether something exists there, even if it cannot be used; a missing store is made by the first run.
    func isThere() async -> Bool {
        if case .file(let path) = self { return FileManager.default.fileExists(atPath: path) }
        do {
            try await openForReading(isBroughtUpToDate: false).close()
            return true
        } catch StoreError.notFound {
            return false
        } catch {
            // Opening it tells why it cannot be used.
            return true
        }
    }

    /// Finds out whether a missing store can be made; makes nothing.
    ///
    /// - Throws: `StoreError` that says why not.
    func checkPlace() async throws {
        switch self {
        case .file(let path): try SQLiteStore.checkPlace(forStoreAt: path)
        case .server(let address, _):
            try await BlockingWork.runUnlessCancelled {
                try PostgreSQLStore.checkPlace(at: address)
            }
        }
    }

    /// Brings the store of an older version up to date; a missing store is not made.
    ///
    /// - Returns: whether there was anything to do.
    /// - Throws: `StoreError`; a newer or foreign store is left untouched.
    package func migrate() async throws -> Bool {
        do {
            try await openForReading(isBroughtUpToDate: false).close()
            return false
        } catch StoreError.olderVersion {
            try await open().close()
            return true
        }
    }
}

extension Store {
    /// Refuses a payload key that is not the store's, before a run is begun or continued.
    ///
    /// All hosts of a server must have its key, whatever they send. With a store in a file, campaigns that need no key may still be sent
    /// after the key was lost.
    ///
    /// - Parameter kinds: the kinds of the campaigns.
    /// - Throws: `StoreError`.
    func requirePayloadKey(for kinds: [CampaignKind]) async throws {
        if case .store = place, !kinds.contains(.secure) { return }
        try await checkPayloadKey()
    }
}

extension PostgreSQLStoreOptions {
    /// The options that count for a store on a server.
    fileprivate init(_ options: StoreOptions, keyFolder: String) {
        self.init(
            keyFolder: keyFolder, payloadKey: options.payloadKey,
            payloadKeyMade: options.payloadKeyMade, lockTimeout: options.busyTimeout,
            inboxRuns: options.inboxRuns)
        serverAway = options.storeAway
        serverBack = options.storeBack
    }
}
