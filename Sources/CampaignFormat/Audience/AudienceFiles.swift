package import CampaignCore
import YAMLSyntax

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

/// Reads through one part of an audience.
private struct AudienceFilesReader: AudienceReader {
    private let folder: SafeFolder
    private let variables: [String]
    private let noValues: [String?]
    private var usernames: ArraySlice<Located<Username>>
    private var files: ArraySlice<AudienceFile>
    private var current: AudienceFileReader?
    /// Whether nobody was found in the current file so far, which exclusions do not allow.
    private var isCurrentEmpty = true

    init(_ part: AudienceFiles.Part, in folder: SafeFolder, variables: [String]) {
        self.folder = folder
        self.variables = variables
        noValues = variables.map { _ in nil }
        usernames = part.usernames[...]
        files = part.files[...]
    }

    mutating func next(_ limit: Int) throws -> [AudienceMember] {
        var members: [AudienceMember] = []
        members.reserveCapacity(min(limit, 8_192))
        while members.count < limit, let username = usernames.popFirst() {
            let origin = AudienceOrigin(file: 0, line: username.range.start.line)
            members.append(
                AudienceMember(
                    username: username.value, values: noValues, origin: origin))
        }
        while members.count < limit, let file = files.first {
            if let member = try member(of: file) {
                members.append(member)
            } else {
                guard !isCurrentEmpty || file.allowsEmpty else { throw file.emptyFault }
                current = nil
                isCurrentEmpty = true
                files.removeFirst()
            }
        }
        return members
    }

    private mutating func member(of file: AudienceFile) throws(AudienceFileFault)
        -> AudienceMember?
    {
        if current == nil {
            do throws(AudienceFileFault) {
                current = try AudienceFileReader(file, in: folder, variables: variables)
            } catch {
                guard file.forgives(error) else { throw error }
                return nil
            }
        }
        let member = try current?.next()
        if member != nil { isCurrentEmpty = false }
        return member
    }
}
