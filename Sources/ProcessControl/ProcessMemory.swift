import CMalloc
import CProcess

package enum ProcessMemory {
    /// Excludes this process's memory from core dumps and from the user's other processes.
    ///
    /// This is not a resource limit, which children would inherit.
    package static func keepPrivate() -> Bool { keep_memory_private() == 0 }

    /// Limits the number of C library heaps, because each further heap keeps memory that was once
    /// in use.
    package static func limitHeaps(to count: Int32) { mallopt(M_ARENA_MAX, count) }
}
