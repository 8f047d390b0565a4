import CCrypt
import Files
import Glibc

/// The system's password hashing (libxcrypt), which takes its time.
enum PasswordHashing {
    /// The system could not compute a hash.
    struct Failure: Error, Hashable {
        /// In the system's words.
        let reason: String
    }

    /// Whether a password is the one that a hash was made of.
    ///
    /// - Parameters:
    ///   - password: its UTF-8, without a zero byte and not longer than
    ///     ``PasswordMethod/longestPassword``.
    ///   - hash: what it is compared with.
    /// - Returns: whether it is.
    /// - Throws: ``Failure`` when the system has no memory or does not know the method.
    static func matches(_ password: [UInt8], _ hash: PasswordHash) throws(Failure) -> Bool {
        let phrase = password.map(CChar.init(bitPattern:)) + [0]
        let size = MemoryLayout<crypt_data>.size
        var computed: [UInt8]?
        unsafe withUnsafeTemporaryAllocation(
            byteCount: size, alignment: MemoryLayout<crypt_data>.alignment
        ) { scratch in
            unsafe scratch.initializeMemory(as: UInt8.self, repeating: 0)
            errno = 0
            if let text = unsafe crypt_rn(phrase, hash.text, scratch.baseAddress, Int32(size)) {
                computed = Array(unsafe String(cString: text).utf8)
            }
            let number = errno
            // What is left of the password is not for whoever gets the memory next.
            if let start = scratch.baseAddress { unsafe explicit_bzero(start, size) }
            errno = number
        }
        guard let computed else { throw Failure(reason: "\(SystemFault.last)") }
        return ConstantTime.areEqual(computed, Array(hash.text.utf8))
    }
}
