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

    /// - Throws: ``OperationFault`` when something other than a report is there.
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
            guard try Self.isReport(resolved) else {
                throw OperationFault.notAReport(output)
            }
        case .folder:
            throw OperationFault.reportIsFolder(output)
        default:
            break
        }
    }

    /// Opens a pipe or a device; the content of a descriptor's file is kept.
    func stream() throws -> OpenFile {
        do {
            return try OpenFile(path, for: .streaming)
        } catch {
            throw OperationFault.unopenableFile(path, why: "\(error)")
        }
    }

    static func isReport(_ path: String) throws -> Bool {
        do {
            let file = try OpenFile(path, for: .reading)
            return WrittenReport.matches(try file.beginning(WrittenReport.length))
        } catch {
            throw OperationFault.unreadableFile(path, why: "\(error)")
        }
    }
}
