package import Storage

extension SQLiteStore {
    /// Brings the store of an older version up to date; one that is not there is not made.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - options: time limits and bounds.
    /// - Returns: whether there was anything to do.
    /// - Throws: ``StoreError``; a newer or foreign file is left untouched.
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
