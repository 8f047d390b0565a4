import CampaignCore
import Foundation

/// Where `report --output` may write: over an earlier report, never over something else.
struct ReportTarget {
    /// How CSV and JSON Lines begin.
    private static let beginnings = [
        "run,campaign,recipient,platform,", "{\"run\":\"",
    ]
    private static let longestBeginning = 256

    private let path: String

    /// Checks a path.
    ///
    /// - Throws: ``CommandFailure`` when what stands there is no report.
    init(_ output: String, settings: Settings) throws {
        path = settings.invocation.absolute(output)
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: resolved)
        } catch {
            return  // Nothing stands there, and if the place is no good, writing says so.
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular:
            guard try Self.isReport(resolved) else {
                throw CommandFailure(
                    .configuration,
                    "The file \(output) is there and is no report of hubsend; name another, or delete it first."
                )
            }
        case .typeDirectory:
            throw CommandFailure(.configuration, "\(output) is a folder; name a file in it.")
        default:
            break
        }
    }

    /// What to write into when it is a pipe, a device or a link rather than a file to be replaced.
    ///
    /// - Returns: nil for an ordinary file.
    /// - Throws: ``CommandFailure`` when it cannot be opened.
    func stream() throws -> FileHandle? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            return nil
        }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.configuration, "\(path) cannot be opened: \(SystemError.last).")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func isReport(_ path: String) throws -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(.configuration, "\(path) cannot be read: \(SystemError.last).")
        }
        let head = try handle.read(upToCount: longestBeginning) ?? Data()
        let text = String(decoding: head, as: UTF8.self)
        return text.isEmpty || beginnings.contains(where: text.hasPrefix) || isSummary(text)
    }

    /// A summary begins with the campaign's name and the run's state.
    private static func isSummary(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: ": ") else { return false }
        return RunState.allCases.contains { text[colon.upperBound...].hasPrefix($0.rawValue) }
    }
}
