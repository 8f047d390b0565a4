import GRDB
package import Storage

extension SQLiteStore {
    /// Pages that one transaction moves at most.
    private static let stepPages = 2_048
    /// Pages that are moved between two looks at the clock: for each, SQLite looks through the list of all free ones.
    private static let partPages = 16
    /// How many bytes can be rewritten in about a second, which is how long other writers can wait.
    private static let quicklyWritten = 64 << 20

    /// Gives free space in the file back to the disk, as far as that is worth the work and keeps nobody waiting for long.
    ///
    /// A file that an earlier version began is rewritten once. That takes twice the room of what is in use, and nobody else
    /// can write meanwhile, so a large file waits for a moment in which nobody else uses the store.
    ///
    /// - Parameters:
    ///   - isBrief: whether nobody waits for more than some hundredths of a second: then such a file is left as it is.
    ///   - rewriting: called before it is rewritten, with the number of bytes to write.
    /// - Returns: what was given back, and what was not.
    /// - Throws: ``StoreError/corrupt(_:)`` when the file is damaged: moving its pages would make it worse; another
    ///   ``StoreError`` when it cannot be written, and `CancellationError`. What is in the file is whole then.
    package func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace {
        let before = try await pageUse()
        guard before.isWorthwhile else { return StoreSpace() }
        let size = try inode.size()
        if before.isTracked {
            try await checkWhole()
            try await movePages(freeing: before.free)
        } else {
            guard !isBrief, before.isMuchFree else { return StoreSpace() }
            guard try before.usedBytes <= Self.quicklyWritten || inode.isAlone() else {
                return StoreSpace(kept: before.freeBytes)
            }
            try await checkWhole()
            rewriting(before.usedBytes)
            try await rewrite()
        }
        // The file shrinks when the log is brought in; where somebody still reads the old state, the last one to close the store does that.
        try await bringLogIn(isEmptied: !isBrief)
        return StoreSpace(given: max(0, try size - inode.size()))
    }

    private func pageUse() async throws -> PageUse {
        try await read { db in
            func number(_ pragma: String) throws -> Int {
                try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
            }
            return PageUse(
                pages: try number("page_count"), free: try number("freelist_count"),
                bytesPerPage: try number("page_size"),
                isTracked: try number("auto_vacuum") == StoreCheck.incremental)
        }
    }

    private func checkWhole() async throws {
        try await read { db in
            guard try String.fetchAll(db, sql: "PRAGMA quick_check(1)") == ["ok"] else {
                throw DatabaseError.damaged
            }
        }
    }

    /// Moves the last pages into free ones, a part at a time, so that others can write in between.
    ///
    /// - Parameters:
    ///   - free: how many pages are free.
    ///   - pace: how much at a time.
    /// - Throws: ``StoreError``; `CancellationError` between two transactions.
    func movePages(
        freeing free: Int, pace: WritePace = WritePace(most: Self.stepPages)
    ) async throws {
        var (left, pace) = (free, pace)
        while left > 0 {
            left = try await pace.step { [left] turn in
                try await write { db in
                    var left = left
                    try turn.parts(of: Self.partPages) { pages in
                        let count = min(left, pages)
                        try db.execute(sql: "PRAGMA incremental_vacuum(\(count))")
                        left -= count
                        return left == 0
                    }
                    return left
                }
            }
        }
    }

    private func rewrite() async throws {
        try await writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try db.execute(sql: "VACUUM")
        }
    }
}

/// How the pages of a store's file are used.
private struct PageUse {
    let pages: Int
    let free: Int
    let bytesPerPage: Int
    /// Whether the file says of each page who refers to it, so that pages can be moved one by one; files that earlier versions
    /// began do not, until they are rewritten.
    let isTracked: Bool

    /// What is free in the file, in bytes.
    var freeBytes: Int { free * bytesPerPage }
    /// What is in use, in bytes.
    var usedBytes: Int { (pages - free) * bytesPerPage }
    /// Whether there is so much that it pays to look the file through: some pages, and one of a hundred.
    var isWorthwhile: Bool { free >= max(16, pages / 100) }
    /// Whether so much of the file is free that it pays to rewrite the rest.
    var isMuchFree: Bool { free >= pages / 4 }
}
