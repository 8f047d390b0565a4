import CampaignCore
import Files

/// What there is to say about a readable campaign beyond its errors.
package struct CampaignLint: Sendable {
    package private(set) var remarks: [Diagnostic] = []
    package private(set) var ignores = IgnoreComments()
    /// As a person would name them from the current folder; nil if not known.
    package private(set) var namedFiles: [String]?
    /// nil if it is not certain, or if the campaign limits it itself.
    package private(set) var silentSchedule: SilentSchedule?

    init() {}

    init(_ document: LintDocument, in folder: String) {
        remarks = document.remarks
        ignores = IgnoreComments(in: document.files, root: document.root)
        namedFiles = document.namedFiles.map { Path.file($0, in: folder) }
        silentSchedule = document.silentSchedule
    }
}
