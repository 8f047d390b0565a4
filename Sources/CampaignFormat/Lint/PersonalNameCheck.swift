import CampaignCore
import YAMLSyntax

/// Finds usernames that are somebody's e-mail address or phone number, in a campaign file.
struct PersonalNameCheck {
    private let audience: AudienceSection?

    /// - Parameter audience: the campaign's people; nil when the file has none.
    init(_ audience: AudienceSection?) {
        self.audience = audience
    }

    func run(_ remarks: inout Remarks) {
        guard let audience else { return }
        let names = audience.named.usernames + audience.excluded.usernames
        let found = names.filter { Self.isPersonal($0.value.text) }
        guard let first = found.first else { return }
        let others = found.count - 1
        let more =
            others == 0
            ? "" : ", and so \(others == 1 ? "does one" : "do \(Figures.count(others))") more"
        remarks.add(
            .personalUsername, at: first.range, isPersonal: true,
            "The username \"\(audience: first.value.text)\" looks like an e-mail address or a phone number\(more).",
            help:
                "Whoever can read the repository, its reviews and build logs can read it; name people by an id of your own."
        )
    }

    /// Whether a name is an address with a domain, or a number as people dial it.
    static func isPersonal(_ name: String) -> Bool { isAddress(name) || isPhoneNumber(name) }

    private static func isAddress(_ name: String) -> Bool {
        guard name.utf8.contains(UInt8(ascii: "@")) else { return false }
        let halves = name.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty else { return false }
        let domain = halves[1].split(separator: ".", omittingEmptySubsequences: false)
        return domain.count >= 2 && !domain.contains(where: \.isEmpty)
            && (domain.last?.count ?? 0) >= 2
            && domain.last?.allSatisfy { $0.isASCII && $0.isLetter } == true
    }

    /// Numbers with a zero in front, and numbers in groups; what has only digits may be an id.
    private static func isPhoneNumber(_ name: String) -> Bool {
        // Most names have a letter, and lists of them are long.
        guard name.utf8.allSatisfy({ (UInt8(ascii: "-")...UInt8(ascii: "9")).contains($0) }) else {
            return false
        }
        let groups = name.split(separator: "-", omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
        let digits = groups.joined()
        // The shortest with a code of an area, and the longest that there are (ITU-T E.164).
        guard (9...17).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return false }
        if groups.count == 1 { return digits.hasPrefix("0") && digits.count >= 10 }
        return (3...5).contains(groups.count) && groups.allSatisfy { (2...6).contains($0.count) }
            && !isDate(groups)
    }

    /// Such as 2026-11-22, which with a number behind it would be as long as a phone number.
    private static func isDate(_ groups: [Substring]) -> Bool {
        groups[0].count == 4 && ["19", "20"].contains { groups[0].hasPrefix($0) }
            && groups[1].count == 2
    }
}
