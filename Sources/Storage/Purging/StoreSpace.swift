/// What became of the free space in a store's file.
package struct StoreSpace: Hashable, Sendable {
    /// Bytes by which the file is smaller now.
    package var given: Int
    /// Bytes that stay free in it, since giving them back would have kept others from writing for too long.
    package var kept: Int

    package init(given: Int = 0, kept: Int = 0) {
        self.given = given
        self.kept = kept
    }
}

/// How the pages of a store's file are used.
struct PageUse {
    let pages: Int
    let free: Int
    let bytesPerPage: Int
    /// Whether the file says of each page who refers to it, so that pages can be moved one by one; files that earlier versions
    /// began do not, until they are written anew.
    let isTracked: Bool

    /// What is free in the file, in bytes.
    var freeBytes: Int { free * bytesPerPage }
    /// What is in use, in bytes.
    var usedBytes: Int { (pages - free) * bytesPerPage }
    /// Whether there is so much that it pays to look the file through: some pages, and one of a hundred.
    var isWorthwhile: Bool { free >= max(16, pages / 100) }
    /// Whether so much of the file is free that it pays to write the rest anew.
    var isMuchFree: Bool { free >= pages / 4 }
}
