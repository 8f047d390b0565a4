import GRDB
package import Storage

extension SQLiteStore {
    /// The most pages that one transaction moves.
    private static let stepPages = 2_048
    /// Pages between two looks at the clock: for each, SQLite searches the list of all free ones.
    private static let partPages = 16
    /// Bytes that can be rewritten in about a second, which other writers can wait.
    private static let quicklyWritten = 64 << 20

    /// Gives free space back to the disk, if that is worth the work, without blocking others for
    /// long.
    ///
    /// A file of an earlier version is rewritten once, unless the call must be brief. That needs
    /// twice its room and blocks writers, so a large file waits until nobody else uses the store.
    ///
    /// - Throws: ``StoreError/corrupt(_:)``, since moving pages of a damaged file would make it
    ///   worse; ``StoreError``; `CancellationError`.
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
        // The file shrinks when the log is merged, at the latest by the last one to close the
        // store.
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

private struct PageUse {
    let pages: Int
    let free: Int
    let bytesPerPage: Int
    /// Whether each page's referrer is known, so that pages can be moved; not in files of earlier
    /// versions until they are rewritten.
    let isTracked: Bool

    /// In bytes.
    var freeBytes: Int { free * bytesPerPage }
    /// In bytes.
    var usedBytes: Int { (pages - free) * bytesPerPage }
    /// Whether a pass through the file is worthwhile: for some pages, and one in a hundred.
    var isWorthwhile: Bool { free >= max(16, pages / 100) }
    /// Whether rewriting the file is worthwhile.
    var isMuchFree: Bool { free >= pages / 4 }
}
