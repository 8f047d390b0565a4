import CampaignCore

/// Counts the usernames of audience files that are somebody's e-mail address or phone number, while the files are read.
struct PersonalNames: Sendable {
    /// What was found in a file.
    struct Finding: Sendable {
        /// Who is named so first.
        let first: AudienceMember
        fileprivate(set) var count = 1

        /// Whether there may be more of them.
        var isCut: Bool { count == PersonalNames.most }
    }

    /// So many are counted in a file; more of them change nothing.
    static let most = 100

    /// A file each, in their order.
    private(set) var findings: [Finding] = []
    /// The number of the file of which enough is known.
    private var done = 0

    /// Looks at the next people of a part, in the order in which they are read.
    mutating func look(at members: [AudienceMember]) {
        // Those whom the campaign file itself names have 0.
        for member in members where member.origin.file != done && member.origin.file > 0 {
            if PersonalNameCheck.isPersonal(member.username.text) { add(member) }
        }
    }

    private mutating func add(_ member: AudienceMember) {
        guard let last = findings.indices.last,
            findings[last].first.origin.file == member.origin.file
        else {
            findings.append(Finding(first: member))
            return
        }
        findings[last].count += 1
        if findings[last].isCut { done = member.origin.file }
    }
}
