import CMalloc
import CProcess

package enum ProcessMemory {
    /// Excludes it from core dumps, and from the user's other processes.
    ///
    /// Not a resource limit, which children would inherit.
    package static func keepPrivate() -> Bool { keep_memory_private() == 0 }

    /// Limits the C library's heaps; each further one keeps memory that was once in use.
    package static func limitHeaps(to count: Int32) { mallopt(M_ARENA_MAX, count) }
}
