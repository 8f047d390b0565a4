import CampaignCore
import Files
import Reports
import Settings

/// Where `report --output` may write: over an earlier report, never over something else.
struct ReportTarget {
    /// How reports of a run, of a person and of runs begin.
    private static let beginnings = [
        "run,campaign,recipient,platform,", "{\"run\":\"", RunPage.beginning,
        "SENT  ", "No run of this store ",
        "run,campaign,occurrence,rehearsal,", "RUN  ", "No run began within ",
    ]
    private static let longestBeginning = 256
    /// How paths to what a process has open begin.
    private static let descriptors = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"]

    /// The file to be replaced, with links resolved.
    let path: String
    /// Whether it is a pipe or a device, which is written into.
    let isStream: Bool

    /// Checks a path.
    ///
    /// - Throws: ``OperationFault`` when what stands there is no report.
    init(_ output: String, settings: EffectiveSettings) throws {
        let absolute = settings.invocation.absolute(output)
        // A descriptor's file belongs to somebody else: it is appended to, and not replaced.
        let isDescriptor = Self.descriptors.contains(where: absolute.hasPrefix)
        let resolved = isDescriptor ? absolute : Path.resolved(absolute)
        path = resolved
        let kind: FileStatus.Kind
        do {
            kind = try FileStatus(of: resolved).kind
        } catch {
            // Nothing is there yet. If the place cannot be written to, writing says so.
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

    /// Opens a pipe or a device; what a descriptor's file holds already is kept.
    ///
    /// - Throws: ``OperationFault`` when it cannot be opened.
    func stream() throws -> OpenFile {
        do {
            return try OpenFile(path, for: .streaming)
        } catch {
            throw OperationFault.unopenableFile(path, why: "\(error)")
        }
    }

    /// Whether a file begins as reports do.
    ///
    /// - Throws: ``OperationFault`` when it cannot be read.
    static func isReport(_ path: String) throws -> Bool {
        let text: String
        do {
            let head = try OpenFile(path, for: .reading).beginning(longestBeginning)
            text = String(decoding: head, as: UTF8.self)
        } catch {
            throw OperationFault.unreadableFile(path, why: "\(error)")
        }
        return text.isEmpty || beginnings.contains(where: text.hasPrefix) || isSummary(text)
            || isRunLine(text)
    }

    /// A line about a run begins with its campaign and its deliveries; a campaign file in JSON has no such key.
    private static func isRunLine(_ text: String) -> Bool {
        text.hasPrefix("{\"campaign\":\"") && text.contains("\",\"deliveries\":")
    }

    /// A summary begins with the campaign's name and the run's state.
    private static func isSummary(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: ": ") else { return false }
        return RunState.allCases.contains { text[colon.upperBound...].hasPrefix($0.rawValue) }
    }
}
