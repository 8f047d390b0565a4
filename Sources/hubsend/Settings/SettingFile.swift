// The compiler takes `stat` from whichever of its two modules it reads first.
import CoreFoundation
import Foundation

/// Reads files that settings name and that others must not get at.
enum SettingFile {
    /// What others must not be able to do.
    enum Protection {
        case fromReading
        /// Others may read it, but not write it.
        case fromWriting

        fileprivate var mask: mode_t {
            switch self {
            case .fromReading: 0o077
            case .fromWriting: 0o022
            }
        }

        fileprivate func complaint(_ path: String) -> String {
            switch self {
            case .fromReading: "can be read by others. Run: chmod 600 \(path)"
            case .fromWriting: "can be written by others. Run: chmod go-w \(path)"
            }
        }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the file; links are followed, since whoever named it may read it.
    ///   - setting: what named it.
    ///   - protection: what others must not be able to do.
    ///   - limit: the longest content that is good, in bytes.
    /// - Returns: the content; one byte more than the limit when there is more.
    /// - Throws: ``CommandFailure`` when it cannot be read, is no regular file or is not protected.
    static func read(
        _ path: String, from setting: String, protected protection: Protection, limit: Int
    ) throws -> Data {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .configuration,
                "The file \(path) that \(setting) names cannot be read: \(SystemError.last).")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                .configuration, "The file \(path) that \(setting) names is not a regular file.")
        }
        guard status.st_mode & protection.mask == 0 else {
            throw CommandFailure(
                .configuration,
                "The file \(path) that \(setting) names \(protection.complaint(path))")
        }
        return try handle.read(upToCount: limit + 1) ?? Data()
    }
}
