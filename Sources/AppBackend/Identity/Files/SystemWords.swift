import Glibc

/// What the system says about a call that failed.
enum SystemWords {
    /// The reason of the call that failed last on this thread.
    static var last: String { text(of: errno) }

    /// The reason where there is no such file.
    static var missing: String { text(of: ENOENT) }

    /// The reason of an error number, in the system's words.
    static func text(of number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}
