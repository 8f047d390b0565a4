import CampaignCore
import Files

/// Where `report --output` may write: over an earlier report, never over something else.
struct ReportTarget {
    /// Prefixes of paths to a process's open descriptors.
    private static let descriptors = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"]

    /// The file to replace, with links resolved.
    let path: String
    /// Whether it is a pipe or a device, which is written into.
    let isStream: Bool

    /// - Throws: ``Refused`` when something other than a report is there.
    init(_ output: String, settings: EffectiveSettings) throws {
        let absolute = settings.invocation.absolute(output)
        // A descriptor's file belongs to somebody else: it is appended to, not replaced.
        let isDescriptor = Self.descriptors.contains(where: absolute.hasPrefix)
        let resolved = isDescriptor ? absolute : Path.resolved(absolute)
        path = resolved
        let kind: FileStatus.Kind
        do {
            kind = try FileStatus(of: resolved).kind
        } catch {
            // Nothing exists there yet. If the place cannot be written to, writing says so.
            isStream = false
            return
        }
        isStream = isDescriptor || kind != .regular
        switch kind {
        case .regular where !isDescriptor:
            guard WrittenReport.matches(try Self.beginning(of: resolved)) else {
                throw Refused(
                    "The file \(output) exists and is not a report that hubsend wrote. Name another file, or delete this one first."
                )
            }
        case .folder:
            throw Refused("\(output) is a folder; name a file in it.")
        default:
            break
        }
    }

    /// Opens a pipe or a device; the content of a descriptor's file is kept.
    func stream() throws -> OpenFile {
        do {
            return try OpenFile(path, for: .streaming)
        } catch {
            throw Refused("\(path) cannot be opened: \(error).")
        }
    }

    /// As much of a file as tells whether it is a report.
    static func beginning(of path: String) throws -> [UInt8] {
        do {
            return try OpenFile(path, for: .reading).beginning(WrittenReport.length)
        } catch {
            throw Refused("\(path) cannot be read: \(error).")
        }
    }
}
