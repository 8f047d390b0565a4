import CampaignCore
import YAMLSyntax

/// Reads through one part of an audience.
struct AudienceFilesReader: AudienceReader {
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
