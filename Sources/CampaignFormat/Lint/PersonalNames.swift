import CampaignCore

/// Counts usernames that are e-mail addresses or phone numbers, while files are read.
struct PersonalNames: Sendable {
    struct Finding: Sendable {
        let first: AudienceMember
        fileprivate(set) var count = 1

        var isCut: Bool { count == PersonalNames.most }
    }

    /// Counted per file; more change nothing.
    static let most = 100

    private(set) var findings: [Finding] = []
    /// The file that needs no further look.
    private var done = 0

    mutating func look(at members: [AudienceMember]) {
        // People named in the campaign file have 0.
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
