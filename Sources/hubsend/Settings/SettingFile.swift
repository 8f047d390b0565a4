import Files
import Foundation

/// Reads files that settings name and that others must not get at.
enum SettingFile {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the file; links are followed, since whoever named it may read it.
    ///   - setting: what named it.
    ///   - protection: what others must not be able to do.
    ///   - limit: the longest content that is good, in bytes.
    /// - Returns: the content.
    /// - Throws: ``CommandFailure`` when it cannot be read, is no regular file, is too long or is not protected.
    static func read(
        _ path: String, from setting: String, protected protection: FileProtection, limit: Int
    ) throws -> Data {
        do {
            return Data(try ProtectedFile.read(path, protection, limit: limit))
        } catch {
            throw CommandFailure(
                .configuration,
                "The file \(path) that \(setting) names \(error.text(path: path))")
        }
    }
}
