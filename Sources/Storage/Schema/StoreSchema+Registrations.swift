extension StoreSchema {
    /// Which registration id at the hub is whose; `handle` is a digest.
    static let registrations = """
        CREATE TABLE registrations (
            id TEXT PRIMARY KEY,
            user TEXT NOT NULL,
            platform TEXT,
            handle BLOB,
            updated INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX registrations_by_user ON registrations (user, updated);
        CREATE INDEX registrations_by_handle ON registrations (handle, platform)
            WHERE handle IS NOT NULL;
        """
}
