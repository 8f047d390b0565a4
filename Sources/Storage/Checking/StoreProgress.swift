import GRDB

/// How often the store has saved what happened to a run: a number that only grows.
enum StoreProgress {
    static let table = """
        CREATE TABLE IF NOT EXISTS progress (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            saved INTEGER NOT NULL
        ) STRICT;
        INSERT OR IGNORE INTO progress (only, saved) VALUES (1, 0);
        """

    /// Counts one more, in the transaction that saves.
    ///
    /// - Returns: the number.
    /// - Throws: `DatabaseError`.
    static func advance(_ db: Database) throws -> Int {
        try NativeStatement("UPDATE progress SET saved = saved + 1", db).run()
        return try saved(db)
    }

    /// The number.
    ///
    /// - Throws: `DatabaseError.damaged` when there is none.
    static func saved(_ db: Database) throws -> Int {
        var saved = -1
        try NativeStatement("SELECT saved FROM progress WHERE only = 1", db)
            .forEachRow { saved = $0.integer(0) }
        guard saved >= 0 else { throw DatabaseError.damaged }
        return saved
    }
}
