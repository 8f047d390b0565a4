/// How much of a file is read before it is refused; every bound is inclusive.
package struct YAMLLimits: Hashable, Sendable {
    /// The file's size in bytes; below 2 GiB whatever is asked for.
    package var bytes: Int

    /// How many sequences and mappings may be open inside each other.
    package var depth: Int

    /// How many values there may be, keys and expanded aliases included.
    package var nodes: Int

    /// How many of these values aliases may add.
    package var expandedNodes: Int

    /// How many faults are collected before the rest of the file is left unread.
    package var faults: Int

    /// Sets the bounds.
    ///
    /// - Parameters:
    ///   - bytes: the file's size.
    ///   - depth: open collections.
    ///   - nodes: values in all.
    ///   - expandedNodes: values that aliases add.
    ///   - faults: faults that are listed.
    package init(
        bytes: Int = 16 << 20, depth: Int = 64, nodes: Int = 2_000_000,
        expandedNodes: Int = 10_000, faults: Int = 100
    ) {
        self.bytes = min(bytes, Int(Int32.max))
        self.depth = depth
        self.nodes = nodes
        self.expandedNodes = expandedNodes
        self.faults = faults
    }
}
