import Glibc

/// What the operating system says about a failed call.
enum SystemFault {
    /// The system's words for an error number.
    static func text(of code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }

    /// The error for a system call that failed.
    ///
    /// - Parameters:
    ///   - code: its `errno`.
    ///   - place: what was being opened.
    /// - Returns: the error to throw.
    static func error(_ code: Int32, at place: StorePlace) -> StoreError {
        switch code {
        case EROFS: .readOnly(place)
        case ENOSPC, EDQUOT, EFBIG: .diskFull(place)
        case EIO: .inputOutput(place, code: Int(code))
        default: .inaccessible(place, reason: text(of: code))
        }
    }
}
