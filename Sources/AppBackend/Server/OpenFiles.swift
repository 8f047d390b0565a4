import Glibc

/// How many files and connections the process may have open (`RLIMIT_NOFILE`).
package enum OpenFiles {
    /// More than the backend ever uses.
    private static let wanted: rlim_t = 65_536
    /// What every system allows, where it does not say.
    private static let usual = 1_024

    /// Raises the limit as far as the system lets this process.
    ///
    /// - Returns: the limit from now on, at least 256.
    package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return usual }
        let before = limit.rlim_cur
        limit.rlim_cur = max(before, min(limit.rlim_max, wanted))
        // Where it cannot be raised, what there was is left.
        let now = unsafe setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before
        return max(256, Int(clamping: now))
    }
}
