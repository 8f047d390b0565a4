import CMalloc
import CProcess

/// What this process says about its own memory.
package enum ProcessMemory {
    /// Keeps it out of core dumps, and away from the user's other processes.
    ///
    /// Children keep their dumps, so this is not a resource limit, which they would inherit.
    ///
    /// - Returns: whether the system lets it.
    package static func keepPrivate() -> Bool { keep_memory_private() == 0 }

    /// Limits how many heaps the C library makes; each further one holds on to memory that was once in use.
    ///
    /// - Parameter count: how many there may be.
    package static func limitHeaps(to count: Int32) { mallopt(M_ARENA_MAX, count) }
}
