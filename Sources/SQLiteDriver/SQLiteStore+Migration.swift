package import Storage

extension SQLiteStore {
    /// Migrates an existing store of an older version; a newer or foreign file is left untouched.
    package static func migrate(
        at path: String, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Bool {
        do {
            try openForReading(at: path, options: options, isBroughtUpToDate: false).close()
            return false
        } catch {
            guard case .olderVersion = error else { throw error }
            try open(at: path, options: options).close()
            return true
        }
    }
}
