import CampaignCore
import Files

/// The warnings and hints about a campaign that can be read.
package struct CampaignLint: Sendable {
    package private(set) var remarks: [Diagnostic] = []
    package private(set) var ignores = IgnoreComments()
    /// The paths as a person would write them from the current folder; nil if they are not known.
    package private(set) var namedFiles: [String]?
    /// nil if the times or the recipients cannot be known from the file, or if the campaign has a
    /// frequency cap.
    package private(set) var silentSchedule: SilentSchedule?

    init() {}

    init(_ document: LintDocument, in folder: String) {
        remarks = document.remarks
        ignores = IgnoreComments(in: document.files, root: document.root)
        namedFiles = document.namedFiles.map { Path.file($0, in: folder) }
        silentSchedule = document.silentSchedule
    }
}
