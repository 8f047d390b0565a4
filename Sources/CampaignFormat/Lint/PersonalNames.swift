import CampaignCore

/// Counts usernames that are e-mail addresses or phone numbers, while files are read.
struct PersonalNames: Sendable {
    struct Finding: Sendable {
        let first: AudienceMember
        fileprivate(set) var count = 1

        var isCut: Bool { count == PersonalNames.most }
    }

    private static let dot = UInt8(ascii: ".")
    private static let zero = UInt8(ascii: "0")
    /// The maximum count per file; counting stops there.
    static let most = 100

    private(set) var findings: [Finding] = []
    /// The file whose count has reached the maximum.
    private var done = 0

    mutating func count(_ members: [AudienceMember]) {
        // People listed in the campaign file have the number 0.
        for member in members where member.origin.file != done && member.origin.file > 0 {
            if Self.isPersonal(member.username.text) { add(member) }
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

    /// Whether the name is an e-mail address with a domain or a phone number as people dial it.
    ///
    /// This is called for millions of names, so it works on bytes and does not allocate memory.
    static func isPersonal(_ name: String) -> Bool {
        isAddress(name.utf8) || isPhoneNumber(name.utf8)
    }

    private static func isAddress(_ name: String.UTF8View) -> Bool {
        let sign = UInt8(ascii: "@")
        guard let at = name.firstIndex(of: sign), at > name.startIndex else { return false }
        let domain = name[at...].dropFirst()
        guard let end = domain.lastIndex(of: dot), !domain.contains(sign) else { return false }
        // No part of the address is empty.
        var previous = dot
        for byte in domain {
            guard byte != dot || previous != dot else { return false }
            previous = byte
        }
        let last = domain[end...].dropFirst()
        return last.count >= 2
            && last.allSatisfy(\.isLetter)
    }

    /// Whether this is a phone number; digits without a leading zero or groups may be an id.
    private static func isPhoneNumber(_ name: String.UTF8View) -> Bool {
        var (digits, groups, length) = (0, 1, 0)
        for byte in name {
            switch byte {
            case zero...UInt8(ascii: "9"):
                digits += 1
                length += 1
            case dot, UInt8(ascii: "-"):
                guard isGroup(length) else { return false }
                groups += 1
                length = 0
            default: return false
            }
        }
        // From the shortest number with an area code to the longest possible number (ITU-T E.164).
        guard (9...17).contains(digits) else { return false }
        if groups == 1 { return name.first == zero && digits >= 10 }
        return (3...5).contains(groups) && isGroup(length) && !isDate(name)
    }

    private static func isGroup(_ length: Int) -> Bool { (2...6).contains(length) }

    /// Whether the digits form a date such as 2026-11-22; requires at least nine digits, in groups
    /// of at least two.
    private static func isDate(_ name: String.UTF8View) -> Bool {
        let start = Array(name.prefix(8))
        return start.count == 8 && start[4] < zero && start[7] < zero
            && ["19", "20"].contains { start.starts(with: $0.utf8) }
    }
}
