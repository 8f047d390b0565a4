import GRDB
package import Storage

extension SQLiteStore {
    /// The maximum number of pages that one transaction moves.
    private static let stepPages = 2_048
    /// How many pages are moved between two readings of the clock; SQLite searches the list of free
    /// pages for each of them.
    private static let partPages = 16
    /// How many bytes can be rewritten in about a second, which is short enough for other writers
    /// to wait.
    static let quicklyWritten = 64 << 20

    /// Returns free space to the file system if that is worth the effort, without blocking others
    /// for long.
    ///
    /// A file of an earlier version is rewritten once, unless the call must be brief. The rewrite
    /// requires twice the file's space and blocks writers, so a large file waits until nobody else
    /// uses the store.
    ///
    /// - Throws: ``StoreError/corrupt(_:)``, because moving pages of a damaged file would make it
    ///   worse; any other ``StoreError``; `CancellationError`.
    package func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace {
        let before = try await read(PageUse.init)
        // A pass through the file is worthwhile only if enough pages, and at least one in a
        // hundred, are free.
        guard before.free >= max(16, before.pages / 100) else { return StoreSpace() }
        let size = try inode.size()
        if before.isTracked {
            try await checkPages()
            try await movePages(freeing: before.free)
        } else {
            guard !isBrief, before.free >= before.pages / 4 else { return StoreSpace() }
            guard try before.usedBytes <= Self.quicklyWritten || inode.isAlone() else {
                return StoreSpace(kept: before.free * before.bytesPerPage)
            }
            try await checkPages()
            rewriting(before.usedBytes)
            try await writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                try db.execute(sql: "VACUUM")
            }
        }
        // The file shrinks when the log is merged, at the latest by the last process to close the
        // store.
        try await bringLogIn(isEmptied: !isBrief)
        return StoreSpace(given: max(0, try size - inode.size()))
    }

    /// Moves the last pages into free ones, some at a time, so that others can write in between.
    func movePages(
        freeing free: Int, pace: WritePace = WritePace(most: Self.stepPages)
    ) async throws {
        var (left, pace) = (free, pace)
        while left > 0 {
            left = try await pace.step { [left] batch in
                try await write { db in
                    var left = left
                    try batch.parts(of: Self.partPages) { pages in
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
}

private struct PageUse {
    let pages: Int
    let free: Int
    let bytesPerPage: Int
    /// Whether it is known which page refers to each page, so that pages can be moved; files of
    /// earlier versions must be rewritten first.
    let isTracked: Bool

    init(_ db: Database) throws {
        func number(_ pragma: String) throws -> Int {
            try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
        }
        pages = try number("page_count")
        free = try number("freelist_count")
        bytesPerPage = try number("page_size")
        isTracked = try number("auto_vacuum") == StoreCheck.incremental
    }

    var usedBytes: Int { (pages - free) * bytesPerPage }
}
