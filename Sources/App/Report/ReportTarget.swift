import CampaignCore
import Files

/// The target of `report --output`, which may replace an earlier report but no other file.
struct ReportTarget {
    /// Prefixes of paths to open file descriptors.
    private static let descriptors = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"]

    /// The file to replace, with links resolved.
    let path: String
    /// Whether it is a pipe or a device, which is written to directly.
    let isStream: Bool

    /// - Throws: ``Refused`` if something other than a report exists there.
    init(_ output: String, settings: EffectiveSettings) throws {
        let absolute = settings.invocation.absolute(output)
        // The file of a descriptor belongs to another program, so it is appended to and not
        // replaced.
        let isDescriptor = Self.descriptors.contains(where: absolute.hasPrefix)
        let resolved = isDescriptor ? absolute : Path.resolved(absolute)
        path = resolved
        let kind: FileStatus.Kind
        do {
            kind = try FileStatus(of: resolved).kind
        } catch {
            // Nothing exists at this path yet; if the file cannot be created, writing reports it.
            isStream = false
            return
        }
        isStream = isDescriptor || kind != .regular
        switch kind {
        case .regular where !isDescriptor:
            guard WrittenReport.matches(try Self.beginning(of: resolved)) else {
                throw Refused(
                    "The file \(output) exists but is not a hubsend report. Name another file, or delete this one first."
                )
            }
        case .folder:
            throw Refused("\(output) is a folder; specify a file in it.")
        default:
            break
        }
    }

    /// Opens a pipe or a device, without truncating the file of a descriptor.
    func stream() throws -> OpenFile {
        do {
            return try OpenFile(path, for: .streaming)
        } catch {
            throw Refused("\(path) cannot be opened: \(error).")
        }
    }

    /// Reads enough of a file to tell whether it is a report.
    static func beginning(of path: String) throws -> [UInt8] {
        do {
            return try OpenFile(path, for: .reading).beginning(WrittenReport.length)
        } catch {
            throw Refused("\(path) cannot be read: \(error).")
        }
    }
}
