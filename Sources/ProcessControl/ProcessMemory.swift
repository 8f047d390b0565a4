import CMalloc
import CProcess

package enum ProcessMemory {
    /// Excludes this process's memory from core dumps and from the user's other processes.
    ///
    /// A resource limit is not used, because children would inherit it.
    package static func keepPrivate() -> Bool { keep_memory_private() == 0 }

    /// Limits the number of C library heaps, because each additional heap retains memory that was
    /// once in use.
    package static func limitHeaps(to count: Int32) { mallopt(M_ARENA_MAX, count) }
}
