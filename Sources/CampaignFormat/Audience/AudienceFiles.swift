package import CampaignCore

/// The people of one campaign: those it names itself, then those in its files.
///
/// Files are opened anew by every reader, by the same rules as at first.
package struct AudienceFiles: AudienceSource {
    /// One part: whom the campaign names itself, and its files.
    struct Part: Sendable {
        var usernames: [Located<Username>] = []
        var files: [AudienceFile] = []
    }

    let named: Part
    let excluded: Part
    let folder: SafeFolder
    /// The columns that people's values come from.
    let variables: [String]

    package func reader(of part: AudiencePart) -> any AudienceReader {
        switch part {
        case .named: AudienceFilesReader(named, in: folder, variables: variables)
        case .excluded: AudienceFilesReader(excluded, in: folder, variables: [])
        }
    }

    /// The file with a number in ``AudienceOrigin``; nil for the campaign file.
    func file(number: Int) -> AudienceFile? {
        (named.files + excluded.files).first { $0.number == number }
    }
}
